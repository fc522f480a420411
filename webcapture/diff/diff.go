// Package diff compares the Web Capture content databases of two files (ISO 32000-2:2020, 14.10) by their meaning. It
// shows what a migration, an optimizer, or a merge lost or changed.
//
//	res, err := diff.Files(ctx, "before.pdf", "after.pdf", webcapture.Options{})
//	…
//	if !res.Whole() { … }             // some part could not be compared: see Unread of A and B
//	for _, c := range res.Changes { … } // every difference, with its place
//
// Most callers need only [Files], and [Result.Same] for a yes or no. [Compare] is for open files.
//
// # How files are compared
//
// Each file states facts: a [Place] in terms that are the same in both files, and a value as text. A content set has
// one hash of all its facts. Both files are compared as sorted lists; only content sets whose hashes differ are read
// again. The difference of two lists of facts is the list of changes. Package match reads pages, images, and values.
//
// The following does not count: object numbers, object streams, compression, encryption, the notation of values, the
// shape of trees, and whether objects are direct or indirect. The following counts:
//
//   - Keys are compared byte for byte. The value of a key is a number of content sets,
//     in no order, and whether a search by Limits finds the key. An empty tree counts
//     as a missing tree.
//   - A content set is identified by S and ID, or by S and its sources if it has no ID
//     of 16 bytes. Two with the same content count as one. Type and the order of
//     sources do not count.
//   - Elements of O are compared by index: pages by what they show, ID, and PZ, images
//     by size, data, and ID. Data in an image format (DCTDecode, JPXDecode,
//     CCITTFaxDecode, JBIG2Decode) are compared as stored, other data without their
//     filters. So an image in another encoding is another image.
//   - The order of the pages in content sets counts, but not pages between them.
//   - Also compared are the IDs of pages in no content set, and the URLs in PA of link
//     annotations.
//
// Each loss is reported once. For example, a lost content set is reported without its keys.
package diff

import (
	"context"
	"fmt"
	"sync"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
)

// Result has the differences of two files. It does not refer to the files.
type Result struct {
	A, B    *audit.Report // without findings; Unread lists the parts that could not be compared
	Changes []Change      // in the order of their places
}

// Same reports whether the files were compared completely and have no differences.
func (r *Result) Same() bool { return len(r.Changes) == 0 && r.Whole() }

// Whole reports whether everything could be compared.
func (r *Result) Whole() bool { return len(r.A.Unread)+len(r.B.Unread) == 0 }

// Present reports whether any of the files has a content database.
func (r *Result) Present() bool { return r.A.Present || r.B.Present }

// FileError is an error of reading one of the two files.
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

// Files compares the PDFs at two paths. If the cross-reference data of a file does not lead to its objects, Files
// repairs the file in memory. The error is a *FileError. It wraps the cause of ctx if ctx is done.
func Files(ctx context.Context, pathA, pathB string, opt webcapture.Options) (*Result, error) {
	paths := [2]string{pathA, pathB}
	var files [2]*webcapture.File
	for side, path := range paths {
		f, err := webcapture.Open(ctx, path, opt)
		if err != nil {
			return nil, &FileError{path, err}
		}
		defer f.Close()
		files[side] = f
	}
	res, side, err := repairing(files)
	if err != nil {
		return nil, &FileError{paths[side], err}
	}
	res.A.Path, res.B.Path = pathA, pathB
	return res, nil
}

// Compare compares two open files. Path of their Reports is empty. If the cross-reference data of a file does not lead
// to its objects, Compare repairs the file (see [webcapture.File.DropXRef]).
func Compare(a, b *webcapture.File) (*Result, error) {
	res, _, err := repairing([2]*webcapture.File{a, b})
	return res, err
}

// repairing compares two files, and repairs them if necessary. It returns an error together with the index of the file
// that the error is about.
func repairing(files [2]*webcapture.File) (*Result, int, error) {
	for {
		res, of, err := compare(files)
		for side, f := range files {
			if cut := f.Intact(); cut != nil {
				return nil, side, cut
			}
		}
		if !webcapture.IsDamage(err) || files[of].WithoutXRef() {
			return res, of, err
		}
		if err := files[of].DropXRef(err); err != nil {
			return nil, of, err
		}
	}
}

// compare reads two files concurrently and compares them. It returns an error together with the index of the file that
// the error is about.
func compare(files [2]*webcapture.File) (*Result, int, error) {
	var c comparison
	var panicked any
	var wg sync.WaitGroup
	wg.Go(func() {
		defer func() { panicked = recover() }() // the caller's goroutine panics instead
		c.of[1] = readDocument(files[1])
	})
	c.of[0] = readDocument(files[0])
	wg.Wait()
	if panicked != nil {
		panic(panicked)
	}
	if !c.failed() {
		c.run()
	}
	for side, d := range c.of {
		if d.err == nil {
			d.err = files[side].Meter().Over()
		}
		if d.err != nil {
			return nil, side, d.err
		}
	}
	return c.result(), 0, nil
}
