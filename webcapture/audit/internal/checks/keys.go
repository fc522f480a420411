package checks

import (
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Helpers of rules about keys of URLS.

// isDrive reports whether the apparent scheme is the drive letter of a path.
func isDrive(u canon.Parts) bool { return len(u.Scheme) == 1 && !u.HasAuthority }

// isText reports whether a tool has written the key as text; see PlainURL.
func isText(e *rule.Entry) bool { return isTextual(e.Key) }

func isTextual(key nametree.Key) bool {
	_, ok := rule.PlainURL(rule.KeyBytes(key))
	return ok
}

// Unencoded describes the first byte of a URL that should be percent-encoded, with its position; empty if there is
// none.
func Unencoded(key nametree.Key) string {
	for i := range len(key) {
		switch c := key[i]; {
		case c == ' ':
			return fmt.Sprintf("a blank at byte %d", i)
		case c < 0x20 || c == 0x7f:
			return "the control character " + rule.ByteAt(rule.KeyBytes(key), i)
		case c == '%' && (i+2 >= len(key) || !IsHex(key[i+1]) || !IsHex(key[i+2])):
			return fmt.Sprintf("a percent sign without two hexadecimal digits at byte %d", i)
		}
	}
	return ""
}

func IsHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// LocalPlace describes what a URL reveals about the machine that captured it; empty for nothing.
func LocalPlace(u canon.Parts) string {
	if !strings.EqualFold(string(u.Scheme), "file") {
		return ""
	}
	path := strings.ToLower(string(u.Path))
	switch {
	case len(u.Host) > 0 && !strings.EqualFold(string(u.Host), "localhost"):
		return "a server of a private network"
	case strings.HasPrefix(path, "//"):
		return "a server of a private network"
	case strings.Contains(path, "/temp/"), strings.Contains(path, "/tmp/"), strings.HasPrefix(path, "/var/folders/"):
		return "a temporary file"
	case strings.Contains(path, "/users/"), strings.Contains(path, "/home/"), strings.Contains(path, "/docume"):
		return "a user's folder"
	}
	return "a local file"
}

// sessionParameters are names of parameters for session identifiers, in lower case.
var sessionParameters = map[string]bool{
	"jsessionid": true, "phpsessid": true, "sessionid": true, "session_id": true, "sid": true, "aspsessionid": true,
	"cfid": true, "cftoken": true, "access_token": true, "auth_token": true, "sessid": true,
}

// SessionParameter returns the name of the first parameter of a URL that looks
// like a session identifier and has a value; empty if there is none.
func SessionParameter(key nametree.Key) string {
	i := strings.IndexAny(string(key), "?;")
	if i < 0 {
		return ""
	}
	for pair := range strings.FieldsFuncSeq(string(key[i:]),
		func(r rune) bool { return strings.ContainsRune("?;&/#", r) }) {
		if name, value, _ := strings.Cut(pair, "="); value != "" && sessionParameters[strings.ToLower(name)] {
			return name
		}
	}
	return ""
}
