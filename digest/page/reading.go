package page

import (
	"strings"

	"github.com/webcap-tools/webcap/digest"
)

// Kind says how a source refers to an auxiliary file. It is a set of bits.
type Kind uint16

// The kinds. An image that may be shown in place of another is a Variant: one
// of srcset or lowsrc, and of the sources of a picture.
const (
	Image Kind = 1 << iota
	Style
	Script
	Frame
	Object // with embed and applet
	Media  // sound and video
	Font
	Icon
	Variant
	Named // by the caller, not by the source

	everything = Named - 1
)

var kindNames = []struct {
	kind Kind
	name string
}{
	{Image, "image"}, {Style, "style"}, {Script, "script"}, {Frame, "frame"}, {Object, "object"},
	{Media, "media"}, {Font, "font"}, {Icon, "icon"}, {Variant, "variant"}, {Named, "named"},
}

// String returns the names of the bits with commas between them; "source" for no bit.
func (k Kind) String() string {
	var names []string
	for _, n := range kindNames {
		if k&n.kind != 0 {
			names = append(names, n.name)
		}
	}
	if names == nil {
		return "source"
	}
	return strings.Join(names, ", ")
}

// mediaType returns what a file is that is referred to in this way, as long as
// nothing else tells.
func (k Kind) mediaType() string {
	switch {
	case k&Style != 0:
		return "text/css"
	case k&Frame != 0:
		return "text/html"
	}
	return "application/octet-stream"
}

// Reading is one way to read what the standard leaves open.
type Reading struct {
	Files    Kind            // that count as auxiliary
	Encoding digest.Encoding // in which their identifiers enter

	// Nested says that HTML and style sheets enter by identifiers that are made
	// like that of the page, not by their MD5 alone.
	Nested bool
}

// selections are the kinds that count together, the most natural first. The
// standard names images alone.
var selections = []struct {
	files Kind
	name  string
	nests bool // there are files among them that may refer to others
}{
	{Image, "images", false},
	{Image | Style, "images and styles", true},
	{Image | Frame, "images and frames", true},
	{Image | Style | Script, "images, styles and scripts", true},
	{everything, "everything", true},
}

const sourceAlone = "source alone"

// Readings returns all readings, the most natural first.
func Readings() []Reading {
	var list []Reading
	for e := digest.Raw; e <= digest.UpperHex; e++ {
		for _, s := range selections {
			list = append(list, Reading{s.files, e, false})
			if s.nests {
				list = append(list, Reading{s.files, e, true})
			}
		}
	}
	return append(list, Reading{})
}

func givenReadings() []Reading {
	return []Reading{{Named, digest.Raw, false}, {Named, digest.LowerHex, false}, {Named, digest.UpperHex, false}}
}

// String returns the name of a reading, such as "images and styles, lower hex, nested".
func (r Reading) String() string {
	switch r.Files {
	case 0:
		return sourceAlone
	case Named:
		return r.Encoding.String()
	}
	name := r.Files.String()
	for _, s := range selections {
		if s.files == r.Files {
			name = s.name
		}
	}
	name += ", " + r.Encoding.String()
	if r.Nested {
		name += ", nested"
	}
	return name
}

// ParseReading returns the reading with a name, of a page whose files are named
// (raw, lower hex, upper hex) or of any other.
func ParseReading(s string) (r Reading, ok bool) {
	for _, r := range append(Readings(), givenReadings()...) {
		if r.String() == s {
			return r, true
		}
	}
	return Reading{}, false
}
