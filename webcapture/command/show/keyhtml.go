package show

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"sync"
	"sync/atomic"

	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
	"github.com/webcap-tools/webcap/webcapture/keys"
	"github.com/webcap-tools/webcap/webcapture/report"
	page "github.com/webcap-tools/webcap/webcapture/report/html"
)

var (
	//go:embed keys.tmpl
	keysPage string
	//go:embed keys.css
	keysStyle string
)

// keysTemplate parses the template once, and only for a page.
var keysTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"count": layout.Count}).Parse(keysPage))
})

const (
	maxKeyRows    = 20_000   // keys on a page; CSV has no such limit
	maxThumbnail  = 64 << 10 // bytes of an image on a page
	maxThumbnails = 8 << 20  // bytes of all images on a page
)

// keyHTML writes a page for browsers. Close writes the whole page, because its first line has the totals of all files.
type keyHTML struct {
	w        io.Writer
	version  string
	sections spool.Spool
	images   atomic.Int64 // bytes of images
	files    int
	shown    int
	left     int
	total    keyCounts
}

func newKeyHTML(w io.Writer, version string) *keyHTML { return &keyHTML{w: w, version: version} }

// keyRow is the data of a row of the page.
type keyRow struct {
	Tree, Verdict, Class, Key, URL, Expected, Reason string
	Page                                             int
	Image                                            template.URL // empty for none
}

// Rows implements KeyWriter.
func (w *keyHTML) Rows(list *keys.List, pay func(n int) error) (*KeyRows, error) {
	var failed error
	n := 0
	rows, err := rowsOf(list, pay, func(b *bytes.Buffer, r *keys.Row) {
		if n++; n > maxKeyRows {
			return
		}
		out := keyRow{Tree: r.Tree.String(), Verdict: r.Verdict.String(), Key: r.Key.String(), Reason: reasonText(r),
			Page: r.Page}
		if r.URL != "" {
			out.URL = r.URL.String()
		}
		if r.Verdict == keys.Wrong {
			out.Class, out.Expected = "wrong", keyOrNone(r.Expected)
		}
		if failed == nil {
			out.Image, failed = w.thumbnail(list, r)
		}
		var line bytes.Buffer
		keysTemplate().ExecuteTemplate(&line, "row", out) // a buffer takes everything
		b.Write(bytes.ReplaceAll(bytes.TrimSpace(line.Bytes()), []byte("\n"), []byte(" ")))
		b.WriteByte('\n')
	})
	if failed != nil {
		return nil, failed
	}
	return rows, err
}

// thumbnail returns the image of a row as a URL; empty if there is none, or no room for it.
func (w *keyHTML) thumbnail(list *keys.List, r *keys.Row) (template.URL, error) {
	if w.images.Load() > maxThumbnails {
		return "", nil
	}
	data, err := list.JPEG(r, maxThumbnail)
	if data == nil {
		return "", err
	}
	w.images.Add(int64(len(data)))
	return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(data)), nil
}

// keySection is a file on the page.
type keySection struct {
	Path, Text string
	Rows, Left int
	Missing    []string
}

// Add stores a file for Close. The error is that of a temporary file.
func (w *keyHTML) Add(rec *report.Record, rows *KeyRows) error {
	w.files++
	w.total.add(rows.Counts)
	n := 0
	for _, counts := range rows.Counts {
		for _, count := range counts {
			n += count
		}
	}
	section := keySection{Path: layout.Printable(rec.Path), Text: fileKeysText(rec, rows),
		Rows: min(n, maxKeyRows-w.shown)}
	section.Left = n - section.Rows
	w.shown += section.Rows
	w.left += section.Left
	if rec.Report != nil {
		section.Missing = phrase.UnreadLines(rec.Report)
	}
	if err := keysTemplate().ExecuteTemplate(&w.sections, "file", section); err != nil {
		return err
	}
	written := 0
	err := rows.lines(func(line []byte) error {
		if written++; written > section.Rows {
			return nil
		}
		_, err := w.sections.Write(append(line, '\n'))
		return err
	})
	if err != nil {
		return err
	}
	return keysTemplate().ExecuteTemplate(&w.sections, "file end", section)
}

// keyOverview is the data of the first part of the page.
type keyOverview struct {
	Policy, Version, Text string
	Style                 template.CSS
	Verdicts              []keys.Verdict
	Left                  int // number of keys that are not shown
	Interrupted           bool
}

// Close writes the page.
func (w *keyHTML) Close(complete bool) error {
	defer w.sections.Close()
	style := page.Style + capturesStyle + keysStyle
	o := keyOverview{Policy: page.Policy(style, capturesScript), Version: w.version, Style: template.CSS(style),
		Text: w.total.String() + " in " + layout.Count(w.files, "file"), Left: w.left, Interrupted: !complete}
	for v := range keys.Verdicts {
		o.Verdicts = append(o.Verdicts, v)
	}
	if err := keysTemplate().ExecuteTemplate(w.w, "begin", o); err != nil {
		return err
	}
	if err := w.sections.CopyTo(w.w); err != nil {
		return err
	}
	if err := keysTemplate().ExecuteTemplate(w.w, "end", o); err != nil {
		return err
	}
	_, err := io.WriteString(w.w, "<script>"+capturesScript+"</script>\n</body>\n</html>\n")
	return err
}
