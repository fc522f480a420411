package jsondoc

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// The JSON of a key has text only if all bytes are printable ASCII, which is 0x20 to 0x7e. Decoding gives the key.
func TestKey(t *testing.T) {
	for _, tt := range []struct {
		key  Key
		want string
	}{
		{"", `{"text":"","hex":""}`},
		{"http://a/", `{"text":"http://a/","hex":"687474703a2f2f612f"}`},
		{"\x20\x7e", `{"text":" ~","hex":"207e"}`},
		{`"\`, `{"text":"\"\\","hex":"225c"}`},
		{"a\x1f", `{"hex":"611f"}`},
		{"\x7fa", `{"hex":"7f61"}`},
		{"ü", `{"hex":"c3bc"}`},
	} {
		got := encoded(tt.key)
		if got != tt.want {
			t.Errorf("JSON of %q is %s, want %s", string(tt.key), got, tt.want)
		}
		var key Key
		if err := json.Unmarshal([]byte(got), &key); err != nil || key != tt.key {
			t.Errorf("%s decodes to %q, %v, want %q", got, string(key), err, string(tt.key))
		}
	}
}

func TestWrongKey(t *testing.T) {
	var key Key
	for _, in := range []string{`{"hex":"6"}`, `{"hex":"xy"}`} {
		if err := json.Unmarshal([]byte(in), &key); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: error %v, want %v", in, err, ErrFormat)
		}
	}
	if err := json.Unmarshal([]byte(`[1]`), &key); err == nil {
		t.Error("an array decodes to a key")
	}
}

// Number 0 means that there is no object, for any generation.
func TestRefWithoutObject(t *testing.T) {
	for _, tt := range []struct {
		ref  object.Ref
		want string
	}{
		{object.Ref{}, `[null,{}]`},
		{object.Ref{Gen: 3}, `[null,{}]`},
		{object.Ref{Num: 3}, `[{"num":3,"gen":0},{"object":{"num":3,"gen":0}}]`},
	} {
		member := struct {
			Object Ref `json:"object,omitzero"`
		}{Ref(tt.ref)}
		if got := encoded([]any{RefOrNil(tt.ref), member}); got != tt.want {
			t.Errorf("JSON of %v is %s, want %s", tt.ref, got, tt.want)
		}
	}
}

// A path with any bytes survives the JSON. Paths in UTF-8 have no second form.
func TestFilePath(t *testing.T) {
	for _, tt := range []struct{ path, want string }{
		{"Zürich.pdf", `{"path":"Zürich.pdf"}`},
		{"a\xff.pdf", `{"path":"a\ufffd.pdf","pathHex":"61ff2e706466"}`},
	} {
		got := encoded(FilePathOf(tt.path))
		if got != tt.want {
			t.Errorf("JSON of %q is %s, want %s", tt.path, got, tt.want)
		}
		var out FilePath
		if err := json.Unmarshal([]byte(got), &out); err != nil {
			t.Fatal(err)
		}
		if path, err := out.Decode(); err != nil || path != tt.path {
			t.Errorf("%s decodes to %q, %v, want %q", got, path, err, tt.path)
		}
	}
	if _, err := (FilePath{"a", "0"}).Decode(); !errors.Is(err, ErrFormat) {
		t.Errorf("half a byte in pathHex: error %v, want %v", err, ErrFormat)
	}
}
