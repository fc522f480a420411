package source

import "errors"

func isSpool(path string) bool { return false }

func openSpool(path string, o Options) (Source, error) { return nil, errors.New("not built") }
