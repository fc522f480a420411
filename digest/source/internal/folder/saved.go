package folder

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// savedMarks find the URL in the comment at the start of a page. Browsers write the length of the URL before the URL.
// SingleFile writes only the URL.
var savedMarks = []*regexp.Regexp{
	regexp.MustCompile(`<!--\s*saved from url=\([0-9]{1,8}\)(\S+)\s*-->`),
	regexp.MustCompile(`<!--\s*Page saved with SingleFile\s+url:\s*(\S+)`),
}

// savedFrom returns the URL from which a page was saved; empty if head does not contain it.
func savedFrom(head []byte) string {
	for _, m := range savedMarks {
		if found := m.FindSubmatch(head); found != nil && urlkey.IsRetrieved(found[1]) {
			return string(found[1])
		}
	}
	return ""
}

// head returns the first bytes of a file in a folder; nil if it cannot be opened.
func head(root *os.Root, name string) []byte {
	file, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close()
	data, _ := io.ReadAll(io.LimitReader(file, markSize))
	if !bytes.HasPrefix(data, []byte("\xff\xfe")) {
		return data
	}
	return bytes.ReplaceAll(data, []byte{0}, nil) // Internet Explorer may save UTF-16; without NULs, it is ASCII
}

// isSavedName reports whether a file may be a saved page that contains its URL.
func isSavedName(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".htm") || strings.HasSuffix(name, ".xhtml")
}
