package page

import (
	"strings"

	"github.com/webcap-tools/webcap/digest"
)

// Kind is the way in which a source refers to an auxiliary file. Kinds are bits and can be combined to a set.
type Kind uint16

// The kinds. A Variant is an image that may replace another image: it comes from srcset, from lowsrc, or from a source
// element of a picture element.
const (
	Image Kind = 1 << iota
	Style
	Script
	Frame
	Object // object, embed, and applet
	Media  // sound and video
	Font
	Icon
	Variant
	Named // named by the caller instead of the source

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

// mediaType returns the expected media type of a file with this kind of reference.
func (k Kind) mediaType() string {
	switch {
	case k&Style != 0:
		return "text/css"
	case k&Frame != 0:
		return "text/html"
	}
	return "application/octet-stream"
}

// Reading is one reading of the ambiguous parts of the standard.
type Reading struct {
	Files    Kind            // kinds of auxiliary files
	Encoding digest.Encoding // form of their identifiers

	// Nested means that an auxiliary file that may have references, such as HTML or a style sheet, enters
	// the identifier of the page with a composite identifier of its own. Otherwise it enters with its MD5.
	Nested bool
}

// selections are the combinations of kinds, the most natural first. The standard mentions only images.
var selections = []struct {
	files Kind
	name  string
	nests bool // some of the files may have references
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

// ParseReading returns the reading with the name s. It accepts the names of all Readings, and the encodings "raw",
// "lower hex", and "upper hex", which are the readings of a page made by Given.
func ParseReading(s string) (r Reading, ok bool) {
	for _, r := range append(Readings(), givenReadings()...) {
		if r.String() == s {
			return r, true
		}
	}
	return Reading{}, false
}
