package pdffile

import (
	"bytes"
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
		changed, err := u.increment(u.output(c))
		if err != nil {
			return err
		}
		if c.at < len(f.data) {
			return fmt.Errorf("it has %d bytes more than planned", len(f.data)-c.at)
		}
		for num := range uint32(max(len(f.entries), len(u.f.entries))) {
			want, ok := changed[num]
			if !ok {
				want = u.f.entry(num)
			}
			if f.entry(num) != want {
				return fmt.Errorf("object %d is not where it was planned", num)
			}
		}
		return u.puts(f)
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

// puts compares the objects in the update with those that were put.
func (u *Update) puts(f *File) error {
	r := f.NewReader()
	for num, c := range u.objects {
		ref := object.Ref{Num: num, Gen: c.gen}
		want, _, err := u.get(ref)
		if err != nil {
			return err
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
