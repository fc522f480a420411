package show

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/keys"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// A KeyWriter writes the keys of files in one format.
type KeyWriter struct {
	format listFormat
	encode keyEncoder // nil for wayback
	files  fileCount
	total  keyCounts
	images atomic.Int64 // bytes of images on a page
	way    *wayback     // nil for other formats
}

// A keyEncoder appends row n of a part of a list, counted from 0. The error is one of reading the file that is not
// about its content.
type keyEncoder func(d *jsondoc.Document, n int, r *keys.Row) error

// KeyRows holds the keys of one file as rows of a format: wrong ones first, then those that cannot be checked. Rows of
// a large file are in temporary files. The zero KeyRows has no rows.
type KeyRows struct {
	fileRows
	counts keyCounts
}

// keyCounts are the numbers of keys by tree and verdict.
type keyCounts [webcapture.TreeCount][keys.Verdicts]int

func (c *keyCounts) add(d *keyCounts) {
	for t := range d {
		for v := range d[t] {
			c[t][v] += d[t][v]
		}
	}
}

// String returns a text such as "9 URLS: 8 right, 1 wrong · 9 IDS: 1 proven, 7 agree, 1 wrong".
func (c *keyCounts) String() string {
	var trees []string
	for t, counts := range c {
		n := 0
		var parts []string
		for v := range keys.Verdicts {
			v = keys.Verdicts - 1 - v // the wrong ones last
			verdict := v.String()
			if v == keys.Agrees && counts[v] > 1 {
				verdict = "agree"
			}
			if counts[v] > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", counts[v], verdict))
			}
			n += counts[v]
		}
		text := fmt.Sprintf("%d %v", n, webcapture.TreeName(t))
		if n > 0 {
			text += ": " + strings.Join(parts, ", ")
		}
		trees = append(trees, text)
	}
	return strings.Join(trees, " · ")
}

// byVerdict returns the numbers of keys by the names of trees and verdicts.
func (c *keyCounts) byVerdict() map[string]map[string]int {
	out := map[string]map[string]int{}
	for t, counts := range c {
		verdicts := map[string]int{}
		for v, n := range counts {
			if n > 0 {
				verdicts[keys.Verdict(v).String()] = n
			}
		}
		out[webcapture.TreeName(t).String()] = verdicts
	}
	return out
}

// KeyFormats are the names of the formats of keys.
func KeyFormats() []string { return []string{"table", "json", "ndjson", "csv", "html", "wayback"} }

var keyList = list{schema: "webcap.keys/1", member: "keys", header: keyHeader, page: &pageOfKeys, rows: copyLines,
	hasUnread: true}

// NewKeyWriter returns a writer of a format, or nil if the format is unknown. width is the width of a terminal; 0 means
// that lines are not broken.
func NewKeyWriter(format string, w io.Writer, width int, version string) *KeyWriter {
	out := &KeyWriter{format: keyList.in(format, w, width, version)}
	switch format {
	case "table":
		out.encode = func(d *jsondoc.Document, _ int, r *keys.Row) error { return keyText(d, width, r) }
	case "json", "ndjson":
		out.encode = keyJSON
	case "csv":
		out.encode = keyCSV
	case "html":
		out.encode = out.html
	case "wayback":
		out.way = &wayback{w: bufio.NewWriter(w), seen: map[string]bool{}}
		out.format = out.way
	default:
		return nil
	}
	return out
}

// Rows returns the rows of a file in the format. pay pays for the bytes of a row. After an error of pay, the rest of
// the rows is left out. Each goroutine may call Rows.
func (w *KeyWriter) Rows(list *keys.List, pay func(n int) error) (*KeyRows, error) {
	out := new(KeyRows)
	if w.way != nil {
		return out, fill(&out.fileRows, list.Originals(), pay, w.way.encode)
	}
	var n [len(out.parts)]int
	return out, fill(&out.fileRows, list.Rows(), pay, func(d *jsondoc.Document, row *keys.Row) (int, error) {
		part := int(min(row.Verdict, keys.Right))
		err := w.encode(d, n[part], row)
		out.counts[row.Tree][row.Verdict]++
		n[part]++
		return part, err
	})
}

// Add writes a file and its rows.
func (w *KeyWriter) Add(rec *report.Record, rows *KeyRows) error {
	w.files.add(rec)
	w.total.add(&rows.counts)
	f := fileOf(rec, "", rows.counts.String(), rows.Count, rows.all())
	f.json.Keys = rows.counts.byVerdict()
	f.heads = []string{"Tree", "Verdict", "Page", "Key", "Image"}
	return w.format.add(f)
}

// Close writes the end. complete reports whether all files were added.
func (w *KeyWriter) Close(complete bool) error {
	files := w.files.String()
	e := &listEnd{complete: complete, lead: w.total.String() + " in " + files}
	e.summary = struct {
		Files    int  `json:"files"`
		Complete bool `json:"complete"`
	}{w.files.all, complete}
	if w.files.all > 1 {
		e.text = []string{"Total of " + files + ": " + w.total.String()}
	}
	return w.format.end(e)
}

// Omitted describes the captures without an address of a web archive; empty if there are none.
func (w *KeyWriter) Omitted() string {
	if w.way == nil {
		return ""
	}
	return w.way.omitted()
}

// copyLines writes lines of text, below headings.
func copyLines(s *layout.Sheet, f *listedFile) error {
	if f.count > 0 {
		s.Labeled(string(keyHead(nil, "TREE", "VERDICT", "PAGE")), "KEY, AND THE URL OF AN ID")
	}
	for line, err := range f.rows {
		if err != nil {
			return err
		}
		s.Write(line)
		s.Text("\n")
		if err := s.FlushIfLarge(); err != nil {
			return err
		}
	}
	return nil
}

