// Package webcapturetest writes whole PDF files for tests and benchmarks.
//
// Most tests take a [Document] from one of these, and its [Document.Bytes]:
//
//   - [Parse] reads it from the text of a test fixture, so that a test can break
//     what it likes;
//   - [Sets] makes one with a content database of any size, which is right by the
//     standard;
//   - [Site] makes one as if it had been captured from given resources.
//
// [WriteSets] is for benchmarks: it writes a database of millions of content sets
// without holding it.
//
// A Document is objects as text. A [Layout] says how they become a file:
// cross-reference table or stream, object streams, encryption, and the
// irregularities that real files have. The zero Layout will do for most.
//
// The package shares no code with those that read PDF files, so that it can judge
// them. What it writes depends on its arguments alone: the same call gives the
// same bytes, encryption included.
package webcapturetest

import (
	"regexp"
	"slices"
	"strings"
)

// A Document is numbered PDF objects, written as text, in one or more revisions.
// The zero value is an empty document.
//
// Objects are taken as they are: a Document does not look whether an object is
// well formed, since many tests need one that is not.
type Document struct {
	// Root and Info are the numbers of the catalog and of the information
	// dictionary; an Info of 0 means none.
	Root, Info int

	// Trailer holds further entries of the trailer, such as "/Private (x)".
	// An entry that is there twice is found twice in the file.
	Trailer string

	objects map[int]object // of the current revision
	next    int            // the highest number in use
	done    []revision
}

type object struct {
	gen    int
	body   string // of a stream: its dictionary
	data   []byte
	stream bool
	free   bool
}

type revision struct {
	objects    map[int]object
	root, info int
	trailer    string
}

// Add gives body the next unused object number and returns that number.
func (d *Document) Add(body string) int {
	n := d.Reserve()
	d.Set(n, body)
	return n
}

// AddStream adds a stream and returns its number. The dictionary is written
// with or without its << >>; the data are written as they are, so whoever names
// a filter in the dictionary applies it. Length is added to a dictionary that
// has none.
func (d *Document) AddStream(dict string, data []byte) int {
	n := d.Reserve()
	d.SetStream(n, dict, data)
	return n
}

// Reserve returns the next unused object number, for references to an object
// that is set later. Numbers start at 1. A number that is never set is free.
func (d *Document) Reserve() int {
	d.next++
	return d.next
}

// Set makes body the object with the given number in the current revision. What
// the object was in an earlier revision stays in the file. Its generation stays
// too; it is 0, unless Parse has read another.
func (d *Document) Set(num int, body string) { d.set(num, object{body: body}) }

// SetStream is to AddStream as Set is to Add.
func (d *Document) SetStream(num int, dict string, data []byte) {
	d.set(num, object{body: unwrap(dict), data: data, stream: true})
}

// Free marks the object as deleted in the current revision.
func (d *Document) Free(num int) { d.set(num, object{free: true}) }

// Update ends the current revision. What is set, added or freed from now on
// stands in an incremental update (ISO 32000-2:2020, 7.5.6) that refers to the
// revision before through Prev. Root, Info and Trailer may differ between revisions.
func (d *Document) Update() {
	d.done = append(d.done, d.revision())
	d.objects = nil
}

// Body returns the newest text of an object, of a stream the entries of its
// dictionary, and "" if there is none.
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

// isPage reports whether the object is a page or a node of the page tree, which
// readers without object streams must find.
func isPage(body string) bool {
	squeezed := strings.ReplaceAll(strings.Join(strings.Fields(body), ""), "/Type/Pages", "/Type/Page")
	i := strings.Index(squeezed, "/Type/Page")
	if i < 0 {
		return false
	}
	rest := squeezed[i+len("/Type/Page"):]
	return rest == "" || strings.ContainsAny(rest[:1], "/<>[]()%")
}

// isLeaf reports whether the object is a page, not a node of the page tree.
func isLeaf(o object) bool {
	return !o.stream && isPage(o.body) && !strings.Contains(o.body, "/Kids")
}
