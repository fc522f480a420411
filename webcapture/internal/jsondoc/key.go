package jsondoc

import (
	"encoding/hex"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// A Key is a key of a name tree, or the bytes of anything else: an ID, a URL.
type Key struct {
	Text *string `json:"text,omitempty"` // if all bytes are printable ASCII
	Hex  string  `json:"hex"`
}

// A Ref is a reference to an object.
type Ref struct {
	Num uint32 `json:"num"`
	Gen uint16 `json:"gen"`
}

// A FilePath is the path of a file, which may hold any bytes.
type FilePath struct {
	Path    string `json:"path"`
	PathHex string `json:"pathHex,omitempty"` // if Path is not valid UTF-8
}

// KeyOf returns the JSON of a key.
func KeyOf(k nametree.Key) Key {
	out := Key{Hex: hex.EncodeToString([]byte(k))}
	if isASCII(k) {
		out.Text = new(string(k))
	}
	return out
}

// isASCII reports whether all bytes of a key are printable ASCII.
func isASCII(k nametree.Key) bool {
	for i := range len(k) {
		if k[i] < 0x20 || k[i] > 0x7e {
			return false
		}
	}
	return true
}

// KeyOrNil returns the JSON of a key; nil for one that is empty.
func KeyOrNil(k nametree.Key) *Key {
	if k == "" {
		return nil
	}
	return new(KeyOf(k))
}

// Decode returns the key; the empty one for nil. The error is ErrFormat.
func (k *Key) Decode() (nametree.Key, error) {
	if k == nil {
		return "", nil
	}
	b, err := decodeHex(k.Hex)
	return nametree.Key(b), err
}

func decodeHex(s string) (string, error) {
	b, err := hex.DecodeString(s)
	if err != nil {
		return "", ErrFormat
	}
	return string(b), nil
}

// FilePathOf returns the JSON of a path.
func FilePathOf(s string) FilePath {
	out := FilePath{Path: s}
	if !utf8.ValidString(s) {
		out.PathHex = hex.EncodeToString([]byte(s))
	}
	return out
}

// Decode returns the path. The error is ErrFormat.
func (p FilePath) Decode() (string, error) {
	if p.PathHex == "" {
		return p.Path, nil
	}
	return decodeHex(p.PathHex)
}

// RefOf returns the JSON of a reference; nil for one that means none.
func RefOf(r object.Ref) *Ref {
	if r.Num == 0 {
		return nil
	}
	return &Ref{r.Num, r.Gen}
}

// Decode returns the reference; that which means none for nil.
func (r *Ref) Decode() object.Ref {
	if r == nil {
		return object.Ref{}
	}
	return object.Ref{Num: r.Num, Gen: r.Gen}
}

func (d *Document) keyMember(name string, k nametree.Key) {
	d.member(name)
	d.Text("{")
	if isASCII(k) {
		d.Text(`"text":`)
		d.Quote(string(k))
		d.Text(",")
	}
	d.Text(`"hex":"`)
	d.Write(hex.AppendEncode(d.Available(), []byte(k)))
	d.Text(`"}`)
}

// referenceMember appends a member unless the Ref means none.
func (d *Document) referenceMember(name string, r object.Ref) {
	if r.Num != 0 {
		d.member(name)
		d.reference(r)
	}
}

func (d *Document) reference(r object.Ref) {
	d.Text(`{"num":`)
	d.int(int(r.Num))
	d.Text(`,"gen":`)
	d.int(int(r.Gen))
	d.Text("}")
}
