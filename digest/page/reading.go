package page

import "strings"

// Kind is the way in which a source refers to an auxiliary file. Kinds are bits and can be combined to a set.
type Kind uint16

// The kinds. Images that may replace others, such as those in srcset, do not count.
const (
	Image Kind = 1 << iota
	Style
	Script
	Frame
	Object // object and embed
	Media  // sound and video
	Font
	Icon

	everything = 1<<iota - 1
)

var kindNames = []struct {
	kind Kind
	name string
}{
	{Image, "image"}, {Style, "style"}, {Script, "script"}, {Frame, "frame"}, {Object, "object"},
	{Media, "media"}, {Font, "font"}, {Icon, "icon"},
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

// Reading is one reading of the ambiguous parts of the standard: the kinds of files that are auxiliary. Each file
// enters the identifier of the page with the 16 bytes of its MD5.
type Reading struct{ Files Kind }

// Readings returns all readings. The first is the text of the standard, which mentions only images. The others are
// choices: no known capture proves one.
func Readings() []Reading { return []Reading{{Image}, {}, {everything}} }

// String returns the name of a reading.
func (r Reading) String() string {
	switch r.Files {
	case 0:
		return "source alone"
	case Image:
		return "images, raw"
	case everything:
		return "everything, raw"
	}
	return "raw"
}
