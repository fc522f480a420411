package source

import (
	"errors"
	"io"
	"os"
)

// beginning returns the first bytes of a file, by which its kind can be told;
// none if it is not a file, or cannot be read.
func beginning(path string) []byte {
	if regular(path) != nil {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, beginningSize))
	return data
}

// regular fails unless path is that of a file with data: one must not open a
// named pipe, which would wait.
func regular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is not a file")
	}
	return nil
}

// byteOrderMark is what some programs put before UTF-8.
const byteOrderMark = "\uFEFF"
