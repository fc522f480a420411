package page

import (
	"iter"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/digest"
)

// TestReadingsThatComeToTheSame: only readings are tried that differ for the page, because of the kinds of its
// references and because its files may have references.
func TestReadingsThatComeToTheSame(t *testing.T) {
	sheet := func(data string) finder {
		return func(string) iter.Seq[File] {
			return slices.Values([]File{{ID: digest.ID{1}, MediaType: "text/css",
				Data: func() ([]byte, error) { return []byte(data), nil }}})
		}
	}
	image := func(string) iter.Seq[File] { return slices.Values([]File{{ID: digest.ID{2}, MediaType: "image/gif"}}) }
	for _, c := range []struct {
		name, source string
		find         finder
		want         int
	}{
		{"nothing", "<p>", image, 3},
		{"images", "<img src=a>", image, 4},
		{"an icon, which is under everything alone", "<link rel=icon href=a>", image, 6},
		{"a style sheet that is not found", "<link rel=stylesheet href=a>",
			func(string) iter.Seq[File] { return slices.Values[[]File](nil) }, 6},
		{"a style sheet that can be read", "<link rel=stylesheet href=a>", sheet("p { background: url(b) }"),
			3 * (2 + 3)},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := New([]byte(c.source), "text/html", "http://a/", c.find)
			tried := map[Reading]bool{}
			for _, r := range p.Readings() {
				tried[p.effective(r)] = true
			}
			if len(tried) != c.want {
				t.Errorf("%s: %d readings, want %d: %v", c.name, len(tried), c.want, tried)
			}
		})
	}
}
