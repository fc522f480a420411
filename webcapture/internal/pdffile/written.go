package pdffile

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Written returns nil if f is the output of WriteIncrement: the bytes of the file, then an update with exactly the
// objects that were put. Then f reads like the Preview, so there is no need to read it again. Otherwise the error
// names the first difference.
//
//	old file │ objects that were put │ newest section ─ Prev ─► section of the old file
//	  equal  │ read, and compared    │ entries compared: new ones lead to what was put,
//	         │                       │ all others are unchanged
func (u *Update) Written(f *File) error {
	if f.Repaired() {
		return errors.New("its cross-reference data is damaged")
	}
	return u.f.guarded(func() error {
		return f.guarded(func() error {
			for _, differs := range []func(*File) error{u.prefix, u.trailer, u.places, u.puts} {
				if err := differs(f); err != nil {
					return err
				}
			}
			return u.f.Intact()
		})
	})
}

// prefix checks that f begins with the bytes of the old file.
func (u *Update) prefix(f *File) error {
	old := u.f.data
	if len(f.data) < len(old) {
		return errors.New("it is shorter than the original")
	}
	for at := 0; at < len(old); at += outputPiece {
		end := min(at+outputPiece, len(old))
		if err := u.f.Err(); err != nil {
			return err
		}
		if !bytes.Equal(f.data[at:end], old[at:end]) {
			return fmt.Errorf("its bytes from %d to %d differ from the original", at, end)
		}
	}
	return nil
}

// trailer compares the trailers, except for entries about the section itself.
func (u *Update) trailer(f *File) error {
	for key, value := range u.f.trailer.All() {
		now := f.trailer.Lookup(string(key))
		switch string(key) {
		case "ID":
			value, now = firstHalf(value), firstHalf(now)
		case "Size", "Prev", "XRefStm", "Type", "W", "Index", "Filter", "Length", "DecodeParms", "DL", "F", "FFilter",
			"FDecodeParms":
			continue
		}
		if !object.Same(value, now) {
			return fmt.Errorf("%s of its trailer differs from the original", key)
		}
	}
	return nil
}

// firstHalf returns the first string of a file's ID, which encryption uses and updates do not change. It returns an
// ID that is not an array unchanged.
func firstHalf(id object.Object) object.Object {
	list, _ := id.Array()
	for half := range list.All() {
		return half
	}
	return id
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
			dict, data, err := u.f.keptData(ref, body)
			if err != nil {
				return err
			}
			now, err := f.streamAt(f.entries[num].at + f.base)
			if err != nil {
				return err
			}
			if !bytes.Equal(now.data, data) {
				return fmt.Errorf("the data of stream %v changed", ref)
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
