package show

import (
	"bufio"
	"strings"
	"sync/atomic"

	"github.com/webcap-tools/webcap/webcapture/export"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/keys"
)

// wayback writes the addresses of captures that are not proven, each once, for a program that fetches them.
type wayback struct {
	w    *bufio.Writer
	seen map[string]bool // hashes would take less memory, and could lose an address

	local, undated atomic.Int64 // captures without an address
}

// encode appends the address of a capture.
func (w *wayback) encode(d *jsondoc.Document, o *keys.Original) (part int, err error) {
	switch {
	case export.IsLocal(o.URL):
		w.local.Add(1)
	case o.Address == "":
		w.undated.Add(1)
	default:
		d.Text(o.Address)
	}
	return 0, nil
}

func (w *wayback) add(f *listedFile) error {
	for line, err := range f.rows {
		if err != nil {
			return err
		}
		if w.seen[string(line)] {
			continue
		}
		w.seen[string(line)] = true
		if _, err := w.w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return w.w.Flush()
}

func (w *wayback) end(*listEnd) error { return w.w.Flush() }

// omitted describes the captures without an address; empty if there are none.
func (w *wayback) omitted() string {
	var parts []string
	if n := int(w.local.Load()); n > 0 {
		parts = append(parts, layout.Count(n, "capture")+" of local or private URLs")
	}
	if n := int(w.undated.Load()); n > 0 {
		parts = append(parts, layout.Count(n, "capture")+" without a date")
	}
	return strings.Join(parts, " and ")
}
