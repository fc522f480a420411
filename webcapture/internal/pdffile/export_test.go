package pdffile

import (
	"io"
	"os"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// EachLayout calls do with the layouts of the tests, for those of other packages.
func EachLayout(do func(name string, l webcapturetest.Layout, password string)) {
	for _, l := range layouts {
		do(l.name, l.layout, l.password)
	}
}

// DataOf reads a Stream.
func DataOf(s *Stream, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return io.ReadAll(s)
}

// Reading has do called before each read of mapped bytes, until stop is called.
func Reading(do func()) (stop func()) {
	reading = do
	return func() { reading = nil }
}

// OpenRemoteByPages opens a remote file of any size in parts, one page at a time.
func OpenRemoteByPages(src Remote, opt Options) (*File, error) {
	return openRemote(src, opt, 0, int64(os.Getpagesize()))
}

// MaxStretches is the cap of that name.
const MaxStretches = maxStretches

// Stretches returns how many stretches of remote files can be read.
func Stretches() int { return int(stretches.Load()) }

// Need fetches a part of a remote file.
func Need(f *File, from, to int64) { f.need(from, to) }

// Work returns what has been done for a file, as its budget counts it.
func Work(f *File) [3]int64 {
	return [3]int64{f.work.decoded.Load(), f.work.scanned.Load(), f.work.entries.Load()}
}
