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

// Fits reports whether a resolved object has one of the types. A date counts as a string: its syntax is not checked.
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

// A Syntax is the form of a string, beyond its type.
type Syntax uint8

// The syntaxes. The zero Syntax is any.
const (
	MediaType   Syntax = iota + 1 // type/subtype, with parameters (RFC 2045, 5.1)
	HeaderLines                   // headers of a request, each ended by CR LF
)

// A Field is the standard's definition of one dictionary entry.
type Field struct {
	Key      string
	Table    int // number of the standard's table
	Types    Type
	Required bool
	Indirect bool    // the value must be an indirect reference
	Only     Subtype // only sets of this subtype have the entry; NoSubtype for both subtypes

	// Conditions on the value; zero for none.
	Name   string // the only name allowed
	Max    int64  // maximum of an integer from 0 on; 0 allows any integer
	Length int    // number of bytes of a string
	Syntax Syntax
}

// The entries of the dictionaries of Web Capture, by table. All exist since PDF 1.3 and are deprecated in PDF 2.0
// (14.10.1).
var (
	// InfoTable lists the entries of a Web Capture information dictionary (14.10.2, table 386).
	InfoTable = []Field{
		{Key: "V", Table: 386, Types: AnyNumber, Required: true},
		{Key: "C", Table: 386, Types: ArrayObject},
	}
	// ContentSetTable lists the entries of a content set (14.10.4, tables 388 to 390).
	ContentSetTable = []Field{
		{Key: "Type", Table: 388, Types: NameObject, Name: "SpiderContentSet"},
		{Key: "S", Table: 388, Types: NameObject, Required: true},
		{Key: "ID", Table: 388, Types: ByteString, Required: true, Length: 16},
		{Key: "O", Table: 388, Types: ArrayObject, Required: true},
		{Key: "SI", Table: 388, Types: DictionaryObject | ArrayObject, Required: true},
		{Key: "CT", Table: 388, Types: ASCIIString, Syntax: MediaType},
		{Key: "TS", Table: 388, Types: DateString},
		{Key: "T", Table: 389, Types: TextString, Only: PageSet},
		{Key: "TID", Table: 389, Types: ByteString, Only: PageSet, Length: 16},
		{Key: "R", Table: 390, Types: IntegerNumber | ArrayObject, Required: true, Only: ImageSet},
	}
	// SourceTable lists the entries of a source information dictionary (14.10.5.1, table 391).
	SourceTable = []Field{
		{Key: "AU", Table: 391, Types: ASCIIString | DictionaryObject, Required: true},
		{Key: "TS", Table: 391, Types: DateString},
		{Key: "E", Table: 391, Types: DateString},
		{Key: "S", Table: 391, Types: IntegerNumber, Only: PageSet, Max: 2},
		{Key: "C", Table: 391, Types: DictionaryObject, Indirect: true, Only: PageSet},
	}
	// AliasTable lists the entries of a URL alias dictionary (14.10.5.2, table 392).
	AliasTable = []Field{
		{Key: "U", Table: 392, Types: ASCIIString, Required: true},
		{Key: "C", Table: 392, Types: ArrayObject},
	}
	// CommandTable lists the entries of a command dictionary (14.10.5.3, table 393).
	CommandTable = []Field{
		{Key: "URL", Table: 393, Types: ASCIIString, Required: true},
		{Key: "L", Table: 393, Types: IntegerNumber},
		{Key: "F", Table: 394, Types: IntegerNumber, Max: SameSite | SamePath | Submit},
		{Key: "P", Table: 393, Types: ByteString | StreamObject},
		{Key: "CT", Table: 393, Types: ASCIIString, Syntax: MediaType},
		{Key: "H", Table: 393, Types: ByteString, Syntax: HeaderLines},
		{Key: "S", Table: 393, Types: DictionaryObject},
	}
	// SettingsTable lists the entries of a command settings dictionary (14.10.5.4, table 395).
	SettingsTable = []Field{
		{Key: "G", Table: 395, Types: DictionaryObject},
		{Key: "C", Table: 395, Types: DictionaryObject},
	}
)
