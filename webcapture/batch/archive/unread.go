package archive

import "github.com/webcap-tools/webcap/webcapture/report"

// unreadStarts are the first bytes of archives and compressed files that webcap recognizes, but cannot read.
var unreadStarts = []string{
	"7z\xbc\xaf\x27\x1c",   // 7z
	"Rar!\x1a\x07",         // RAR
	"\xfd7zXZ\x00",         // xz
	"BZh91AY&SY",           // bzip2
	"PK\x07\x08PK\x03\x04", // split zip
}

var errUnread = &report.SkippedError{
	Reason: "not an archive that webcap can read; unpack it, or make it a zip or tar file"}
