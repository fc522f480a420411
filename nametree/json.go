package nametree

import (
	"encoding/hex"
	"encoding/json"
	"reflect"
)

// MarshalJSON returns an object with the bytes of the key in hexadecimal, and also as text if all bytes are printable
// ASCII. It never fails.
func (k Key) MarshalJSON() ([]byte, error) { return k.AppendJSON(nil), nil }

// AppendJSON appends the JSON of the key, which is ASCII.
func (k Key) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	if k.isPrintableASCII() {
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

func (k Key) isPrintableASCII() bool {
	for i := range len(k) {
		if k[i] < 0x20 || k[i] > 0x7e {
			return false
		}
	}
	return true
}

// UnmarshalJSON sets the key to the bytes in hexadecimal. The error is that of encoding/json.
func (k *Key) UnmarshalJSON(b []byte) error {
	var in struct{ Text, Hex string }
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	decoded, err := hex.DecodeString(in.Hex)
	if err != nil {
		return &json.UnmarshalTypeError{Value: "string", Type: reflect.TypeFor[Key]()}
	}
	*k = Key(decoded)
	return nil
}
