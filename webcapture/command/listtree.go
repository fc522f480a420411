package command

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
)

// runTree lists the name trees and content sets of one file.
func (p *program) runTree(c *cli.Context) error {
	if c.NArg() != 1 {
		return usagef("list", "--tree needs one file")
	}
	if err := removedStores("list", c.Args().First()); err != nil {
		return err
	}
	asJSON, err := isJSON(c)
	if err != nil {
		return err
	}
	passwords, err := p.passwords(c, c.Args().First())
	if err != nil {
		return err
	}
	l := &lister{path: c.Args().First()}
	l.write = func(list *show.List) error { return show.WriteList(p.stdout, list, p.width) }
	if asJSON {
		l.write = func(list *show.List) error { return show.WriteListJSON(p.stdout, list) }
	}
	defer p.working("reading %s", l.path)()
	f, done, err := p.openFile(c.Context, l.path, webcapture.Options{Passwords: passwords})
	if err == nil {
		defer done()
		err = f.RetryWithoutXRef(func() error { return l.list(c.Context, f) })
	}
	p.seek(err == nil)
	switch {
	case errors.Is(err, errNoDatabase):
		p.say("%s: %v", l.path, err)
	case errors.Is(err, errInterrupted):
		return p.interruption()
	case errors.Is(err, errWrite):
		return err
	case err != nil:
		p.fail(l.path, err)
	default:
		p.unread(l.path, "read", l.unread)
	}
	return nil
}

var errNoDatabase = errors.New("no Web Capture content database: nothing to list")

// openFile opens the PDF at a path: a file, a member of an archive, or standard input.
func (p *program) openFile(ctx context.Context, path string, o webcapture.Options) (f *webcapture.File, done func(),
	err error) {
	return batch.Open(ctx, path, batch.PathOptions{Stdin: infile.Interruptible(ctx, p.stdin)}, o)
}

// lister writes the contents of a content database. It reads the contents twice. The first pass writes nothing: it
// counts content sets, and checks that the cross-reference data leads to them.
type lister struct {
	path   string
	write  func(*show.List) error
	unread []rule.Unread // written at the end
}

func (l *lister) list(ctx context.Context, f *webcapture.File) error {
	db, err := f.Database()
	if err != nil {
		return err
	}
	l.unread = rule.UnreadOf(f, db)
	switch {
	case !db.Present() && len(l.unread) > 0:
		return l.unread[0].Err // the database may be in the unread part
	case !db.Present():
		return errNoDatabase
	}
	contents := f.Contents(db)
	rep := &audit.Report{Path: l.path, Facts: f.Facts(db)}
	counted := []rule.Unread{} // the second pass adds them to l.unread
	err = eachContent(ctx, f, contents, &counted, func(c *webcapture.Content) error {
		if c.Set != nil && c.Set.Recognized() {
			rep.CountSets(c.Set.Subtype, 1)
		}
		return nil
	})
	if err != nil {
		return err
	}
	list := &show.List{Report: rep, Version: moduleVersion()}
	for _, t := range db.Trees() {
		list.Trees = append(list.Trees, t)
		l.unread = append(l.unread, rule.UnreadIn(t)...)
	}
	list.Sets = func(yield func(*webcapture.Content) bool) {
		err = eachContent(ctx, f, contents, &l.unread, func(c *webcapture.Content) error {
			if !yield(c) {
				return errStopped
			}
			return nil
		})
		list.Unread, list.Complete = l.unread, err == nil
	}
	if err := l.write(list); err != nil {
		return cannotWrite(err)
	}
	return err
}

// errStopped means that writing failed, so reading the list can stop.
var errStopped = errors.New("the reader of the list has stopped")

// eachContent calls do for each of the contents, and adds unreadable parts to unread. It stops when the file exceeds
// its meter.
func eachContent(ctx context.Context, f *webcapture.File, contents *webcapture.Contents, unread *[]rule.Unread,
	do func(*webcapture.Content) error) error {
	for c, err := range contents.All(f.NewReader()) {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			err = rule.NoteUnread(unread, rule.PlaceOfContent(c), err)
		default:
			err = do(c)
		}
		if err != nil {
			return rule.NoteOver(unread, err)
		}
	}
	return nil
}
