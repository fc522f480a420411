package source

import "errors"

func isFolder(path string) bool { return false }

func openFolder(path string, o Options) (Source, error) { return nil, errors.New("not built") }
