package rewrite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// A Target says where a rewritten file goes, and how it is written.
type Target struct {
	Path            string   // of the output; not looked at with InPlace
	InPlace         bool     // the file itself is replaced, and kept as FILE.bak
	NoBackup        bool     // it is not kept
	Full            bool     // the file is written anew, instead of with an update after it
	BreakSignatures bool     // also if that makes signatures invalid, or is not permitted
	Keep            []string // files that Path must not be, such as sources; those of [Options.From] are kept anyway
	Salvage         bool     // also if the catalog may be that of an older revision, since the newest is lost
}

// A Result is what Install has written.
type Result struct {
	Report *audit.Report // of the rewritten file
	Lost   []object.Ref  // objects that could not be read, and are not in a file that was written anew
}

// Errors of Install that a caller may want to tell apart.
var (
	ErrForbidden = errors.New("not permitted by the document")
	ErrAppend    = errors.New("an update cannot be appended")
	ErrSalvage   = errors.New("the file is damaged: the catalog may be that of an older revision")
)

// Install writes the rewritten file, reads it again, makes sure that it is what
// the Plan says, of which an audit has found nothing wrong that was not wrong before, and
// only then gives it its name. After an error there is nothing new at the target,
// unless the error says so; an error of ctx comes back as it is. The Plan is of no use afterwards, but for what it says.
func (p *Plan) Install(ctx context.Context, t Target) (*Result, error) {
	if err := p.Permitted(t); err != nil {
		return nil, err
	}
	write := p.update.WriteIncrement
	if t.Full {
		write = p.update.WriteFull
		if p.file.CatalogGuessed() && !t.Salvage {
			return nil, ErrSalvage
		}
	} else if err := p.file.Appendable(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAppend, err)
	}
	unlock, _ := lock(p.at) // see RemoveLeftovers
	defer unlock()
	res := &Result{}
	err := install(osFiles{}, p.at, t.Path, installOptions{InPlace: t.InPlace, NoBackup: t.NoBackup, Keep: slices.Concat(t.Keep, p.opt.From), Read: p.read},
		func(w io.Writer) error { return write(contextWriter{ctx, w}) },
		func(path string) (err error) {
			if res.Report, err = p.verify(path, t.Full); err != nil {
				return fmt.Errorf("%s: nothing is written, as %w", p.Path, err)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			return p.Close() // some systems replace no file that is open
		})
	if err != nil {
		return nil, err
	}
	res.Lost = p.update.Lost()
	return res, nil
}

// A contextWriter fails when its context is done.
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

// ReadFrom leaves the copying of files to the system, where w does.
func (h contextWriter) ReadFrom(r io.Reader) (int64, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	return io.Copy(h.w, r)
}

// Permitted returns an error, ErrForbidden, if the document does not permit the
// change (ISO 32000-2:2020, 12.8.2.2 and 12.8.2.3): a certification permits the
// filling of forms and annotations at most, and usage rights are for the file as it
// was. Install asks for it.
func (p *Plan) Permitted(t Target) error {
	if t.BreakSignatures {
		return nil
	}
	o, err := p.file.NewReader().Resolve(p.db.Catalog.Lookup("Perms"))
	if object.IgnoreMalformed(err) != nil {
		return err
	}
	perms, _ := o.Dict()
	switch {
	case err != nil:
		return fmt.Errorf("%w: what it permits cannot be read: %v", ErrForbidden, err)
	case !perms.Lookup("DocMDP").IsNull():
		return fmt.Errorf("%w: it is certified, and the certification does not allow this change", ErrForbidden)
	case !perms.Lookup("UR3").IsNull(), !perms.Lookup("UR").IsNull():
		return fmt.Errorf("%w: it has usage rights, which any change but those that they grant makes invalid", ErrForbidden)
	case t.Full && p.Report.Signed():
		return fmt.Errorf("%w: it is signed, and writing it anew makes the signature invalid", ErrForbidden)
	}
	return nil
}
