package archive

import (
	"io"
	"path"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// unreadKinds are archives and compressed files that webcap detects by their first bytes, but cannot read.
var unreadKinds = []struct{ start, name string }{
	{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{"Rar!\x1a\x07", "a RAR archive"},
	{"RE~^", "a RAR archive"},
	{"LZIP\x00", "an lzip file"},
	{"LZIP\x01", "an lzip file"},
	{"\x04\x22\x4d\x18", "an lz4 file"},
	{"\x02\x21\x4c\x18", "an lz4 file"},
	{"MSCF\x00\x00\x00\x00", "a cabinet file"},
	{"\x1f\x9d", "a file compressed with compress (.Z)"},
	{"PK\x07\x08PK\x03\x04", "a split zip file"},
	{"070701", "a cpio archive"},
	{"070702", "a cpio archive"},
	{"070707", "a cpio archive"},
	{"\xed\xab\xee\xdb", "an RPM package"},
	{"!<arch>\ndebian-binary", "a Debian package"},
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
func errUnread(r io.ReaderAt, name string) error {
	start := make([]byte, startSize)
	n, err := r.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return err
	}
	what := unreadName(start[:n])
	if what == "" && isNamedArchive(name) {
		return &report.SkippedError{Reason: "not an archive, although its name ends in " + path.Ext(name)}
	}
	if what == "" {
		return &report.SkippedError{Reason: "not an archive that webcap knows"}
	}
	return &report.SkippedError{
		Reason: what + ", which webcap cannot read; unpack it, or make it a zip or tar file"}
}
