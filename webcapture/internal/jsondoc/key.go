package jsondoc

import (
	"encoding/hex"
	"unicode/utf8"
)

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
	b, err := hex.DecodeString(p.PathHex)
	if err != nil {
		return "", ErrFormat
	}
	return string(b), nil
}
