package show

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
)

// CaptureRows holds the captures of one file as rows of a format: page sets before image sets and others, each by date
// and URL. Within each kind, rows without a date come last. Equal rows stay in the order of the file. The rows of a
// large file are in a temporary file; only their sort keys are in memory. The zero CaptureRows has no rows.
type CaptureRows struct {
	rows   spool.Spool
	urls   []byte
	index  []rowKey
	counts captureCounts
}

// rowKey is the sort key of a row, and its position.
type rowKey struct {
	kind       int8
	when       int64
	url, row   int64
	nURL, nRow int32
}

// Len returns the number of rows.
func (r *CaptureRows) Len() int { return len(r.index) }

// add adds the row of a capture. The error is that of a temporary file.
func (r *CaptureRows) add(c *catalog.Capture, row []byte) error {
	key := rowKey{kind: int8(slices.Index(catalog.Kinds(), c.Kind)), when: math.MaxInt64, url: int64(len(r.urls)),
		row: r.rows.Len(), nURL: int32(len(c.URL)), nRow: int32(len(row))}
	if d := c.Captured(); d.OK() {
		key.when = d.Time.Unix()
	}
	r.urls = append(r.urls, c.URL...)
	r.index = append(r.index, key)
	_, err := r.rows.Write(row)
	return err
}

func (r *CaptureRows) sort() {
	url := func(k *rowKey) string { return string(r.urls[k.url : k.url+int64(k.nURL)]) }
	slices.SortFunc(r.index, func(a, b rowKey) int {
		if c := cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.when, b.when)); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(url(&a), url(&b)), cmp.Compare(a.row, b.row))
	})
}

// ahead is the least number of bytes to read at once: rows that follow each other are often neighbours in the file.
const ahead = 4 << 10

// all yields the rows. The error is that of the temporary file.
func (r *CaptureRows) all() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var buf []byte
		var start int64 // position of buf
		for _, k := range r.index {
			end := k.row + int64(k.nRow)
			if k.row < start || end > start+int64(len(buf)) {
				start = k.row
				n := int(min(max(end, start+ahead), r.rows.Len()) - start)
				buf = slices.Grow(buf[:0], n)[:n]
				if _, err := r.rows.ReadAt(buf, start); err != nil {
					yield(nil, err)
					return
				}
			}
			if at := k.row - start; !yield(buf[at:end-start:end-start], nil) {
				return
			}
		}
	}
}

// Close removes the temporary file.
func (r *CaptureRows) Close() { r.rows.Close() }
