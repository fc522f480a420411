package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestFutureDates: a date is in the future if it is more than a day after the audit.
func TestFutureDates(t *testing.T) {
	p := &rule.Pass{Audit: &rule.Audit{Now: auditTime}}
	for by, want := range map[time.Duration]bool{-time.Hour: false, 0: false, 24 * time.Hour: false,
		24*time.Hour + 1: true} {
		t.Run(fmt.Sprint(by), func(t *testing.T) {
			if got := checks.IsFuture(p, auditTime.Add(by)); got != want {
				t.Errorf("%v after the audit is the future: %v", by, got)
			}
		})
	}
}

// TestWhatIsPrivateIsSeen: names that carry passwords and sessions, places of a machine, and similar names that are not
// private.
func TestWhatIsPrivateIsSeen(t *testing.T) {
	for data, want := range map[string]string{
		"password=x": "password", "a=b&PassWord=x": "password", "?pin=1": "pin", "a;pwd=1": "pwd", "a=b\r\n secret = x": "",
		"name=\"passwd\"": "passwd", " name =\"pass\"": "pass",
		"password=": "", "password": "", "a=password": "", "passwords=x": "", "": "", strings.Repeat("x", 40) + "=1": "",
	} {
		t.Run(data, func(t *testing.T) {
			if got := checks.Credential([]byte(data)); got != want {
				t.Errorf("%q: %q, want %q", data, got, want)
			}
		})
	}
	for key, want := range map[nametree.Key]string{
		"http://h/?sid=1": "sid", "http://h/a;JSESSIONID=1?x=y": "JSESSIONID",
		"http://h/?a=b&phpsessid=1#f": "phpsessid", "http://h/?a=b/sid=1": "sid",
		"?sid=1": "sid", ";sid=1": "sid",
		"http://h/?sid=": "", "http://h/?sid": "", "http://h/sid=1": "", "http://h/?sids=1": "", "": "", "sid=1": "",
	} {
		t.Run(string(key), func(t *testing.T) {
			if got := checks.SessionParameter(key); got != want {
				t.Errorf("%q: %q, want %q", key, got, want)
			}
		})
	}
	for url, want := range map[string]string{
		"http://h/users/": "", "file:///a": "a local file", "FILE:///Users/me/a": "a user's folder",
		"file:///home/me":                         "a user's folder",
		"file:///C|/Documents%20and%20Settings/a": "a user's folder", "file:///tmp/a": "a temporary file",
		"file:///C|/temp/a":     "a temporary file",
		"file:///var/folders/x": "a temporary file", "file:///x/var/folders/y": "a local file",
		"file://srv/a":       "a server of a private network",
		"file://localhost/a": "a local file", "file:////srv/a": "a server of a private network",
	} {
		t.Run(url, func(t *testing.T) {
			if got := checks.LocalPlace(canon.Split([]byte(url))); got != want {
				t.Errorf("%q: %q, want %q", url, got, want)
			}
		})
	}
}

// TestWhatShouldBeEncoded: the first byte that a key cannot have, and where.
func TestWhatShouldBeEncoded(t *testing.T) {
	for key, want := range map[nametree.Key]string{
		"":                  "",
		"http://h/%20":      "",
		"http://h/%aF~\x80": "",
		" ":                 "a blank at byte 0",
		"a b c":             "a blank at byte 1",
		"a\x1fb":            "the control character 1F at byte 1",
		"a\x7f":             "the control character 7F at byte 1",
		"%":                 "a percent sign without two hexadecimal digits at byte 0",
		"a%2":               "a percent sign without two hexadecimal digits at byte 1",
		"a%2g":              "a percent sign without two hexadecimal digits at byte 1",
		"a%g2":              "a percent sign without two hexadecimal digits at byte 1",
		"a%20%":             "a percent sign without two hexadecimal digits at byte 4",
	} {
		t.Run(string(key), func(t *testing.T) {
			if what := checks.Unencoded(key); what != want {
				t.Errorf("%q: %q, want %q", key, what, want)
			}
		})
	}
	for c, want := range map[byte]bool{'0': true, '9': true, 'a': true, 'f': true, 'A': true, 'F': true, '/': false,
		':': false, '`': false, 'g': false, '@': false, 'G': false} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if checks.IsHex(c) != want {
				t.Errorf("%c is a digit: %v", c, !want)
			}
		})
	}
	for i, c := range []byte("a\x7f\xff\x80") {
		if got := rule.NotASCII([]byte{c}); got != -1 && i < 2 || got != 0 && i >= 2 {
			t.Errorf("%x: %d", c, got)
		}
	}
}

