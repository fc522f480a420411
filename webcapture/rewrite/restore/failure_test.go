package restore

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// spreader copies a file so that most values of dictionaries and elements of arrays are objects of their own.
type spreader struct {
	doc  *webcapturetest.Document
	next int
}

// spread returns a file with the same content as f. Each part of it can be unreadable on its own.
func spread(t *testing.T, f *webcapture.File) []byte {
	t.Helper()
	s := spreader{&webcapturetest.Document{}, 1000}
	r := f.NewReader()
	s.doc.Root = int(f.Catalog().Num)
	for _, ref := range f.Refs() {
		o, err := r.Get(ref)
		if err != nil {
			t.Fatal(err)
		}
		if o.Kind() != object.Stream {
			s.doc.Set(int(ref.Num), s.parts(o))
			continue
		}
		data, err := r.Stream(ref)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(data)
		if err != nil {
			t.Fatal(err)
		}
		s.doc.SetStream(int(ref.Num), s.parts(o), b)
	}
	return s.doc.Bytes(webcapturetest.Layout{})
}

// isDirect reports whether the value of an entry stays a direct object: readers of page trees, name trees, and streams
// expect that.
func isDirect(key string) bool {
	return slices.Contains([]string{"Type", "Subtype", "Kids", "Parent", "Count", "Length", "MediaBox"}, key)
}

// parts returns the text of an object whose parts are references.
func (s *spreader) parts(o object.Object) string {
	if d, ok := o.Dict(); ok {
		text := "<<"
		for k, v := range d.All() {
			switch {
			case isDirect(string(k)):
				text += fmt.Sprintf(" /%s %s", k, v.Append(nil))
			case string(k) == "Names" && v.Kind() == object.Array:
				text += " /Names " + s.add(s.pairs(v))
			default:
				text += fmt.Sprintf(" /%s %s", k, s.part(v))
			}
		}
		return text + " >>"
	}
	if list, ok := o.Array(); ok {
		text := "["
		for e := range list.All() {
			text += " " + s.part(e)
		}
		return text + " ]"
	}
	return string(o.Append(nil))
}

// pairs returns the pairs of a leaf of a name tree. Keys stay direct.
func (s *spreader) pairs(o object.Object) string {
	text, isKey := "[", true
	list, _ := o.Array()
	for e := range list.All() {
		if isKey {
			text += " " + string(e.Append(nil))
		} else if ref, ok := e.Ref(); ok {
			text += fmt.Sprintf(" %v", ref)
		} else {
			text += " " + s.part(e)
		}
		isKey = !isKey
	}
	return text + " ]"
}

// part returns a reference to an object.
func (s *spreader) part(o object.Object) string {
	if ref, ok := o.Ref(); ok {
		return ref.String()
	}
	return s.add(s.parts(o))
}

func (s *spreader) add(text string) string {
	s.next++
	s.doc.Set(s.next, text)
	return fmt.Sprintf("%d 0 R", s.next)
}

// objectHeader is how an object begins.
var objectHeader = regexp.MustCompile(`(?m)^\d+ 0 obj`)

// TestUnreadable: if an object of either file cannot be read, the restoration fails, or does not need the object and
// is the same. Otherwise a failing disk would look like a file without this object.
func TestUnreadable(t *testing.T) {
	names := []string{"no title", "another URL", "null in place of a page", "no zoom", "no count", "keys exchanged",
		"another ID with key and pages", "an integer for one count"}
	scenes := maps.Clone(damagedScenes)
	maps.Copy(scenes, keptScenes)
	if webcapturetest.All() {
		names = slices.Sorted(maps.Keys(scenes))
	}
	failed := 0
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			failed += checkUnreadable(t, [][]byte{spread(t, parsed(t, capture, scenes[name].theirs...)),
				spread(t, parsed(t, capture, scenes[name].ours...))})
		})
	}
	t.Run("images", func(t *testing.T) {
		const annots, shown = "51 0 obj [ 50 0 R ]", "<< /XObject << /I 12 0 R >> >>"
		pairs := []string{annots, "51 0 obj [ 50 0 R << /AP << /N << /On 60 0 R >> >> >> << /AP << /N 61 0 R >> >> ]",
			"10 0 obj", "60 0 obj " + shown + "\n61 0 obj << /Resources " + shown + " >>\n10 0 obj",
			"/Resources << /XObject << /I 12 0 R >> >> /Annots", "/Resources << /Pattern << /P << /PatternType 1 " +
				"/Resources " + shown + " >> >> >> /Annots"}
		failed += checkUnreadable(t, [][]byte{spread(t, parsed(t, capture, pairs...)),
			spread(t, parsed(t, capture, append(pairs, "/T (title)", "/T (other)")...))})
	})
	t.Run("nothing", func(t *testing.T) {
		data := spread(t, parsed(t, capture, withPZ("[ 2 ]")...))
		failed += checkUnreadable(t, [][]byte{data, bytes.Clone(data)})
	})
	t.Run("everything", func(t *testing.T) {
		failed += checkUnreadable(t, [][]byte{spread(t, parsed(t, capture)), spread(t, parsed(t, bare))})
	})
	if failed < 40*len(names) {
		t.Errorf("only %d restorations failed", failed)
	}
}

// checkUnreadable checks a pair of files, and returns the number of failed restorations.
func checkUnreadable(t *testing.T, files [][]byte) (failed int) {
	t.Helper()
	want, err := outcomeOf(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range files {
		for _, at := range objectHeader.FindAllIndex(data, -1) {
			header := data[at[0]:at[1]]
			whole := bytes.Clone(header)
			copy(header[len(header)-3:], "???")
			got, err := outcomeOf(files)
			copy(header, whole)
			switch {
			case webcapture.IsDamage(err):
				failed++
			case err != nil:
				t.Errorf("without %s the error is %v", whole, err)
			case got != want && got != "":
				t.Errorf("without %s:\n%s\nwant\n%s", whole, got, want)
			}
		}
	}
	return failed
}

// outcomeOf returns what From says about an original and a file; empty if one of them had to be repaired.
func outcomeOf(files [][]byte) (string, error) {
	var open []*webcapture.File
	for _, data := range files {
		f, err := webcapture.New(context.Background(), data, webcapture.Options{})
		if err != nil || f.WithoutXRef() {
			return "", nil
		}
		open = append(open, f)
	}
	db, err := open[1].Database()
	if err != nil {
		return "", err
	}
	in := inputs(open[0], open[1], db)
	c, err := From(in)
	if err != nil {
		return "", err
	}
	r := result{c, in}
	return strings.Join(slices.Concat(r.steps(), r.outcome(), r.destinations()), "\n"), nil
}
