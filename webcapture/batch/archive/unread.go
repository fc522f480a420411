package archive

import (
	"io"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// unreadKinds are archives and compressed files that webcap detects by their first bytes, but cannot read.
var unreadKinds = []struct{ start, name string }{
	{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{"Rar!\x1a\x07", "a RAR archive"},
	{"\xfd7zXZ\x00", "an xz file"},
	{"BZh91AY&SY", "a bzip2 file"},
	{"PK\x07\x08PK\x03\x04", "a split zip file"},
}

// unreadName describes, with an article, an archive that webcap cannot read. It is "" for any other file.
func unreadName(start []byte) string {
	for _, k := range unreadKinds {
		if hasPrefix(start, k.start) {
			return k.name
		}
	}
	return ""
}

// errUnread returns an error that describes the archive and says that webcap cannot read it, or the error of r.
func errUnread(r io.ReaderAt) error {
	start := make([]byte, startSize)
	n, err := r.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return err
	}
	if what := unreadName(start[:n]); what != "" {
		return &report.SkippedError{
			Reason: what + ", which webcap cannot read; unpack it, or make it a zip or tar file"}
	}
	return &report.SkippedError{Reason: "not an archive that webcap knows"}
}
