// Package webcapturetest writes whole PDF files for tests and benchmarks.
//
// Most tests create a [Document] with one of these functions, and use its [Document.Bytes]:
//
//   - [Parse] reads it from the text of a test fixture, which may contain
//     any errors;
//   - [Sets] makes one with a content database of any size, which follows the
//     standard;
//   - [Site] makes one whose pages look as if captured from given resources.
//
// [WriteSets] is for benchmarks: it writes a database of millions of content sets without keeping it in memory.
//
// A Document holds objects as text. A [Layout] determines their form in a file: cross-reference table or stream, object
// streams, encryption, and the irregularities that real files have. The zero Layout is enough for most tests.
//
// The package shares no code with the packages that read PDF files, so that tests can compare the two. Its output
// depends only on its arguments: the same call gives the same bytes, even with encryption.
package webcapturetest

import (
	"regexp"
	"slices"
	"strings"
)

// A Document holds numbered PDF objects, written as text, in one or more revisions. The zero value is an empty
// document.
//
// A Document does not check whether objects are well formed, because many tests need malformed ones.
type Document struct {
	// Root and Info are the object numbers of the catalog and of the information dictionary. If Info is 0, there is
	// no information dictionary.
	Root, Info int

	// Trailer holds further entries of the trailer, such as "/Private (x)". A repeated entry is written twice.
	Trailer string

	objects map[int]object // objects of the current revision
	next    int            // highest number in use
	done    []revision
}

type object struct {
	gen    int
	body   string // for a stream, its dictionary
	data   []byte
	stream bool
	free   bool
}

type revision struct {
	objects    map[int]object
	root, info int
	trailer    string
}

// Add adds body as an object with the next unused number, and returns that number.
func (d *Document) Add(body string) int {
	n := d.Reserve()
	d.Set(n, body)
	return n
}

// AddStream adds a stream and returns its number. dict may include << >> or not. The data are written verbatim, so
// the caller must apply the filters in dict. A missing Length is added.
func (d *Document) AddStream(dict string, data []byte) int {
	n := d.Reserve()
	d.SetStream(n, dict, data)
	return n
}

// Reserve returns the next unused object number, for an object that is set later. Numbers start at 1. If the object
// is never set, its number is free in the file.
func (d *Document) Reserve() int {
	d.next++
	return d.next
}

// Set sets an object in the current revision. The object's text in earlier revisions stays in the file. The object
// keeps its generation, which is 0 unless Parse read another.
func (d *Document) Set(num int, body string) { d.set(num, object{body: body}) }

// SetStream sets a stream in the current revision. The arguments are those of AddStream.
func (d *Document) SetStream(num int, dict string, data []byte) {
	d.set(num, object{body: unwrap(dict), data: data, stream: true})
}

// Free marks the object as deleted in the current revision.
func (d *Document) Free(num int) { d.set(num, object{free: true}) }

// Update ends the current revision. Later changes become an incremental update (ISO 32000-2:2020, 7.5.6), which
// refers to this revision through Prev. Root, Info, and Trailer may differ between revisions.
func (d *Document) Update() {
	d.done = append(d.done, d.revision())
	d.objects = nil
}

// Body returns the newest text of an object. For a stream, it returns the entries of the dictionary; for a missing
// object, "".
func (d *Document) Body(num int) string {
	return d.newest(num).body
}

func (d *Document) newest(num int) object {
	if o, ok := d.objects[num]; ok {
		return o
	}
	for _, r := range slices.Backward(d.done) {
		if o, ok := r.objects[num]; ok {
			return o
		}
	}
	return object{}
}

func (d *Document) set(num int, o object) {
	if d.objects == nil {
		d.objects = make(map[int]object)
	}
	o.gen = d.newest(num).gen
	d.objects[num] = o
	d.next = max(d.next, num)
}

func (d *Document) revision() revision {
	return revision{d.objects, d.Root, d.Info, d.Trailer}
}

var lengthKey = regexp.MustCompile(`/Length\b`)

// isPage reports whether the object is a page or a node of the page tree. Readers without object streams must find
// these objects.
func isPage(body string) bool {
	squeezed := strings.ReplaceAll(strings.Join(strings.Fields(body), ""), "/Type/Pages", "/Type/Page")
	i := strings.Index(squeezed, "/Type/Page")
	if i < 0 {
		return false
	}
	rest := squeezed[i+len("/Type/Page"):]
	return rest == "" || strings.ContainsAny(rest[:1], "/<>[]()%")
}

// isLeaf reports whether the object is a page. It is false for a node of the page tree.
func isLeaf(o object) bool {
	return !o.stream && isPage(o.body) && !strings.Contains(o.body, "/Kids")
}
