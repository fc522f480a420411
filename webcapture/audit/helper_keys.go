package audit

import (
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
)

// What rules about keys of URLS share.

// reportStep reports a key of URLS that a step of the canonicalization would
// change. The fix is the canonical form, after all steps.
func reportStep(p *Pass, e *Entry, letter byte) {
	if !e.Changes.Has(letter) || isDrive(e.URL) || e.textual() {
		return
	}
	form := nametree.Key(canon.PDF.Append(nil, keyBytes(e.Key)))
	for _, s := range canon.PDF.Steps() {
		if s.Letter == letter {
			p.Reportf(e.At(), &Fix{Action: ChangeKey, Old: e.Key, New: form}, "key %v is not canonical: step %c would %s, %v%s", e.Key, letter, s.Title, form, otherScheme(e.Key))
		}
	}
}

// otherScheme says which scheme other than that of PDF leaves a key as it is; empty
// if there is none.
func otherScheme(key nametree.Key) string {
	d, ok := canon.Diagnose(keyBytes(key))
	if !ok || d.Profile == nil {
		return ""
	}
	return "; the profile " + d.Profile.Name() + " leaves it as it is"
}

// isDrive reports whether what looks like a scheme is the drive of a path.
func isDrive(u canon.Parts) bool { return len(u.Scheme) == 1 && !u.HasAuthority }

// textual reports whether a tool has written the key as text: see PlainURL.
func (e *Entry) textual() bool { return textual(e.Key) }

func textual(key nametree.Key) bool {
	_, ok := PlainURL(keyBytes(key))
	return ok
}

// unencoded returns the first byte of a URL that percent-encoding would have
// replaced, and where it is; empty if there is none.
func unencoded(key nametree.Key) string {
	for i := range len(key) {
		switch c := key[i]; {
		case c == ' ':
			return fmt.Sprintf("a blank at byte %d", i)
		case c < 0x20 || c == 0x7f:
			return "the control character " + byteAt(keyBytes(key), i)
		case c == '%' && (i+2 >= len(key) || !isHex(key[i+1]) || !isHex(key[i+2])):
			return fmt.Sprintf("a percent sign without two hexadecimal digits at byte %d", i)
		}
	}
	return ""
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// localPlace says what a URL tells of the machine that it was captured on;
// empty if nothing.
func localPlace(u canon.Parts) string {
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

// sessionParameters are names of parameters that carry session identifiers, in
// lower case.
var sessionParameters = map[string]bool{
	"jsessionid": true, "phpsessid": true, "sessionid": true, "session_id": true, "sid": true, "aspsessionid": true,
	"cfid": true, "cftoken": true, "access_token": true, "auth_token": true, "sessid": true,
}

// sessionParameter returns the name of the first parameter of a URL that looks
// like a session identifier and has a value; empty if there is none.
func sessionParameter(key nametree.Key) string {
	i := strings.IndexAny(string(key), "?;")
	if i < 0 {
		return ""
	}
	for pair := range strings.FieldsFuncSeq(string(key[i:]), func(r rune) bool { return strings.ContainsRune("?;&/#", r) }) {
		if name, value, _ := strings.Cut(pair, "="); value != "" && sessionParameters[strings.ToLower(name)] {
			return name
		}
	}
	return ""
}
