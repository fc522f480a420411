package jsondoc

import (
	"encoding/json"
	"errors"
	"testing"
)

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
