package show

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
)

// CaptureRows holds the captures of one file as rows of a format. After Sort, page sets come first, sorted by date
// and URL. The rows of a large file are in a temporary file; only their sort keys are in memory.
type CaptureRows struct {
	rows  spool.Spool
	urls  []byte
	index []rowKey
	err   error

	Kinds       map[catalog.Kind]int
	First, Last time.Time // first and last date; zero without a date

	Compared bool // the captures were compared with the index of another archive
	OnlyHere int  // number of rows whose URL is not in the index
}

// rowKey is the sort key of a row, and its position.
type rowKey struct {
	kind       int8
	when       int64
	url, row   int64
	nURL, nRow int32
}

// Elsewhere is the result of looking up a capture in the index of another archive.
type Elsewhere struct {
	Compared bool      // false if there is no index
	Nearest  time.Time // date in the index nearest to the date of the capture; zero if the URL is not in the index
}

// text returns the nearest date as text. It returns no if the URL is not in the index, and "" without an index.
func (e Elsewhere) text(no string) string {
	switch {
	case !e.Compared:
		return ""
	case e.Nearest.IsZero():
		return no
	}
	return e.Nearest.Format(dateLayout)
}

func (e Elsewhere) json() *jsonIndexed {
	switch {
	case !e.Compared:
		return nil
	case e.Nearest.IsZero():
		return &jsonIndexed{}
	}
	return &jsonIndexed{&e.Nearest}
}

// NewCaptureRows returns CaptureRows without rows.
func NewCaptureRows() *CaptureRows {
	return &CaptureRows{Kinds: map[catalog.Kind]int{}}
}

// Len returns the number of rows.
func (r *CaptureRows) Len() int { return len(r.index) }

// Add adds the row of a capture. The error is that of a temporary file.
func (r *CaptureRows) Add(c *catalog.Capture, e Elsewhere, row []byte) error {
	key := rowKey{kind: int8(slices.Index(catalog.Kinds(), c.Kind)), when: math.MaxInt64, url: int64(len(r.urls)),
		row: r.rows.Len(), nURL: int32(len(c.URL)), nRow: int32(len(row))}
	if d := c.Captured(); d.OK() {
		key.when = d.Time.Unix()
		if r.First.IsZero() || d.Time.Before(r.First) {
			r.First = d.Time
		}
		if d.Time.After(r.Last) {
			r.Last = d.Time
		}
	}
	r.Compared = e.Compared
	if e.Compared && e.Nearest.IsZero() {
		r.OnlyHere++
	}
	r.Kinds[c.Kind]++
	r.urls = append(r.urls, c.URL...)
	r.index = append(r.index, key)
	_, err := r.rows.Write(row)
	return err
}

// Sort sorts the rows: page sets before image sets and others, each by date and URL. Within each kind, rows without
// a date come last. Equal rows stay in the order of the file.
func (r *CaptureRows) Sort() {
	url := func(k *rowKey) string { return string(r.urls[k.url : k.url+int64(k.nURL)]) }
	slices.SortFunc(r.index, func(a, b rowKey) int {
		if c := cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.when, b.when)); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(url(&a), url(&b)), cmp.Compare(a.row, b.row))
	})
}

// Dates yields the dates of the captures with a date.
func (r *CaptureRows) Dates() iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		for _, k := range r.index {
			if k.when != math.MaxInt64 && !yield(time.Unix(k.when, 0).UTC()) {
				return
			}
		}
	}
}

// ahead is the least number of bytes to read at once: rows that follow each other are often neighbours in the file.
const ahead = 4 << 10

// All yields the rows. Each row is valid only until the next one. If a row could not be read, Err returns the error
// afterwards.
func (r *CaptureRows) All() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var buf []byte
		var start int64 // position of buf
		for _, k := range r.index {
			end := k.row + int64(k.nRow)
			if k.row < start || end > start+int64(len(buf)) {
				start = k.row
				n := int(min(max(end, start+ahead), r.rows.Len()) - start)
				buf = slices.Grow(buf[:0], n)[:n]
				if _, r.err = r.rows.ReadAt(buf, start); r.err != nil {
					return
				}
			}
			if at := k.row - start; !yield(buf[at : end-start : end-start]) {
				return
			}
		}
	}
}

// Err returns the error of a temporary file.
func (r *CaptureRows) Err() error { return r.err }

// Close removes the temporary file.
func (r *CaptureRows) Close() { r.rows.Close() }
