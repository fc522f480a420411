package command

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) list() *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "show what the content database of a PDF file holds",
		UsageText: "webcap list [OPTIONS] FILE",
		Description: `The entries of both name trees as they are stored, and the content sets that
they lead to. Keys are shown as (text), or as <hexadecimal> if they hold
anything but printable ASCII. FILE may be - for standard input.

  webcap list site.pdf
  webcap list site.pdf --format json > site.json`,
		Flags:  append([]cli.Flag{formatFlag()}, passwordFlags()...),
		Action: p.runList,
	}
}

func (p *program) runList(c *cli.Context) error {
	if c.NArg() != 1 {
		return usagef("list", "name one file")
	}
	asJSON, err := isJSON(c)
	if err != nil {
		return err
	}
	pass, err := password(c)
	if err != nil {
		return err
	}
	l := &lister{ctx: c.Context, path: c.Args().First(), w: report.NewListTable(p.stdout)}
	if asJSON {
		l.w = report.NewListJSON(p.stdout)
	}
	open := p.opener(l.path)
	err = l.list(open, webcapture.Options{Password: pass})
	if webcapture.IsDamage(err) {
		err = l.list(open, webcapture.Options{Password: pass, Repair: true})
	}
	switch rec := (&report.Record{Path: l.path, Err: err}); {
	case errors.Is(err, errNoDatabase):
		p.say("%s: %v", l.path, err)
		p.code = exitNothing
	case errors.Is(err, errWrite):
		return err
	case err != nil:
		p.say("%s: %s", l.path, unaudited(rec))
		p.code = exitFailed
	case l.unread > 0:
		p.say("%s: %s could not be read", l.path, layout.Count(l.unread, "part"))
		p.code = exitFailed
	}
	return nil
}

var errNoDatabase = errors.New("no Web Capture content database: nothing to list")

// opener returns a function that opens the file at path, more than once.
func (p *program) opener(path string) func(webcapture.Options) (*webcapture.File, error) {
	if path != batch.Stdin {
		return func(o webcapture.Options) (*webcapture.File, error) { return webcapture.Open(path, o) }
	}
	data, err := io.ReadAll(p.stdin)
	return func(o webcapture.Options) (*webcapture.File, error) {
		if err != nil {
			return nil, err
		}
		return webcapture.New(data, o)
	}
}

// A lister writes what a content database holds. It goes over the content sets
// twice: the first time it counts them, and finds out whether the
// cross-reference data leads to them, before anything has been written.
type lister struct {
	ctx    context.Context
	path   string
	w      report.ListWriter
	unread int
}

func (l *lister) list(open func(webcapture.Options) (*webcapture.File, error), opt webcapture.Options) error {
	f, err := open(opt)
	if err != nil {
		return err
	}
	defer f.Close()
	db, err := f.Database()
	if err != nil {
		return err
	}
	if !db.Present() {
		return errNoDatabase
	}
	return f.Guard(func() error {
		rep := &audit.Report{Path: l.path, Facts: f.Facts(db)}
		values := valuesOf(f, db)
		if err := l.sets(f, values, counter{rep}); err != nil {
			return err
		}
		return l.write(f, db, values, rep)
	})
}

func (l *lister) write(f *webcapture.File, db *webcapture.Database, values *values, rep *audit.Report) error {
	if err := l.w.Begin(&report.Listing{Report: rep, Trees: db.Trees(), Version: moduleVersion()}); err != nil {
		return cannotWrite(err)
	}
	for _, t := range db.Trees() {
		for _, e := range t.Entries() {
			if err := l.w.Entry(t, e); err != nil {
				return cannotWrite(err)
			}
		}
	}
	later := &unread{ListWriter: l.w}
	for _, t := range db.Trees() {
		later.parts = append(later.parts, audit.UnreadIn(t)...)
	}
	err := l.sets(f, values, later)
	for _, u := range later.parts {
		if err := l.w.Unread(u); err != nil {
			return cannotWrite(err)
		}
	}
	l.unread = len(later.parts)
	if err := l.w.Close(err == nil); err != nil {
		return cannotWrite(err)
	}
	return err
}

