// Package webcapturetest writes whole PDF files for tests and benchmarks.
//
// Most tests take a [Document] from one of these, and its [Document.Bytes]:
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
// The package shares no code with those that read PDF files, so that tests can compare them. Its output
// depends only on its arguments: the same call gives the same bytes, encryption included.
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
	// Root and Info are the numbers of the catalog and of the information
	// dictionary; an Info of 0 means none.
	Root, Info int

	// Trailer holds further entries of the trailer, such as "/Private (x)". A repeated entry is written twice.
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

// Add adds body as an object with the next unused number, and returns that number.
func (d *Document) Add(body string) int {
	n := d.Reserve()
	d.Set(n, body)
	return n
}

// AddStream adds a stream and returns its number. The dictionary may be given with or without its << >>. The data
// are written verbatim, so the caller applies the filters of the dictionary. A missing Length is added.
func (d *Document) AddStream(dict string, data []byte) int {
	n := d.Reserve()
	d.SetStream(n, dict, data)
	return n
}

// Reserve returns the next unused object number, for references to an object that is set later. Numbers start at 1.
// A number that is never set becomes free.
func (d *Document) Reserve() int {
	d.next++
	return d.next
}

// Set sets an object in the current revision. Its text in earlier revisions stays in the file. Its generation does
// not change; it is 0, unless Parse has read another.
func (d *Document) Set(num int, body string) { d.set(num, object{body: body}) }

// SetStream is Set for a stream, with the arguments of AddStream.
func (d *Document) SetStream(num int, dict string, data []byte) {
	d.set(num, object{body: unwrap(dict), data: data, stream: true})
}

// Free marks the object as deleted in the current revision.
func (d *Document) Free(num int) { d.set(num, object{free: true}) }

// Update ends the current revision. Later changes are written as an incremental update (ISO 32000-2:2020, 7.5.6)
// that refers to the previous revision through Prev. Root, Info, and Trailer may differ between revisions.
func (d *Document) Update() {
	d.done = append(d.done, d.revision())
	d.objects = nil
}

// Body returns the newest text of an object, for a stream the entries of its dictionary, and "" if there is none.
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
