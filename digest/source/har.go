package source

import "errors"

func isHAR(path string) bool { return false }

func openHAR(path string, o Options) (Source, error) { return nil, errors.New("not built") }
