// Package objecttest provides an [object.Source] and [object.Sink] for tests, written as text.
//
//	s := objecttest.New(t, `
//		root: << /Kids [ 4 0 R ] >>
//		4 0 obj << /Limits [ (a) (b) ] /Names [ (a) 8 0 R (b) 9 0 R ] >> endobj
//	`)
//	tree, err := nametree.Read(s, s.Object("root"))
package objecttest

import (
	"bytes"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A Store is an object.Source and object.Sink over objects in memory. The zero value is empty and ready to use.
// Goroutines may call Get concurrently, but no other method.
type Store struct {
	// Fail, if not nil, is the error of all calls of Get after the first After calls. It simulates a failing disk.
	Fail  error
	After int

	text    map[object.Ref][]byte
	objects map[string]object.Object
	gets    atomic.Int64
	next    uint32 // object number of the last result of New
	puts    []object.Ref
}

// New returns the store described by text; see [Parse]. It fails the test if text is invalid.
func New(tb testing.TB, text string) *Store {
	tb.Helper()
	s, err := Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// Parse reads a store from text: a sequence of indirect objects in PDF syntax, "12 0 obj … endobj", and of direct
// objects with a label, "root: << … >>", which [Store.Object] returns. White space and comments may separate them.
// If an object occurs twice, the last one counts.
//
// The text between obj and endobj need not be valid. If it is not an object, it ends at the next endobj, and Get
// returns a *object.Malformed. Parse returns an error only for text outside the objects.
func Parse(text string) (*Store, error) {
	s := &Store{}
	b := []byte(text)
	for p := object.SkipSpace(b, 0); p < len(b); p = object.SkipSpace(b, p) {
		var err error
		if label, q := cutLabel(b, p); label != "" {
			p, err = s.parseLabelled(b, q, label)
		} else {
			p, err = s.parseIndirect(b, p)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// cutLabel returns the label at p and the position after its colon; "" if
// there is none.
func cutLabel(b []byte, p int) (string, int) {
	end := p
	for end < len(b) && object.IsRegular(b[end]) {
		end++
	}
	if end-p < 2 || b[end-1] != ':' {
		return "", p
	}
	return string(b[p : end-1]), end
}

func (s *Store) parseLabelled(b []byte, p int, label string) (int, error) {
	o, end, err := object.Parse(b, p)
	if err != nil {
		return 0, fmt.Errorf("objecttest: %s: %w", label, err)
	}
	if s.objects == nil {
		s.objects = make(map[string]object.Object)
	}
	s.objects[label] = o
	return end, nil
}

func (s *Store) parseIndirect(b []byte, p int) (int, error) {
	const longest = len("4294967295 65535 obj")
	var r object.Ref
	if _, err := fmt.Sscanf(string(b[p:min(p+longest, len(b))]), "%d %d obj", &r.Num, &r.Gen); err != nil {
		return 0, fmt.Errorf("objecttest: offset %d: neither a label nor \"n g obj\"", p)
	}
	body := p + bytes.Index(b[p:], []byte("obj")) + len("obj")
	end := body
	if o, q, err := object.Parse(b, body); err == nil {
		end = q // an "endobj" in a string does not count
		if o.Kind() == object.Stream {
			if i := bytes.Index(b[q:], []byte("endstream")); i >= 0 {
				end = q + i + len("endstream")
			}
		}
	}
	i := bytes.Index(b[end:], []byte("endobj"))
	if i < 0 {
		return 0, fmt.Errorf("objecttest: offset %d: %v has no endobj", p, r)
	}
	s.Set(r, string(b[body:end+i]))
	return end + i + len("endobj"), nil
}

// Set sets the object that r refers to.
func (s *Store) Set(r object.Ref, text string) {
	if s.text == nil {
		s.text = make(map[object.Ref][]byte)
	}
	s.text[r] = []byte(text)
}

// New returns a reference to a new object. The object number is greater than all others.
func (s *Store) New() object.Ref {
	s.next++
	for r := range s.text {
		s.next = max(s.next, r.Num+1)
	}
	return object.Ref{Num: s.next}
}

// Put sets the object that r refers to.
func (s *Store) Put(r object.Ref, body []byte) {
	s.Set(r, string(body))
	s.puts = append(s.puts, r)
}

// Puts returns the references passed to Put, in the order of the calls.
func (s *Store) Puts() []object.Ref { return s.puts }

// Object returns the direct object with this label, or null if there is none.
func (s *Store) Object(label string) object.Object { return s.objects[label] }

// Get returns the object that r refers to, or null if there is none. It returns a *object.Malformed if the text is not
// an object, and the error Fail after the first After calls.
func (s *Store) Get(r object.Ref) (object.Object, error) {
	if n := s.gets.Add(1); s.Fail != nil && n > int64(s.After) {
		return object.Object{}, s.Fail
	}
	text, ok := s.text[r]
	if !ok {
		return object.Object{}, nil
	}
	o, _, err := object.Parse(text, 0)
	if err != nil {
		if m, ok := errors.AsType[*object.Malformed](err); ok {
			m.Ref = r
		}
		return object.Object{}, err
	}
	return o, nil
}

// Gets returns the number of calls of Get.
func (s *Store) Gets() int { return int(s.gets.Load()) }
