package source

import "errors"

func isWACZ(path string) bool { return false }

func openWACZ(path string, o Options) (Source, error) { return nil, errors.New("not built") }
