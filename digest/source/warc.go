package source

import "errors"

func isWARC(path string) bool { return false }

func openWARC(path string, o Options) (Source, error) { return nil, errors.New("not built") }
