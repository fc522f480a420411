// Package diff compares the Web Capture content databases of two files (ISO 32000-2:2020, 14.10) by what they mean:
// what a migration, an optimizer or a merge lost or changed.
//
//	res, err := diff.Files(ctx, "before.pdf", "after.pdf", diff.Options{})
//	…
//	if !res.Whole() { … }             // some part could not be compared: see Unread of A and B
//	for _, c := range res.Causes { … }  // damage of a known kind, in a few lines
//	for _, c := range res.Changes { … } // every difference, with its place
//
// Most callers need only [Files], and [Result.Same] for a yes or no. [Compare] is for open files.
//
// # What counts
//
// Object numbers, object streams, compression, encryption, the notation of strings and numbers, the shape of trees,
// and what is direct and what indirect mean nothing. These do:
//
//   - A key is its bytes. What it leads to is a number of content sets, in no
//     order. An empty tree is as good as none.
//   - A content set is known by S and ID. Where several share these, or there is
//     no ID of 16 bytes, it is known by its content. Two sets with the same content
//     are one. Type says nothing that S does not, R of one image may be an
//     integer or an array, and the order of sources means nothing.
//   - A member is known by its place in O. A page there is the same page if it shows
//     the same: operators and operands of its content count, names of resources do not.
//     If it has another place in the page tree, its ID has to be the same, too. A page
//     has moved if its place among the other pages is another. Its PZ counts, and an
//     ID that pages have exchanged.
//   - An image is the same if its size and ID are, and its data where these are stored
//     as they were fetched (DCTDecode, JPXDecode); else its samples, if both have them
//     in one form; others are not compared, which Unread says. The posted data of a command that is a stream do not count.
//   - Of the pages, the IDs that they carry are compared; of link annotations the
//     URLs that they keep in PA, wherever they stand; of named destinations those
//     that links lead to and that were made with the ID of a set (14.10.3.4).
//   - A key that a viewer finds in one file and not in the other is a difference,
//     though it is there in both.
//
// One loss is reported once: a set that is lost without the keys and pages that were lost with it.
package diff

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
)

// Options are the options of opening the files. The zero value is a good default.
type Options struct {
	Passwords []string // for encrypted files, tried in this order
}

// A Result has the differences of two files. It keeps nothing of the files.
type Result struct {
	A, B    Summary
	Causes  []Cause  // damage that B has and A has not, in the order of CauseKind, URLS before IDS
	Changes []Change // in the order of their places
}

// A Summary counts what one of the files holds.
type Summary struct {
	*audit.Report // without findings; Unread is what could not be compared

	Pages    int // in the page tree
	Tagged   int // pages with an ID
	Retained int // links that keep a URL in PA
	Named    int // links to named destinations that were made with the ID of a set of either file
	Found    int // of these, links that lead somewhere
}

// Same reports whether the files were compared completely, and mean the same.
func (r *Result) Same() bool { return len(r.Changes) == 0 && r.Whole() }

// Whole reports whether everything could be compared.
func (r *Result) Whole() bool { return len(r.A.Unread)+len(r.B.Unread) == 0 }

// Present reports whether any of the files has a content database.
func (r *Result) Present() bool { return r.A.Present || r.B.Present }

// A FileError names the one of two files that could not be read.
type FileError struct {
	Path string
	Err  error
}

// Error returns path and reason.
func (e *FileError) Error() string {
	return fmt.Sprintf("%s: %v", e.Path, oserror.ReasonOf(e.Err, e.Path))
}

// Unwrap returns the reason.
func (e *FileError) Unwrap() error { return e.Err }

// Files compares the PDFs at two paths. If the cross-reference data of a file does not lead to its objects, the
// file is repaired in memory. The error is a *FileError; its reason is the cause of ctx if that is done.
func Files(ctx context.Context, pathA, pathB string, opt Options) (*Result, error) {
	a, err := open(ctx, pathA, opt)
	if err != nil {
		return nil, err
	}
	defer a.file.Close()
	b, err := open(ctx, pathB, opt)
	if err != nil {
		return nil, err
	}
	defer b.file.Close()
	res, of, err := repairing(a, b)
	if err != nil {
		return nil, &FileError{of.path, err}
	}
	return res, nil
}

// Compare compares two open files; Path of their Reports is empty. A file whose
// cross-reference data turns out not to lead to its objects is repaired (see
// [webcapture.File.Repair]).
func Compare(a, b *webcapture.File) (*Result, error) {
	res, _, err := repairing(&input{file: a}, &input{file: b})
	return res, err
}

// repairing compares two files, and repairs them when that turns out to be needed.
// With an error comes the file that it is about.
func repairing(a, b *input) (*Result, *input, error) {
	for {
		res, of, err := compare(a, b)
		for _, in := range []*input{a, b} {
			if cut := in.file.Intact(); cut != nil {
				return nil, in, cut
			}
		}
		if !webcapture.IsDamage(err) || of.file.Repaired() {
			return res, of, err
		}
		if err := of.file.Repair(err); err != nil {
			return nil, of, err
		}
	}
}

// An input is a file to compare.
type input struct {
	path string
	file *webcapture.File
}

func open(ctx context.Context, path string, opt Options) (*input, error) {
	f, err := webcapture.Open(ctx, path, webcapture.Options{Passwords: opt.Passwords})
	if err != nil {
		return nil, &FileError{path, err}
	}
	return &input{path, f}, nil
}

// compare compares two files, which it reads side by side. With an error comes
// the file that it is about.
func compare(a, b *input) (*Result, *input, error) {
	var ca, cb *content
	var errB error
	var panicked any
	var wg sync.WaitGroup
	wg.Go(func() {
		defer func() { panicked = recover() }() // a panic is the caller's
		cb, errB = b.read()
	})
	ca, errA := a.read()
	wg.Wait()
	switch {
	case panicked != nil:
		panic(panicked)
	case errA != nil:
		return nil, a, errA
	case errB != nil:
		return nil, b, errB
	}
	c := &comparison{of: [2]*content{ca, cb}}
	err := c.run()
	switch e, isContent := errors.AsType[*contentError](err); {
	case err == nil, errors.Is(err, errBudget):
	case isContent && e.of == ca:
		return nil, a, e.err
	case isContent:
		return nil, b, e.err
	default:
		return nil, a, err
	}
	return c.result(), nil, nil
}

// read reads the file's content.
func (in *input) read() (c *content, err error) {
	db, err := in.file.Database()
	if err != nil {
		return nil, err
	}
	c = newContent(in.file, db)
	if err := c.read(); err != nil && err != errBudget {
		return nil, err
	}
	c.report.Path = in.path
	c.report.Unread = rule.GatherUnread(c.report.Unread)
	return c, nil
}
