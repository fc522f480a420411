package archive

import (
	"io"
	"path"
	"regexp"

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
	{"\x89LZO\x00\r\n\x1a\n", "an lzop file"},
	{"PK\x07\x08PK\x03\x04", "a split zip file"},
	{"070701", "a cpio archive"},
	{"070702", "a cpio archive"},
	{"070707", "a cpio archive"},
	{"\xed\xab\xee\xdb", "an RPM package"},
	{"!<arch>\ndebian-binary", "a Debian package"},
	{"xar!\x00", "a xar archive"},
	{"\xff\x06\x00\x00sNaPpY", "a snappy file"},
	{"MSWIM\x00\x00\x00", "a disk image"},
}

// partName matches the names of parts of split archives. Only the first part begins like an archive.
var partName = regexp.MustCompile(`(?i)\.(z\d\d|(zip|7z)\.\d{3})$`)

// imageName matches the names of disk images. Their magic numbers are not near the beginning.
var imageName = regexp.MustCompile(`(?i)\.(iso|dmg|vhdx?|vmdk)$`)

// brotliName matches the names of PDF and tar files compressed with Brotli, which has no magic number.
var brotliName = regexp.MustCompile(`(?i)\.(pdf|tar)\.br$`)

// isLHA reports whether a file begins with the header of an LHA archive: two bytes, then the name of a method.
func isLHA(start []byte) bool {
	return len(start) > 6 && string(start[2:4]) == "-l" && (start[4] == 'h' || start[4] == 'z') && start[6] == '-'
}

// unreadName describes, with an article, an archive that webcap cannot read. It is "" for any other file.
func unreadName(start []byte, name string) string {
	for _, k := range unreadKinds {
		if hasPrefix(start, k.start) {
			return k.name
		}
	}
	switch {
	case isLHA(start):
		return "an LHA archive"
	case len(start) >= 14 && string(start[7:14]) == "**ACE**":
		return "an ACE archive"
	case imageName.MatchString(name):
		return "a disk image"
	case brotliName.MatchString(name):
		return "a file compressed with brotli"
	case isLZMA(start):
		return "an lzma file"
	case partName.MatchString(name):
		return "a part of a split archive"
	}
	return ""
}

// isLZMA reports whether a file begins like a file of the program lzma, which has no magic number. Such a file
// begins with the usual properties, a dictionary size that is a power of two, and a size that is unknown or
// possible.
func isLZMA(start []byte) bool {
	const header = 13
	if len(start) <= header || !hasPrefix(start, "\x5d\x00\x00") || start[header] != 0 {
		return false
	}
	dictionary := uint(start[3]) | uint(start[4])<<8
	unknown := string(start[5:header]) == "\xff\xff\xff\xff\xff\xff\xff\xff"
	return dictionary != 0 && dictionary&(dictionary-1) == 0 && (unknown || start[11] == 0 && start[12] == 0)
}

// errUnread returns an error that describes the archive and says that webcap cannot read it, or the error of r.
func errUnread(r io.ReaderAt, name string) error {
	start := make([]byte, startSize)
	n, err := r.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return err
	}
	what := unreadName(start[:n], name)
	if what == "" && isNamedArchive(name) {
		return &report.SkippedError{Reason: "not an archive, although its name ends in " + path.Ext(name)}
	}
	if what == "" {
		return &report.SkippedError{Reason: "not an archive that webcap knows"}
	}
	return &report.SkippedError{
		Reason: what + ", which webcap cannot read; unpack it, or make it a zip or tar file"}
}
