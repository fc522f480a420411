package show

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
	"github.com/webcap-tools/webcap/webcapture/keys"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// A KeyWriter writes the keys of files in one format.
type KeyWriter interface {
	// Rows returns the rows of a file in the format. pay pays for the bytes of a row; after an error of pay, the rest
	// of the rows is left out. Each goroutine may call Rows.
	Rows(list *keys.List, pay func(n int) error) (*KeyRows, error)
	// Add writes a file and its rows.
	Add(*report.Record, *KeyRows) error
	// Close writes the end. Complete reports whether all files were added.
	Close(complete bool) error
}

// KeyRows holds the rows of a file. Those of a large file are in a temporary file.
type KeyRows struct {
	Counts keyCounts
	rows   spool.Spool
}

// Close removes the temporary file.
func (r *KeyRows) Close() { r.rows.Close() }

// keyCounts are the numbers of keys by tree and verdict.
type keyCounts [webcapture.TreeCount][keys.Verdicts]int

// String returns a text such as "9 URLS: 8 right, 1 wrong · 9 IDS: 1 proven, 7 agree, 1 wrong".
func (c keyCounts) String() string {
	var trees []string
	for t, counts := range c {
		n := 0
		var parts []string
		for v := range keys.Verdicts {
			v = keys.Verdicts - 1 - v // the wrong ones last
			if counts[v] > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", counts[v], verdictOf(v, counts[v])))
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

// verdictOf returns a verdict as a verb or adjective for n keys.
func verdictOf(v keys.Verdict, n int) string {
	if v == keys.Agrees && n > 1 {
		return "agree"
	}
	return v.String()
}

// KeyFormats are the names of the formats of keys.
func KeyFormats() []string { return []string{"table", "json", "ndjson", "csv", "html", "wayback"} }

// NewKeyWriter returns a writer of a format, or nil if the format is unknown. width is the width of a terminal; 0 means
// that lines are not broken.
func NewKeyWriter(format string, w io.Writer, width int, version string) KeyWriter {
	switch format {
	case "table":
		return &keyTable{w: w, sheet: layout.NewSheet(w, width, false), width: width}
	case "json":
		return &keyJSON{d: jsondoc.New(w), version: version}
	case "ndjson":
		return &keyNDJSON{d: jsondoc.New(w)}
	case "csv":
		return &keyCSV{w: bufio.NewWriter(w)}
	case "html":
		return newKeyHTML(w, version)
	case "wayback":
		return &wayback{w: bufio.NewWriter(w), seen: map[string]bool{}}
	}
	return nil
}

// rowsOf collects rows. encode appends a row to a buffer.
func rowsOf(list *keys.List, pay func(n int) error, encode func(*bytes.Buffer, *keys.Row)) (*KeyRows, error) {
	out := &KeyRows{Counts: list.Counts}
	var b bytes.Buffer
	for row, err := range list.Rows() {
		if err == nil {
			b.Reset()
			encode(&b, row)
			_, err = out.rows.Write(b.Bytes())
		}
		if err != nil {
			out.Close()
			return nil, err
		}
		if pay(b.Len()) != nil {
			break
		}
	}
	return out, nil
}

// fileKeysText describes the keys of a file.
func fileKeysText(rec *report.Record, rows *KeyRows) string {
	switch {
	case rec.Report == nil:
		return rec.Reason()
	case !rec.Report.Present && len(rec.Report.Unread) == 0:
		return "no Web Capture content database"
	}
	return rows.Counts.String()
}

// keyTable writes tables for people.
type keyTable struct {
	w     io.Writer
	sheet *layout.Sheet
	width int
	files int
	total keyCounts
}

const keyIndent = "        "

// Rows implements KeyWriter.
func (t *keyTable) Rows(list *keys.List, pay func(n int) error) (*KeyRows, error) {
	var b bytes.Buffer
	sheet := layout.NewSheet(&b, t.width, false)
	head := func(tree, verdict, page string) string {
		return fmt.Sprintf("  %-*s  %-*s  %-*s", len(webcapture.URLS.String()), tree, len(keys.Unchecked.String()), verdict,
			pageWidth, page)
	}
	var line []byte
	begun := false
	return rowsOf(list, pay, func(to *bytes.Buffer, r *keys.Row) {
		key, text := r.Key.String(), reasonText(r)
		if r.URL != "" {
			key += "  " + r.URL.String()
		}
		line = appendCell(line[:0], "  ", r.Tree.String(), len(webcapture.URLS.String()))
		line = appendCell(line, "  ", r.Verdict.String(), len(keys.Unchecked.String()))
		line = append(appendCell(line, "  ", pageText(r.Page), pageWidth), "  "...)
		if begun && text == "" && (t.width == 0 || len(line)+len(key) <= t.width) { // most rows of a large file
			to.Write(line)
			to.WriteString(key)
			to.WriteByte('\n')
			return
		}
		if !begun {
			sheet.Labeled(head("TREE", "VERDICT", "PAGE"), "KEY, AND THE URL OF AN ID")
			begun = true
		}
		sheet.Labeled(strings.TrimSuffix(string(line), "  "), key)
		if r.Verdict == keys.Wrong && r.Expected != "" {
			sheet.Line(keyIndent, "expected "+r.Expected.String())
		}
		if text != "" {
			sheet.Line(keyIndent, text)
		}
		sheet.Flush() // to b, which takes everything
		b.WriteTo(to)
	})
}

const pageWidth = 4

// appendCell appends a separator, and text padded to a width.
func appendCell(b []byte, before, text string, width int) []byte {
	b = append(append(b, before...), text...)
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

// reasonText returns the reason of a verdict, with the rule.
func reasonText(r *keys.Row) string {
	if r.Rule != nil {
		return r.Rule.ID + ": " + r.Reason
	}
	return r.Reason
}

// Add implements KeyWriter.
func (t *keyTable) Add(rec *report.Record, rows *KeyRows) error {
	if t.files > 0 {
		t.sheet.Text("\n")
	}
	t.files++
	t.sheet.Headline(rec.Path, fileKeysText(rec, rows))
	if err := t.sheet.Flush(); err != nil {
		return err
	}
	if err := rows.rows.CopyTo(t.w); err != nil {
		return err
	}
	if rec.Report != nil {
		for _, line := range phrase.UnreadLines(rec.Report) {
			t.sheet.Line("  ", "missing: "+line)
		}
	}
	t.total.add(rows.Counts)
	return t.sheet.Flush()
}

func (c *keyCounts) add(d keyCounts) {
	for t := range d {
		for v := range d[t] {
			c[t][v] += d[t][v]
		}
	}
}

// Close implements KeyWriter.
func (t *keyTable) Close(complete bool) error {
	if t.files > 1 {
		t.sheet.Text(fmt.Sprintf("\nTotal of %s: %s\n", layout.Count(t.files, "file"), t.total))
	}
	if !complete {
		t.sheet.Text("\nThe list is incomplete: later inputs are missing.\n")
	}
	return t.sheet.Flush()
}

// keysSchema is the name and version of the JSON format of keys.
const keysSchema = "webcap.keys/1"

type (
	jsonKeyFile struct {
		jsondoc.FilePath
		SHA256  string                    `json:"sha256,omitempty"`
		Size    int64                     `json:"size,omitempty"`
		Outcome string                    `json:"outcome"`
		Reason  string                    `json:"reason,omitempty"`
		Counts  map[string]map[string]int `json:"counts"` // by tree and verdict
		Unread  []rule.Unread             `json:"unread"`
	}
	jsonKeyRow struct {
		Tree     string       `json:"tree"`
		Key      jsondoc.Key  `json:"key"`
		Expected *jsondoc.Key `json:"expected"` // null if it is unknown
		Verdict  string       `json:"verdict"`
		Rule     string       `json:"rule,omitempty"`
		Reason   string       `json:"reason,omitempty"`
		Page     int          `json:"page,omitempty"`
		Set      *jsondoc.Ref `json:"contentSet,omitempty"` // absent for a direct object
		URL      *jsondoc.Key `json:"url,omitempty"`        // of IDS: a key of URLS with the same value
	}
)

func jsonKeyRows(list *keys.List, pay func(n int) error) (*KeyRows, error) {
	d := jsondoc.New(nil)
	return rowsOf(list, pay, func(b *bytes.Buffer, r *keys.Row) {
		if r.Expected == r.Key && r.Reason == "" {
			b.Write(appendRightKey(b.AvailableBuffer(), r))
			return
		}
		d.Truncate(0)
		out := jsonKeyRow{Tree: r.Tree.String(), Key: jsondoc.Key(r.Key), Verdict: r.Verdict.String(),
			Reason: jsondoc.Text(r.Reason), Page: r.Page, Set: jsondoc.RefOrNil(r.Set)}
		if r.Expected != "" {
			out.Expected = new(jsondoc.Key(r.Expected))
		}
		if r.URL != "" {
			out.URL = new(jsondoc.Key(r.URL))
		}
		if r.Rule != nil {
			out.Rule = r.Rule.ID
		}
		d.Value(out)
		b.Write(d.Bytes())
		b.WriteByte('\n')
	})
}

// appendRightKey appends the JSON line of a key that is right without a reason. The line is that of jsonKeyRow, which
// takes ten times as long: most of a million rows are of this kind.
func appendRightKey(b []byte, r *keys.Row) []byte {
	b = append(append(append(b, `{"tree":"`...), r.Tree.String()...), `","key":`...)
	start := len(b)
	b = jsondoc.Key(r.Key).AppendJSON(b)
	key := b[start:]
	b = append(append(b, `,"expected":`...), key...)
	b = append(append(append(b, `,"verdict":"`...), r.Verdict.String()...), '"')
	if r.Page != 0 {
		b = strconv.AppendInt(append(b, `,"page":`...), int64(r.Page), 10)
	}
	if r.Set.Num != 0 {
		b = strconv.AppendUint(append(b, `,"contentSet":{"num":`...), uint64(r.Set.Num), 10)
		b = append(strconv.AppendUint(append(b, `,"gen":`...), uint64(r.Set.Gen), 10), '}')
	}
	if r.URL != "" {
		b = jsondoc.Key(r.URL).AppendJSON(append(b, `,"url":`...))
	}
	return append(b, "}\n"...)
}

func keyFileOf(rec *report.Record, rows *KeyRows) jsonKeyFile {
	out := jsonKeyFile{FilePath: jsondoc.FilePathOf(rec.Path), SHA256: rec.SHA256, Size: rec.Size,
		Outcome: rec.Outcome().String(), Reason: jsondoc.Text(rec.Reason()), Unread: []rule.Unread{},
		Counts: map[string]map[string]int{}}
	for t, counts := range rows.Counts {
		byVerdict := map[string]int{}
		for v, n := range counts {
			if n > 0 {
				byVerdict[keys.Verdict(v).String()] = n
			}
		}
		out.Counts[webcapture.TreeName(t).String()] = byVerdict
	}
	if rec.Report != nil {
		out.Unread = append(out.Unread, rec.Report.Unread...)
	}
	return out
}

// lines calls do for each line of the rows, without its end. A line is valid during the call.
func (r *KeyRows) lines(do func(line []byte) error) error {
	in := bufio.NewReaderSize(io.NewSectionReader(&r.rows, 0, r.rows.Len()), spool.InMemory)
	for {
		line, err := in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			var rest []byte
			line = bytes.Clone(line) // the next read overwrites it
			rest, err = in.ReadBytes('\n')
			line = append(line, rest...)
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if err := do(line[:len(line)-1]); err != nil {
			return err
		}
	}
}

// keyJSON writes one JSON document.
type keyJSON struct {
	d       *jsondoc.Document
	version string
	files   int
}

// Rows implements KeyWriter.
func (w *keyJSON) Rows(list *keys.List, pay func(n int) error) (*KeyRows, error) {
	return jsonKeyRows(list, pay)
}

func (w *keyJSON) head() {
	w.d.Open(jsonCaptureHead{keysSchema, jsondoc.ToolOf(w.version)})
	w.d.Text(",\n\"files\":[")
}

// Add implements KeyWriter.
func (w *keyJSON) Add(rec *report.Record, rows *KeyRows) error {
	if w.files == 0 {
		w.head()
	}
	w.d.Element(w.files == 0)
	w.files++
	w.d.Open(keyFileOf(rec, rows))
	w.d.Text(",\"keys\":[")
	first := true
	err := rows.lines(func(line []byte) error {
		w.d.Element(first)
		first = false
		w.d.Write(line)
		return w.d.FlushIfLarge()
	})
	w.d.Text("]}")
	return cmp.Or(err, w.d.FlushIfLarge())
}

// Close implements KeyWriter.
func (w *keyJSON) Close(complete bool) error {
	if w.files == 0 {
		w.head()
	}
	w.d.Text(fmt.Sprintf("\n],\n\"summary\":{\"files\":%d,\"complete\":%t}\n}\n", w.files, complete))
	return w.d.Flush()
}

// keyNDJSON writes a line for each file, and one for each of its keys.
type keyNDJSON struct{ d *jsondoc.Document }

// Rows implements KeyWriter.
func (w *keyNDJSON) Rows(list *keys.List, pay func(n int) error) (*KeyRows, error) {
	return jsonKeyRows(list, pay)
}

// Add implements KeyWriter.
func (w *keyNDJSON) Add(rec *report.Record, rows *KeyRows) error {
	file := keyFileOf(rec, rows)
	w.d.Value(struct {
		Schema string `json:"schema"`
		jsonKeyFile
	}{keysSchema, file})
	w.d.Text("\n")
	id := jsondoc.New(nil)
	id.Open(struct {
		jsondoc.FilePath
		SHA256 string `json:"sha256,omitempty"`
	}{file.FilePath, file.SHA256})
	err := rows.lines(func(line []byte) error {
		w.d.Write(id.Bytes())
		w.d.Text(",")
		w.d.Write(line[1:])
		w.d.Text("\n")
		return w.d.FlushIfLarge()
	})
	return cmp.Or(err, w.d.Flush())
}

// Close implements KeyWriter.
func (w *keyNDJSON) Close(bool) error { return w.d.Flush() }

// keyCSV writes a line for each key. A file without keys also gets a line.
type keyCSV struct {
	w     *bufio.Writer
	begun bool
}

var keyHeader = []string{"path", "sha256", "outcome", "tree", "key", "expected", "verdict", "rule", "reason", "page",
	"content_set", "url"}

// Rows implements KeyWriter.
func (w *keyCSV) Rows(list *keys.List, pay func(n int) error) (*KeyRows, error) {
	return rowsOf(list, pay, func(b *bytes.Buffer, r *keys.Row) {
		ruleID, set := "", ""
		if r.Rule != nil {
			ruleID = r.Rule.ID
		}
		if r.Set != (object.Ref{}) {
			set = r.Set.String()
		}
		writeCells(b, r.Tree.String(), r.Key.String(), keyOrNone(r.Expected), r.Verdict.String(), ruleID, r.Reason,
			pageText(r.Page), set, keyOrNone(r.URL))
	})
}

func keyOrNone(k nametree.Key) string {
	if k == "" {
		return ""
	}
	return k.String()
}

// writeCells writes a line of CSV.
func writeCells(w io.Writer, cells ...string) error {
	for i := range cells {
		cells[i] = layout.Cell(cells[i])
	}
	c := csv.NewWriter(w)
	c.Write(cells)
	c.Flush()
	return c.Error()
}

// Add implements KeyWriter.
func (w *keyCSV) Add(rec *report.Record, rows *KeyRows) error {
	w.begin()
	file := []string{rec.Path, rec.SHA256, rec.Outcome().String()}
	if rows.rows.Len() == 0 {
		writeCells(w.w, append(file, make([]string, len(keyHeader)-len(file))...)...)
	}
	var begin bytes.Buffer
	writeCells(&begin, file...)
	id := append(bytes.TrimSuffix(begin.Bytes(), []byte("\n")), ',')
	err := rows.lines(func(line []byte) error {
		w.w.Write(id)
		w.w.Write(line)
		return w.w.WriteByte('\n')
	})
	return cmp.Or(err, w.w.Flush())
}

func (w *keyCSV) begin() {
	if !w.begun {
		w.begun = true
		writeCells(w.w, keyHeader...)
	}
}

// Close implements KeyWriter.
func (w *keyCSV) Close(bool) error {
	w.begin()
	return w.w.Flush()
}
