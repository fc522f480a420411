package rewrite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/digest/tempfile"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// Target is the destination of a rewritten file, with the options of writing.
type Target struct {
	Path            string   // path of the output; ignored with InPlace
	InPlace         bool     // replace the file itself, and keep FILE.bak
	NoBackup        bool     // keep no FILE.bak
	Full            bool     // write a new file instead of an update
	BreakSignatures bool     // allow changes that invalidate signatures, or that the document forbids
	Keep            []string // files that must not be overwritten; Install adds those of [Options.From]
}

// Errors of Install that callers may want to distinguish.
var (
	ErrForbidden = errors.New("not permitted by the document")
	ErrAppend    = errors.New("an update cannot be appended")
	ErrLost      = webcapture.ErrLost
)

// Install writes the new file, reads it back, and checks that it matches the Plan and that its audit has no new
// findings. Then it renames the file to the target, and returns the audit. After an error the target is unchanged,
// unless the error says otherwise. An error of ctx is returned unchanged. Afterwards the Plan can only be read.
func (p *Plan) Install(ctx context.Context, t Target) (rep *audit.Report, err error) {
	if err := p.Permitted(t); err != nil {
		return nil, err
	}
	file, update := p.rounds.last.file, p.rounds.last.update
	write := update.WriteIncrement
	if t.Full {
		write = update.WriteFull
	} else if err := file.Appendable(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAppend, err)
	}
	t.Keep = slices.Concat(t.Keep, p.opt.From)
	err = install(osFiles{}, p.path, p.read, t,
		func(w io.Writer) error { return write(contextWriter{ctx, w}) },
		func(temp string) (err error) {
			rep, err = p.verify(ctx, temp, t.Full)
			if cause := ctx.Err(); cause != nil {
				return cause
			}
			if err != nil {
				return fmt.Errorf("%s: nothing written: %w", p.Path, err)
			}
			return p.opened.Close() // some systems cannot replace an open file
		})
	if err != nil {
		return nil, err
	}
	return rep, nil
}

// WriteTo writes the new file to w. Like Install, it reads the file back and checks it first, in a temporary file. Path
// and InPlace of the target are ignored. An error of w is returned unchanged. Afterwards the Plan can only be read.
func (p *Plan) WriteTo(ctx context.Context, w io.Writer, t Target) (*audit.Report, error) {
	temp, err := tempfile.Create(func() (*os.File, error) { return os.CreateTemp("", "webcap-*.pdf") })
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	temp.Close()
	remove := sync.OnceFunc(func() { tempfile.Remove(temp.Name()) })
	defer remove()
	t.Path, t.InPlace = temp.Name(), false
	rep, err := p.Install(ctx, t)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(temp.Name())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	remove() // writing to a pipe without a reader may end the program
	if _, err := io.Copy(contextWriter{ctx, w}, f); err != nil {
		return nil, err
	}
	return rep, nil
}

// contextWriter fails when its context is done.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (h contextWriter) Write(b []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	return h.w.Write(b)
}

// Permitted returns an error that wraps ErrForbidden if the document does not permit the change (ISO 32000-2:2020,
// 12.8.2.2 and 12.8.2.3), or if a new file would invalidate a signature. A certification permits at most filling in
// forms and annotating. Usage rights apply only to the unchanged file. Install calls Permitted.
func (p *Plan) Permitted(t Target) error {
	if t.BreakSignatures {
		return nil
	}
	from := p.rounds.last
	o, err := from.file.NewReader().Resolve(from.db.Catalog.Lookup("Perms"))
	if object.IgnoreMalformed(err) != nil {
		return err
	}
	perms, _ := o.Dict()
	switch {
	case err != nil:
		return fmt.Errorf("%w: its permissions cannot be read: %v", ErrForbidden, err)
	case !perms.Lookup("DocMDP").IsNull():
		return fmt.Errorf("%w: it is certified, and the certification does not allow this change", ErrForbidden)
	case !perms.Lookup("UR3").IsNull(), !perms.Lookup("UR").IsNull():
		return fmt.Errorf("%w: it has usage rights, which this change would invalidate",
			ErrForbidden)
	case t.Full && p.Report.Signed():
		return fmt.Errorf("%w: it is signed, and a full copy would invalidate the signature", ErrForbidden)
	}
	return nil
}
