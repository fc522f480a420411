package webcapture

import "github.com/webcap-tools/webcap/nametree/object"

// A Type is a set of value types of a dictionary entry, in the terms of the standard's tables (ISO 32000-2:2020,
// 7.9.1).
type Type uint16

// The types. A Field may allow several.
const (
	ASCIIString Type = 1 << iota
	ByteString
	TextString
	DateString
	NameObject
	IntegerNumber
	AnyNumber // integer or real
	ArrayObject
	DictionaryObject
	StreamObject
)

const anyString = ASCIIString | ByteString | TextString | DateString

var typeNames = [...]string{
	"an ASCII string", "a byte string", "a text string", "a date", "a name", "an integer", "a number",
	"an array", "a dictionary", "a stream",
}

// String returns the standard's names of the types, with articles.
func (t Type) String() string {
	s := ""
	for i, name := range typeNames {
		if t&(1<<i) == 0 {
			continue
		}
		if s != "" {
			s += " or "
		}
		s += name
	}
	return s
}

// Fits reports whether a resolved object has one of the types. A date counts as a string: its syntax is not
// checked.
func (t Type) Fits(o object.Object) bool {
	switch o.Kind() {
	case object.String:
		return t&anyString != 0
	case object.Name:
		return t&NameObject != 0
	case object.Integer:
		return t&(IntegerNumber|AnyNumber) != 0
	case object.Real:
		return t&AnyNumber != 0
	case object.Array:
		return t&ArrayObject != 0
	case object.Dictionary:
		return t&DictionaryObject != 0
	case object.Stream:
		return t&StreamObject != 0
	}
	return false
}

// A Field is the standard's definition of one dictionary entry.
type Field struct {
	Key      string
	Types    Type
	Required bool
	Indirect bool    // the value must be an indirect reference
	Only     Subtype // only sets of this subtype have the entry; NoSubtype for both subtypes
}

// The entries of the dictionaries of Web Capture, by table. All exist since PDF 1.3 and are deprecated in PDF 2.0
// (14.10.1).
var (
	// InfoTable lists the entries of a Web Capture information dictionary (14.10.2, table 386).
	InfoTable = []Field{
		{Key: "V", Types: AnyNumber, Required: true},
		{Key: "C", Types: ArrayObject},
	}
	// ContentSetTable lists the entries of a content set (14.10.4, tables 388 to 390).
	ContentSetTable = []Field{
		{Key: "Type", Types: NameObject},
		{Key: "S", Types: NameObject, Required: true},
		{Key: "ID", Types: ByteString, Required: true},
		{Key: "O", Types: ArrayObject, Required: true},
		{Key: "SI", Types: DictionaryObject | ArrayObject, Required: true},
		{Key: "CT", Types: ASCIIString},
		{Key: "TS", Types: DateString},
		{Key: "T", Types: TextString, Only: PageSet},
		{Key: "TID", Types: ByteString, Only: PageSet},
		{Key: "R", Types: IntegerNumber | ArrayObject, Required: true, Only: ImageSet},
	}
	// SourceTable lists the entries of a source information dictionary (14.10.5.1, table 391).
	SourceTable = []Field{
		{Key: "AU", Types: ASCIIString | DictionaryObject, Required: true},
		{Key: "TS", Types: DateString},
		{Key: "E", Types: DateString},
		{Key: "S", Types: IntegerNumber, Only: PageSet},
		{Key: "C", Types: DictionaryObject, Indirect: true, Only: PageSet},
	}
	// AliasTable lists the entries of a URL alias dictionary (14.10.5.2, table 392).
	AliasTable = []Field{
		{Key: "U", Types: ASCIIString, Required: true},
		{Key: "C", Types: ArrayObject},
	}
	// CommandTable lists the entries of a command dictionary (14.10.5.3, table 393).
	CommandTable = []Field{
		{Key: "URL", Types: ASCIIString, Required: true},
		{Key: "L", Types: IntegerNumber},
		{Key: "F", Types: IntegerNumber},
		{Key: "P", Types: ByteString | StreamObject},
		{Key: "CT", Types: ASCIIString},
		{Key: "H", Types: ByteString},
		{Key: "S", Types: DictionaryObject},
	}
	// SettingsTable lists the entries of a command settings dictionary (14.10.5.4, table 395).
	SettingsTable = []Field{
		{Key: "G", Types: DictionaryObject},
		{Key: "C", Types: DictionaryObject},
	}
)
