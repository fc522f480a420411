package report

import (
	"encoding/hex"
	"errors"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

type jsonKey struct {
	Text *string `json:"text,omitempty"` // if all bytes are printable ASCII
	Hex  string  `json:"hex"`
}

type jsonRef struct {
	Num uint32 `json:"num"`
	Gen uint16 `json:"gen"`
}

type jsonPath struct {
	Path    string `json:"path"`
	PathHex string `json:"pathHex,omitempty"` // if Path is not valid UTF-8
}

func key(k nametree.Key) jsonKey {
	out := jsonKey{Hex: hex.EncodeToString([]byte(k))}
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

// some returns nil for a key that is empty.
func some(k nametree.Key) *jsonKey {
	if k == "" {
		return nil
	}
	return new(key(k))
}

func (k jsonKey) key() (nametree.Key, error) {
	b, err := hex.DecodeString(k.Hex)
	return nametree.Key(b), err
}

func (k *jsonKey) some() (nametree.Key, error) {
	if k == nil {
		return "", nil
	}
	return k.key()
}

func pathOf(s string) jsonPath {
	out := jsonPath{Path: s}
	if !utf8.ValidString(s) {
		out.PathHex = hex.EncodeToString([]byte(s))
	}
	return out
}

func (p jsonPath) path() (string, error) {
	if p.PathHex == "" {
		return p.Path, nil
	}
	b, err := hex.DecodeString(p.PathHex)
	if err != nil {
		return "", errFormat
	}
	return string(b), nil
}

// reference returns nil for a Ref that means none.
func reference(r object.Ref) *jsonRef {
	if r.Num == 0 {
		return nil
	}
	return &jsonRef{r.Num, r.Gen}
}

func (r *jsonRef) ref() object.Ref {
	if r == nil {
		return object.Ref{}
	}
	return object.Ref{Num: r.Num, Gen: r.Gen}
}

func (d *document) keyMember(name string, k nametree.Key) {
	d.member(name)
	d.text("{")
	if isASCII(k) {
		d.text(`"text":`)
		d.string(string(k))
		d.text(",")
	}
	d.text(`"hex":"`)
	d.buf.Write(hex.AppendEncode(d.buf.AvailableBuffer(), []byte(k)))
	d.text(`"}`)
}

// referenceMember appends a member unless the Ref means none.
func (d *document) referenceMember(name string, r object.Ref) {
	if r.Num != 0 {
		d.member(name)
		d.reference(r)
	}
}

func (d *document) reference(r object.Ref) {
	d.text(`{"num":`)
	d.int(int(r.Num))
	d.text(`,"gen":`)
	d.int(int(r.Gen))
	d.text("}")
}

var errFormat = errors.New("not the results of webcap audit")
