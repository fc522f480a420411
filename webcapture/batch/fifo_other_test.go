//go:build !unix

package batch

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }
