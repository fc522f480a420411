package command

import (
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

func (p *program) findNames(c *cli.Context, paths []string, asJSON bool) error {
	passwords, err := p.passwords(c, paths...)
	if err != nil {
		return err
	}
	limit, err := timeoutOf(c)
	if err != nil {
		return err
	}
	w := show.NewNamesText(p.stdout, p.width)
	if asJSON {
		w = show.NewNamesJSON(p.stdout, moduleVersion())
	}
	for i, path := range paths {
		if c.Context.Err() != nil {
			break
		}
		end := p.working("file %d of %d: searching %s", i+1, len(paths), path)
		ctx, cancel := within(c.Context, limit)
		s := p.search(ctx, path, passwords, true)
		cancel()
		end()
		p.sayUnread(s.FileNames)
		switch {
		case s.Err != nil || len(s.Names) > 0:
		case s.Total == 0:
			p.say("%s: the file has no names of destinations or fields", path)
		default:
			p.say("%s: %s, none with an identifier", path, layout.Count(s.Total, "name"))
		}
		p.seek(len(s.Names) > 0)
		if err := w.Add(s.FileNames); err != nil {
			return cannotWrite(err)
		}
	}
	interrupted := c.Context.Err() != nil
	if err := w.Close(!interrupted); err != nil {
		return cannotWrite(err)
	}
	if interrupted {
		return errInterrupted
	}
	return nil
}

// sayUnread reports an error or unread parts of a file, and records them in the outcome of the run.
func (p *program) sayUnread(f *show.FileNames) {
	switch {
	case errors.Is(f.Err, show.ErrNoNames):
		p.say("%s: %v", f.Path, f.Err)
		p.seek(false)
	case errors.Is(f.Err, errInterrupted): // reported at the end of the run
	case f.Err != nil:
		p.fail(f.Path, f.Err)
	default:
		p.unread(f.Path, "read", f.Unread)
	}
}

// search holds the unique names of one file, and one content set of each subtype by identifier.
type search struct {
	*show.FileNames
	sets map[digest.ID][]show.NamedSet // empty for an identifier that is only a key of IDS
}

// search reads the content sets of a file. If names is set, it also reads the unique names.
func (p *program) search(ctx context.Context, path string, passwords []string, names bool) (s *search) {
	saveMemory(path)
	f, done, err := p.openFile(ctx, path, webcapture.Options{Passwords: passwords})
	if err == nil {
		defer done()
		err = f.Repairing(func() error {
			s, err = newSearch(ctx, path, f, names)
			return err
		})
	}
	if err != nil {
		return &search{FileNames: &show.FileNames{Path: path, Err: err}}
	}
	s.FileNames.Unread = rule.GatherUnread(s.FileNames.Unread)
	return s
}

func newSearch(ctx context.Context, path string, f *webcapture.File, names bool) (*search, error) {
	s := &search{&show.FileNames{Path: path}, map[digest.ID][]show.NamedSet{}}
	db, err := f.Database()
	if err != nil {
		return s, err
	}
	s.FileNames.Unread = rule.UnreadOf(f, db)
	switch {
	case !db.Present() && len(s.FileNames.Unread) > 0:
		return s, s.FileNames.Unread[0].Err // the database may be in the unread part
	case !db.Present():
		return s, show.ErrNoNames
	}
	for _, t := range db.Trees() {
		s.FileNames.Unread = append(s.FileNames.Unread, rule.UnreadIn(t)...)
	}
	if err := eachContent(ctx, f, f.Contents(db), &s.FileNames.Unread, s.note); err != nil {
		return s, err
	}
	if db.IDS != nil {
		for _, e := range db.IDS.Entries() {
			id, ok := digest.FromBytes([]byte(e.Key))
			if _, has := s.sets[id]; ok && !has {
				s.sets[id] = nil
			}
		}
	}
	if !names {
		return s, nil
	}
	return s, s.names(f, db)
}

// note adds a content set to the sets.
func (s *search) note(c *webcapture.Content) error {
	if c.Set == nil || !c.Set.Recognized() {
		return nil
	}
	id, ok := c.Set.Identifier()
	has := func(n show.NamedSet) bool { return n.Subtype == c.Set.Subtype }
	if ok && !slices.ContainsFunc(s.sets[id], has) {
		s.sets[id] = append(s.sets[id], show.NamedSet{Ref: c.Ref, Subtype: c.Set.Subtype})
	}
	return nil
}

// names collects the unique names of the file.
func (s *search) names(f *webcapture.File, db *webcapture.Database) error {
	parts := [...]string{webcapture.TreeDestination: "Dests", webcapture.OldDestination: "catalog, Dests",
		webcapture.FormField: "AcroForm"}
	for n, err := range f.Names(db) {
		if err != nil {
			if err := object.IgnoreMalformed(err); err != nil {
				return err
			}
			at := rule.Place{Part: parts[n.Kind], Object: n.Ref}
			s.FileNames.Unread = append(s.FileNames.Unread, rule.Unread{Place: at, Ref: n.Ref, Err: err})
			continue
		}
		s.Total++
		if found, ok := s.found(n); ok {
			s.Names = append(s.Names, found)
		}
	}
	return nil
}

// found splits a name. If the partial name of a field has no identifier, found tries the full name, which may have
// the identifier of an ancestor.
func (s *search) found(n webcapture.Name) (f show.FoundName, ok bool) {
	isSet := func(id digest.ID) bool { _, ok := s.sets[id]; return ok }
	f.Of = n
	if n.Kind == webcapture.FormField {
		if f.Match, ok = digest.SplitField(n.Name, isSet); !ok {
			f.Match, ok = digest.SplitField(n.Full, isSet)
			f.InFull = ok
		}
	} else {
		f.Match, ok = digest.Split(n.Name, isSet)
	}
	if ok {
		f.Sets = s.sets[f.Match.ID]
		return f, true
	}
	f.Foreign = true
	var ways []digest.Match
	switch {
	case n.Kind == webcapture.FormField:
		ways = digest.Likeliest(digest.FieldSplits(n.Name))
	case !utf8.ValidString(n.Name): // otherwise, the name is text, not bytes
		ways = digest.Likeliest(digest.Splits(n.Name))
	}
	if len(ways) == 0 || !ways[0].ID.LooksDigested() {
		return f, false
	}
	f.Match = ways[0]
	return f, true
}
