package warc

import "bytes"

// Detect reports whether a decompressed file begins with a WARC or ARC record. Line ends may precede it, and
// an ARC file may lack the record about itself.
func Detect(start []byte) bool {
	b := bytes.TrimLeft(start, "\r\n")
	_, err := parseRecord(b)
	return err == nil || isFiledesc(b) || err == errShort && isVersion(b)
}

// HeaderSize returns the size of the header of the first record of a file, including any data before the header. It
// returns -1 if start has no record or only a part of the header.
func HeaderSize(start []byte) int {
	b := bytes.TrimLeft(start, "\r\n")
	r, err := parseRecord(b)
	if err != nil {
		return -1
	}
	return len(start) - len(b) + len(r.raw)
}
