package source

import "errors"

func isMHTML(path string) bool { return false }

func openMHTML(path string, o Options) (Source, error) { return nil, errors.New("not built") }