const (
	pageWidth = 4
	keyIndent = "        "
)

// keyText appends a row for people.
func keyText(d *jsondoc.Document, width int, r *keys.Row) error {
	b := keyHead(d.AvailableBuffer(), r.Tree.String(), r.Verdict.String(), pageText(r.Page))
	head := len(b)
	b = r.Key.Append(append(b, "  "...))
	if r.URL != "" {
		b = r.URL.Append(append(b, "  "...))
	}
	d.Write(b)
	text := reasonText(r)
	if text == "" && (width == 0 || d.Len() <= width) { // most rows of a large file
		return nil
	}
	line := d.String()
	d.Truncate(0)
	s := layout.NewSheet(d, width, false)
	s.Labeled(line[:head], line[head+len("  "):])
	if r.Verdict == keys.Wrong && r.Expected != "" {
		s.Line(keyIndent, "expected "+r.Expected.String())
	}
	if text != "" {
		s.Line(keyIndent, text)
	}
	s.Truncate(s.Len() - 1) // the end of the last line
	return s.Flush()
}

// keyHead appends the first columns of a row.
func keyHead(b []byte, tree, verdict, page string) []byte {
	b = appendCell(b, tree, len(webcapture.URLS.String()))
	b = appendCell(b, verdict, len(keys.Unchecked.String()))
	return appendCell(b, page, pageWidth)
}

// appendCell appends a gap, and text padded to a width.
func appendCell(b []byte, text string, width int) []byte {
	b = append(append(b, "  "...), text...)
	for n := len(text); n < width; n++ {
		b = append(b, ' ')
	}
	return b
}

func pageText(page int) string {
	if page == 0 {
		return ""
	}
	return strconv.Itoa(page)
}

// reasonText returns the reason of a verdict, with the rule, as printable text.
func reasonText(r *keys.Row) string {
	if r.Rule != nil {
		return r.Rule.ID + ": " + layout.Printable(r.Reason)
	}
	return layout.Printable(r.Reason)
}

// keyJSON writes each member by hand, because encoding/json takes ten times as long for a million rows.
func keyJSON(d *jsondoc.Document, _ int, r *keys.Row) error {
	b := append(append(append(d.AvailableBuffer(), `{"tree":"`...), r.Tree.String()...), `","key":`...)
	start := len(b)
	b = r.Key.AppendJSON(b)
	key := b[start:]
	b = append(b, `,"expected":`...)
	switch r.Expected {
	case "":
		b = append(b, "null"...)
	case r.Key:
		b = append(b, key...)
	default:
		b = r.Expected.AppendJSON(b)
	}
	b = append(append(append(b, `,"verdict":"`...), r.Verdict.String()...), '"')
	if r.Rule != nil {
		b = append(append(append(b, `,"rule":"`...), r.Rule.ID...), '"')
	}
	d.Write(b)
	if r.Reason != "" {
		d.Text(`,"reason":`)
		d.Value(rule.Text(r.Reason))
	}
	b = d.AvailableBuffer()
	if r.Page != 0 {
		b = strconv.AppendInt(append(b, `,"page":`...), int64(r.Page), 10)
	}
	if r.Set.Num != 0 {
		b = strconv.AppendUint(append(b, `,"contentSet":{"num":`...), uint64(r.Set.Num), 10)
		b = append(strconv.AppendUint(append(b, `,"gen":`...), uint64(r.Set.Gen), 10), '}')
	}
	if r.URL != "" {
		b = r.URL.AppendJSON(append(b, `,"url":`...))
	}
	d.Write(append(b, '}'))
	return nil
}

var keyHeader = []string{"path", "sha256", "outcome", "tree", "key", "expected", "verdict", "rule", "reason", "page",
	"content_set", "url"}

func keyCSV(d *jsondoc.Document, _ int, r *keys.Row) error {
	ruleID := ""
	if r.Rule != nil {
		ruleID = r.Rule.ID
	}
	writeCells(d, []string{r.Tree.String(), r.Key.String(), keyOrNone(r.Expected), r.Verdict.String(), ruleID, r.Reason,
		pageText(r.Page), refText(r.Set), keyOrNone(r.URL)})
	return nil
}

func keyOrNone(k nametree.Key) string {
	if k == "" {
		return ""
	}
	return k.String()
}

// refText returns a reference as text; empty for number 0.
func refText(r object.Ref) string {
	if r.Num == 0 {
		return ""
	}
	return r.String()
}

const (
	maxThumbnail  = 64 << 10 // bytes of an image on a page
	maxThumbnails = 8 << 20  // bytes of all images on a page
)

// html appends a row of a page. It encodes only as many rows as a page has.
func (w *KeyWriter) html(d *jsondoc.Document, n int, r *keys.Row) error {
	if n >= maxPageRows {
		return nil
	}
	row := struct {
		Tree, Verdict, Class, Key, URL, Expected, Reason string
		Page                                             int
		Image                                            template.URL // empty if there is none, or no room for it
	}{Tree: r.Tree.String(), Verdict: r.Verdict.String(), Key: r.Key.String(), URL: keyOrNone(r.URL),
		Reason: reasonText(r), Page: r.Page}
	if r.Verdict == keys.Wrong {
		row.Class, row.Expected = "wrong", keyOrNone(r.Expected)
	}
	if w.images.Load() <= maxThumbnails {
		data, err := r.JPEG(maxThumbnail)
		if err != nil {
			return err
		}
		if data != nil {
			w.images.Add(int64(len(data)))
			row.Image = template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(data))
		}
	}
	return listTemplate().ExecuteTemplate(d, "key", row)
}
