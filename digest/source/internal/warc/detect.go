package warc

import "bytes"

// Detect reports whether a decompressed file begins with a WARC or ARC record. Line ends may precede it, and
// an ARC file may lack the record about itself.
func Detect(start []byte) bool {
	b := bytes.TrimLeft(start, "\r\n")
	_, err := parseRecord(b)
	return err == nil || isFiledesc(b) || err == errNoEnd && isVersion(b)
}
