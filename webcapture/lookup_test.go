package webcapture_test

import (
	"context"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Damage on the way to a tree is an error, and not a missing key.
func TestLookupFailsWithTheFile(t *testing.T) {
	d, err := webcapturetest.Parse("names: 5 0 R\n5 0 obj << /URLS 6 0 R >>\n6 0 obj << /Names [ (b) 7 0 R ] >>\n7 0 obj null\n")
	if err != nil {
		t.Fatal(err)
	}
	data := string(d.Bytes(webcapturetest.Layout{}))
	for _, header := range []string{"\n5 0 obj", "\n6 0 obj"} {
		t.Run(header[1:], func(t *testing.T) {
			f, err := webcapture.New(context.Background(), []byte(strings.Replace(data, header, "\n9 0 obj", 1)),
				webcapture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if value, ok, err := f.NewReader().Lookup(webcapture.URLS, "b"); !webcapture.IsDamage(err) || ok {
				t.Errorf("%v, %t, %v, want damage", value, ok, err)
			}
		})
	}
}

// Lookup finds the value of a key in either tree, and nothing if the catalog has no such tree.
func TestLookup(t *testing.T) {
	for names, want := range map[string]string{
		"<< /URLS << /Names [ (a) 6 0 R (b) 7 0 R ] >> >>": "7 0 R",
		"<< /URLS 5 0 R >>":                     "8 0 R",
		"<< /IDS << /Names [ (b) 6 0 R ] >> >>": "",
		"10 0 R":                                "9 0 R",
		"11 0 R":                                "",
		"[ ]":                                   "",
	} {
		t.Run(names, func(t *testing.T) {
			r := open(t, "names: "+names+"\n5 0 obj << /Names [ (b) 8 0 R ] >>\n10 0 obj << /URLS << /Names [ (b) 9 0 R ] >> >>\n"+
				"11 0 obj << /URLS ( >>\n", webcapturetest.Layout{}).NewReader()
			value, ok, err := r.Lookup(webcapture.URLS, "b")
			got := ""
			if ref, isRef := value.Ref(); isRef {
				got = ref.String()
			}
			if got != want || ok != (want != "") || err != nil {
				t.Errorf("%v, %t, %v, want %q", value, ok, err, want)
			}
		})
	}
}
