package export

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// A record is a record of a WARC file (ISO 28500:2017, 4).
type record struct {
	kind    string // WARC-Type
	id      string // WARC-Record-ID, without angle brackets
	target  string // WARC-Target-URI; empty for none
	date    time.Time
	headers [][2]string           // further headers of this type of record
	mime    string                // media type of the block; empty for none
	length  int64                 // length of the block
	block   func(io.Writer) error // writes the block; nil for an empty one

	// digest is the digest of the payload: "sha256:" and hexadecimal digits. For a revisit, it is the digest of the
	// original's payload.
	digest string
}

// newID returns the identifier of a new record: a random UUID (RFC 9562, 5.4).
func newID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// measure sets the length and the digest of the block.
func (r *record) measure() error {
	h := sha256.New()
	count := &counter{w: h}
	if err := r.block(count); err != nil {
		return err
	}
	r.length, r.digest = count.n, "sha256:"+hex.EncodeToString(h.Sum(nil))
	return nil
}

// write writes a record. Unless plain is set, the record is a separate gzip member.
func (r *record) write(w io.Writer, plain bool) error {
	if plain {
		return r.writePlain(w)
	}
	z := gzip.NewWriter(w)
	return cmp.Or(r.writePlain(z), z.Close())
}

func (r *record) writePlain(w io.Writer) error {
	var head strings.Builder
	head.WriteString("WARC/1.1\r\n")
	add := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&head, "%s: %s\r\n", name, value)
		}
	}
	add("WARC-Type", r.kind)
	add("WARC-Record-ID", "<"+r.id+">")
	add("WARC-Date", r.date.UTC().Format(warcDate))
	add("WARC-Target-URI", r.target)
	for _, h := range r.headers {
		add(h[0], h[1])
	}
	if r.block != nil {
		add("WARC-Block-Digest", r.digest)
	}
	add("WARC-Payload-Digest", r.digest)
	add("Content-Type", r.mime)
	add("Content-Length", fmt.Sprint(r.length))
	head.WriteString("\r\n")
	if _, err := io.WriteString(w, head.String()); err != nil {
		return err
	}
	if r.block != nil {
		count := &counter{w: w}
		if err := r.block(count); err != nil {
			return err
		}
		if count.n != r.length {
			return fmt.Errorf("%s: the size changed from %d to %d bytes while it was read", r.target, r.length, count.n)
		}
	}
	_, err := io.WriteString(w, "\r\n\r\n")
	return err
}

// warcDate is the layout of WARC-Date.
const warcDate = "2006-01-02T15:04:05Z"

// counter is a writer that counts the bytes written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
