//go:build !js

package source

import (
	"bytes"
	"os"
	"regexp"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/warc"
	"github.com/webcap-tools/webcap/digest/source/internal/zipfile"
)

// foreignFormat is a format of files that are often mistaken for sources, but that no kind supports.
type foreignFormat struct {
	is   func(head []byte) bool
	what string // description of the format, and a remedy
}

var foreignFormats = []foreignFormat{
	{isWebarchive, "a web archive of Safari (.webarchive), which webcap cannot read; convert it to WARC, or save " +
		"the page as MHTML"},
	{begins("\xfd7zXZ\x00"), "compressed by xz, which webcap cannot read; unpack it first, with xz -dk"},
	{begins("BZh"), "compressed by bzip2, which webcap cannot read; unpack it first, with bzip2 -dk"},
	{begins("\x04\x22\x4d\x18"), "compressed by lz4, which webcap cannot read; unpack it first"},
	{begins("7z\xbc\xaf\x27\x1c"), "a 7z archive, which webcap cannot read; unpack it first"},
	{begins("Rar!\x1a\x07"), "a RAR archive, which webcap cannot read; unpack it first"},
	{func(head []byte) bool { return len(head) > 262 && string(head[257:262]) == "ustar" },
		"a tar archive, which cannot be a source; unpack it first"},
	{begins("%PDF-"), "a PDF file, which cannot be a source"},
	{isCDX, "an index of WARC files; name the WARC files instead"},
	{isHTML, "an HTML file that does not name its URL; name the folder that wget made, or a list with lines URL " +
		"TAB FILE"},
}

func begins(with string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(with)) }
}

// isWebarchive recognizes property lists by their first key, in both of their formats.
func isWebarchive(head []byte) bool {
	return (bytes.HasPrefix(head, []byte("bplist")) || bytes.Contains(head, []byte("<plist"))) &&
		bytes.Contains(head, []byte("WebMainResource"))
}

var (
	indexLine = regexp.MustCompile(`^(?: CDX [A-Za-z]( |\r?\n)|!OpenWayback-CDXJ|[^ \n]+\)[^ \n]* [0-9]{14} )`)
	htmlTag   = regexp.MustCompile(`(?i)^\s*(<!--[^>]*-->\s*|<\?xml[^>]*>\s*)*<(!doctype html|html|head)\b`)
)

func isCDX(head []byte) bool { return indexLine.Match(head) }

func isHTML(head []byte) bool {
	return htmlTag.Match(bytes.TrimPrefix(head, []byte(localfile.ByteOrderMark)))
}

// isForeignName reports whether base, in lower case, is the name of a file that is often mistaken for a source.
func isForeignName(base string) bool {
	for _, end := range []string{".xz", ".bz2", ".lz4", ".7z", ".rar"} {
		if rest, ok := strings.CutSuffix(base, end); ok {
			return kindNamed(rest) != ""
		}
	}
	return strings.HasSuffix(base, ".webarchive") || strings.HasSuffix(base, ".zip")
}

// foreign describes the file at a path if it is empty or has a known format that is not supported. Otherwise it returns
// "".
func foreign(path string) string {
	head := localfile.Beginning(path)
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() &&
		(info.Size() == 0 || string(head) == localfile.ByteOrderMark) {
		return "an empty file"
	}
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return foreignZip(path)
	}
	for _, f := range foreignFormats {
		if f.is(head) {
			return f.what
		}
	}
	return ""
}

// otherZip describes a zip file of an unknown kind.
const otherZip = "a zip file, but not a WACZ file; unpack it first"

// foreignZip describes the zip file at a path; empty if it is a WACZ file or cannot be opened.
func foreignZip(path string) string {
	z, err := zipfile.Open(path)
	if err != nil {
		return ""
	}
	defer z.Close()
	has := func(is func(string) bool) bool {
		for _, f := range z.File {
			if is(strings.ToLower(f.Name)) && f.Mode().IsRegular() {
				return true
			}
		}
		return false
	}
	switch {
	case has(warc.IsPart):
		return "" // a damaged WACZ file
	case has(func(name string) bool { return kindNamed(name) != "" }):
		return "a zip of sources, but not a WACZ file; unpack it first"
	}
	return otherZip
}
