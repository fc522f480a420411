package pdffile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Written returns nil if f is the output of WriteIncrement: the same bytes, in which the objects that were put are
// found. Then f reads like the Preview, so there is no need to read it again. Otherwise the error names the first
// difference.
func (u *Update) Written(f *File) error {
	if f.Repaired() {
		return errors.New("its cross-reference data is damaged")
	}
	return f.guarded(func() error {
		c := &comparer{data: f.data}
		if err := u.WriteIncrement(c); err != nil {
			return err
		}
		if c.at < len(f.data) {
			return fmt.Errorf("it has %d bytes more than planned", len(f.data)-c.at)
		}
		return cmp.Or(u.places(f), u.puts(f))
	})
}

// A comparer is a writer that compares what is written with data.
type comparer struct {
	data []byte
	at   int
}

func (c *comparer) Write(b []byte) (int, error) {
	if !bytes.HasPrefix(c.data[c.at:], b) {
		return 0, fmt.Errorf("its bytes from %d to %d differ from those planned", c.at, c.at+len(b))
	}
	c.at += len(b)
	return len(b), nil
}

// places compares the positions of objects. Objects that were put must be in the update, all others at their old
// positions.
func (u *Update) places(f *File) error {
	section, number := entry{at: f.newest, kind: inFile}, int(u.sectionNumber()) // if a stream
	for num := range max(len(f.entries), len(u.f.entries)) {
		now, was := f.entryOf(num), u.f.entryOf(num)
		_, put := u.objects[uint32(num)]
		switch {
		case put && (now.kind != inFile || now.at+f.base < int64(len(u.f.data))):
			return fmt.Errorf("object %d of the update is missing", num)
		case !put && now != was && (now != section || num != number):
			return fmt.Errorf("object %d moved, but is not in the update", num)
		}
	}
	return nil
}

// entryOf returns the entry of object num; the zero entry if num is larger than all numbers.
func (f *File) entryOf(num int) entry {
	if num >= len(f.entries) {
		return entry{}
	}
	return f.entries[num]
}

// puts compares the objects in the update with those that were put.
func (u *Update) puts(f *File) error {
	r := f.NewReader()
	for num, c := range u.objects {
		ref := object.Ref{Num: num, Gen: c.gen}
		body := c.body
		if c.stream {
			dict, _, err := u.f.keptData(ref, body)
			if err != nil {
				return err
			}
			body = append(dict, " stream"...)
		}
		want, _, err := object.Parse(body, 0)
		if err != nil {
			return inObject(err, ref)
		}
		got, err := r.Get(ref)
		if err != nil {
			return err
		}
		if !object.Same(got, want) {
			return fmt.Errorf("object %v differs from the planned object", ref)
		}
	}
	return nil
}