// A setWriter is given what the values of entries lead to.
type setWriter interface {
	Set(*report.ListedSet) error
	Unread(audit.Unread) error
}

// A counter counts content sets.
type counter struct{ rep *audit.Report }

func (c counter) Set(s *report.ListedSet) error {
	if s.Set == nil || !s.Set.Recognized() {
		return nil
	}
	switch s.Set.Subtype {
	case webcapture.PageSet:
		c.rep.PageSets++
	case webcapture.ImageSet:
		c.rep.ImageSets++
	default:
		c.rep.OtherSets++
	}
	return nil
}

func (c counter) Unread(audit.Unread) error { return nil }

// An unread keeps for the end what could not be read.
type unread struct {
	report.ListWriter
	parts []audit.Unread
}

func (u *unread) Unread(part audit.Unread) error {
	u.parts = append(u.parts, part)
	return nil
}

// values are what the entries of both trees lead to, each object with a number
// once, in the order of the file.
type values struct {
	refs   []object.Ref
	direct []object.Object // what stands in entries themselves
	places []audit.Place   // of direct
}

func valuesOf(f *webcapture.File, db *webcapture.Database) *values {
	v := &values{}
	for _, t := range db.Trees() {
		for _, e := range t.Entries() {
			if ref, ok := e.Value.Ref(); ok {
				v.refs = append(v.refs, ref)
				continue
			}
			v.direct = append(v.direct, e.Value)
			v.places = append(v.places, audit.PlaceOf(t, e))
		}
	}
	slices.SortFunc(v.refs, func(a, b object.Ref) int {
		return cmp.Or(cmp.Compare(f.Position(a), f.Position(b)), a.Compare(b))
	})
	v.refs = slices.Compact(v.refs)
	return v
}

// sets gives w each content set and array that the values lead to.
func (l *lister) sets(f *webcapture.File, values *values, w setWriter) error {
	v := visitor{r: f.NewReader(), w: w, seen: make(map[object.Ref]bool, len(values.refs))}
	for _, ref := range values.refs {
		if l.ctx.Err() != nil {
			return errors.New("interrupted, the list is not complete")
		}
		if err := v.value(object.MakeRef(ref), audit.Place{Set: ref}); err != nil {
			return err
		}
	}
	for i, o := range values.direct {
		if err := v.value(o, values.places[i]); err != nil {
			return err
		}
	}
	return nil
}

// A visitor reads what values lead to, each object with a number once.
type visitor struct {
	r    *webcapture.Reader
	w    setWriter
	seen map[object.Ref]bool
	set  webcapture.ContentSet
}

// value visits a value: a content set, or an array of them.
func (v *visitor) value(o object.Object, at audit.Place) error {
	resolved, err := v.r.Resolve(o)
	if err != nil {
		return v.couldNotRead(at, err)
	}
	list, ok := resolved.Array()
	if !ok {
		return v.one(o, at)
	}
	ref, _ := o.Ref()
	elements := slices.Collect(list.All())
	if err := v.w.Set(&report.ListedSet{Ref: ref, Elements: elements}); err != nil {
		return cannotWrite(err)
	}
	for _, e := range elements {
		if err := v.one(e, at); err != nil {
			return err
		}
	}
	return nil
}

// one visits what should be a content set.
func (v *visitor) one(o object.Object, at audit.Place) error {
	ref, ok := o.Ref()
	if ok {
		if v.seen[ref] {
			return nil
		}
		v.seen[ref] = true
		at.Set = ref
	}
	if err := v.r.Read(o, &v.set); err != nil {
		return v.couldNotRead(at, err)
	}
	if err := v.w.Set(&report.ListedSet{Ref: ref, Set: &v.set}); err != nil {
		return cannotWrite(err)
	}
	return nil
}

// couldNotRead passes on err as a part of the file; it returns err if it is
// not a matter of the file alone.
func (v *visitor) couldNotRead(at audit.Place, err error) error {
	if !object.IsMalformed(err) {
		return err
	}
	return v.w.Unread(audit.Unread{Place: at, Err: err})
}