// TestHeaderLines: a line must end with CR LF, and any other end is a fault.
func TestHeaderLines(t *testing.T) {
	for in, want := range map[string][]string{
		"":                {},
		"A: b\r\n":        {""},
		"A: b":            {"does not end with CR LF"},
		"A: b\nC: d\r\n":  {"does not end with CR LF", ""},
		"A: b\rC: d\r\n":  {"does not end with CR LF", ""},
		"A: b\r\n c\r\n":  {"", ""},
		"A: b\r\n\tc\r\n": {"", ""},
		" A: b\r\n":       {"does not begin with a name and a colon"},
		"A: b\r\n\r\n":    {"", "is empty, expected a name, a colon, and a value"},
		"A b\r\n":         {"does not begin with a name and a colon"},
		": b\r\n":         {"does not begin with a name and a colon"},
		"A(: b\r\n":       {"does not begin with a name and a colon"},
		"A:\r\nB\r\n":     {"", "does not begin with a name and a colon"},
	} {
		t.Run(in, func(t *testing.T) {
			got := []string{}
			for n, line := range checks.HeaderLines([]byte(in)) {
				if n != len(got)+1 {
					t.Errorf("%q: line %d comes after %d lines", in, n, len(got))
				}
				got = append(got, checks.HeaderFault(n, line))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q: %q, want %q", in, got, want)
			}
		})
	}
}

func literalOf(s string) object.Object {
	o, _, _ := object.Parse([]byte(s), 0)
	return o
}

// TestObjectsAreDescribed: messages describe objects in printable ASCII.
func TestObjectsAreDescribed(t *testing.T) {
	rep := auditText(t, "5 0 obj null\n", plainLayout, Options{})
	if rep == nil {
		t.Fatal("no report")
	}
	for in, want := range map[string]string{
		"null": "null", "7": "an integer 7", "1.5": "a real 1.5", "true": "a boolean true", "/Name": "a name /Name",
		"/~x": "a name /~x",
		"[1]": "an array", "<</A 1>>": "a dictionary", "(x)": "the string (x)",
		"(" + strings.Repeat("x", 41) + ")": "the string (" + strings.Repeat("x", 40) + ")",
		"/" + strings.Repeat("x", 39):       "a name /" + strings.Repeat("x", 39),
		"/" + strings.Repeat("x", 40):       "a name",
		"/a\x7f\x80":                        "a name /a??",
	} {
		t.Run(in, func(t *testing.T) {
			if got := checks.Describe(&rule.Pass{}, literalOf(in)); got != want {
				t.Errorf("%s: %s, want %s", in, got, want)
			}
		})
	}
	for n, want := range map[int]string{0: "", 1: "1 0 R", 3: "1 0 R, 2 0 R, 3 0 R",
		4: "1 0 R, 2 0 R, 3 0 R and 1 more", 6: "1 0 R, 2 0 R, 3 0 R and 3 more"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var list []object.Ref
			for i := range n {
				list = append(list, object.Ref{Num: uint32(i + 1)})
			}
			if got := checks.Some(list); got != want {
				t.Errorf("%d: %q, want %q", n, got, want)
			}
		})
	}
}
