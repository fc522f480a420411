package nametree

import (
	"encoding/json"
	"errors"
	"testing"
)

// The JSON of a key has text only if all bytes are printable ASCII, which is 0x20 to 0x7e. Decoding gives the key.
func TestKeyJSON(t *testing.T) {
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
		b, err := json.Marshal(tt.key)
		if err != nil {
			t.Fatal(err)
		}
		got := string(b)
		if got != tt.want {
			t.Errorf("JSON of %q is %s, want %s", string(tt.key), got, tt.want)
		}
		var key Key
		if err := json.Unmarshal([]byte(got), &key); err != nil || key != tt.key {
			t.Errorf("%s decodes to %q, %v, want %q", got, string(key), err, string(tt.key))
		}
	}
}

func TestWrongKeyJSON(t *testing.T) {
	var key Key
	for _, in := range []string{`{"hex":"6"}`, `{"hex":"xy"}`} {
		if err := json.Unmarshal([]byte(in), &key); !isTypeError(err) {
			t.Errorf("%s: error %v", in, err)
		}
	}
	if err := json.Unmarshal([]byte(`[1]`), &key); err == nil {
		t.Error("an array decodes to a key")
	}
}

func isTypeError(err error) bool {
	_, ok := errors.AsType[*json.UnmarshalTypeError](err)
	return ok
}
