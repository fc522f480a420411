package jsondoc

import (
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// A Key is a byte string: a key of a name tree, an ID, or a URL. Its JSON is an object with the bytes in
// hexadecimal, and also as text if all bytes are printable ASCII.
type Key string

// String returns the key as text.
func (k Key) String() string { return nametree.Key(k).String() }

// MarshalJSON returns the JSON of the key. It never fails.
func (k Key) MarshalJSON() ([]byte, error) { return k.AppendJSON(nil), nil }

// AppendJSON appends the JSON of the key, which is ASCII.
func (k Key) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	if k.isASCII() {
		b = append(b, `"text":"`...)
		for i := range len(k) { // strconv.AppendQuote takes four times as long
			if k[i] == '"' || k[i] == '\\' {
				b = append(b, '\\')
			}
			b = append(b, k[i])
		}
		b = append(b, `",`...)
	}
	b = hex.AppendEncode(append(b, `"hex":"`...), []byte(k))
	return append(b, `"}`...)
}

// UnmarshalJSON sets the key. The error is that of encoding/json, or ErrFormat.
func (k *Key) UnmarshalJSON(b []byte) error {
	var in struct{ Text, Hex string }
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	text, err := decodeHex(in.Hex)
	*k = Key(text)
	return err
}

// isASCII reports whether all bytes of the key are printable ASCII.
func (k Key) isASCII() bool {
	for i := range len(k) {
		if k[i] < 0x20 || k[i] > 0x7e {
			return false
		}
	}
	return true
}

func decodeHex(s string) (string, error) {
	b, err := hex.DecodeString(s)
	if err != nil {
		return "", ErrFormat
	}
	return string(b), nil
}

// A Ref is a reference to an object. Number 0 means that there is no object.
type Ref struct {
	Num uint32 `json:"num"`
	Gen uint16 `json:"gen"`
}

// IsZero reports whether there is no object.
func (r Ref) IsZero() bool { return r.Num == 0 }

// RefOrNil returns the JSON of a reference; nil for number 0.
func RefOrNil(r object.Ref) *Ref {
	if r.Num == 0 {
		return nil
	}
	return new(Ref(r))
}

// A FilePath is the path of a file, which may have any bytes.
type FilePath struct {
	Path    string `json:"path"`
	PathHex string `json:"pathHex,omitempty"` // if Path is not valid UTF-8
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
