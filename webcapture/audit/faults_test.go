package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestFaultsAreNamed: a message says what is wrong, and not what is wrong elsewhere.
func TestFaultsAreNamed(t *testing.T) {
	media := func(s string) string { return rule.MediaFault([]byte(s)) }
	text := func(s string) string { return rule.TextFault([]byte(s)) }
	date := func(s string) string { _, fault := rule.ParseDate([]byte(s)); return fault }
	for i, row := range []struct {
		fault    func(string) string
		in, want string
	}{
		{media, "", "it does not begin with a type"},
		{media, "/html", "it does not begin with a type"},
		{media, "text", "the slash after the type is missing"},
		{media, "text html", "the slash after the type is missing"},
		{media, "text/", "the subtype after the slash is missing"},
		{media, "text/html x", "it is not type/subtype"},
		{media, "text/html; a=b x", "a parameter is not name=value"},
		{media, `text/html; a="b" x`, "a parameter is not name=value"},
		{media, "text/html;", "a parameter is not name=value"},
		{media, "text/html; =b", "a parameter is not name=value"},
		{media, "text/html; a", "a parameter is not name=value"},
		{media, "text/html; a b", "a parameter is not name=value"},
		{media, "text/html; a=", "a parameter is not name=value"},
		{media, `text/html; a="b`, "a parameter is not name=value"},
		{media, "text/html; a=\"b\rc\"", "a parameter is not name=value"},
		{media, "text/html; a=\"b\x80c\"", "a parameter is not name=value"},
		{media, "text/html; a=\"b\x7fc\"", ""},
		{media, `text/html; a="b\"; c"; d=e`, ""},
		{media, "text/h\x7f", "it is not type/subtype"},
		{media, "text/~", ""},
		{media, "text/html (a) b", "it is not type/subtype"},
		{media, "text/html (a (b) c)", ""},
		{media, "text/html (a", "it is not type/subtype"},
		{media, "text/html\r\n\t;a=b", ""},

		{text, "\xfe\xffa", "it is UTF-16 and ends with half a character"},
		{text, "\xfe\xff\xd8\x3d", "it is UTF-16 with the lone surrogate d83d"},
		{text, "\xfe\xff\xde\x00\x00A", "it is UTF-16 with the lone surrogate de00"},
		{text, "\xfe\xff\x00A\xd8\x3d\x00A", "it is UTF-16 with the lone surrogate d83d"},
		{text, "\xfe\xff\xd8\x3d\xde\x00\xd8\x3d", "it is UTF-16 with the lone surrogate d83d"},
		{text, "\xef\xbb\xbf\xff", "it begins with the byte order mark of UTF-8, but is not valid UTF-8"},
		{text, "ab\x7f\x00", "PDFDocEncoding has no character for 7F at byte 2"},

		{date, "2008", "it does not begin with D:"},
		{date, "D", "it does not begin with D:"},
		{date, "Dx2008", "it does not begin with D:"},
		{date, "D:208", "the year does not have four digits"},
		{date, "D:20x8", "the year does not have four digits"},
		{date, "D:20080", "the month does not have two digits"},
		{date, "D:2008x1", "the month does not have two digits"},
		{date, "D:200813", "there is no month 13"},
		{date, "D:200800", "there is no month 0"},
		{date, "D:2008011", "the day does not have two digits"},
		{date, "D:20080100", "there is no day 0"},
		{date, "D:20080132", "there is no day 32"},
		{date, "D:2008010124", "there is no hour 24"},
		{date, "D:200801012360", "there is no minute 60"},
		{date, "D:20080101235960", "there is no second 60"},
		{date, "D:20080230", "February 2008 has no day 30"},
		{date, "D:20080101000000x", "the text after the seconds is not a time zone"},
		{date, "D:20080101000000+", "the hours of the time zone are not 00 to 23"},
		{date, "D:20080101000000+24", "the hours of the time zone are not 00 to 23"},
		{date, "D:20080101000000+x1", "the hours of the time zone are not 00 to 23"},
		{date, "D:20080101000000+0100", "the apostrophe after the hours of the time zone is missing"},
		{date, "D:20080101000000+01'6", "the minutes of the time zone are not 00 to 59"},
		{date, "D:20080101000000+01'60", "the minutes of the time zone are not 00 to 59"},
		{date, "D:20080101000000+01'x0", "the minutes of the time zone are not 00 to 59"},
		{date, "D:20080101000000+01'00x", "the date continues after the time zone"},
		{date, "D:20080101000000+01'00''", "the date continues after the time zone"},
		{date, "D:20080101000000+01'00'", ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := row.fault(row.in); got != row.want {
				t.Errorf("%q: %q, want %q", row.in, got, row.want)
			}
		})
	}
}

// TestDatesAreNotRemembered: the result for a date does not depend on dates that were parsed before.
func TestDatesAreNotRemembered(t *testing.T) {
	var m rule.DateMemo
	for _, in := range []string{"", "D:2008", "D:2009", "D:2008", "", "D:2010", strings.Repeat("D", 33), "D:2010",
		"D:201", "D:2010", strings.Repeat("D", 32)} {
		t.Run(in, func(t *testing.T) {
			got, fault := m.Parse([]byte(in))
			if want, wrong := rule.ParseDate([]byte(in)); !got.Equal(want) || fault != wrong {
				t.Errorf("%q: %v, %q, want %v, %q", in, got, fault, want, wrong)
			}
		})
	}
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

// TestMembershipsAreKnown: which set lists an object, and what is known of that set.
func TestMembershipsAreKnown(t *testing.T) {
	ref := func(n int) object.Ref { return object.Ref{Num: uint32(n)} }
	a, b, c := digest.ID{1}, digest.ID{2}, digest.ID{3}
	rows := []rule.MemberRow{
		{Member: ref(11), Set: ref(1), ID: a, Index: 0, Count: 2, Subtype: webcapture.ImageSet, HasID: true, Listed: true},
		{Member: ref(12), Set: ref(1), ID: a, Index: 1, Count: -1, Subtype: webcapture.ImageSet, HasID: true, Listed: true},
		{Set: ref(2), ID: b, Index: -1, Count: -1, Subtype: webcapture.PageSet, HasID: true},
		{Member: ref(11), Set: ref(3), Index: 0, Count: -1, Subtype: webcapture.PageSet, Listed: true}, // without ID
		{Member: ref(13), Set: ref(4), ID: b, Index: 0, Count: -1, Subtype: webcapture.PageSet, HasID: true, Listed: true},
		{Member: ref(11), Set: ref(1), ID: a, Index: 2, Count: -1, Subtype: webcapture.ImageSet, HasID: true, Listed: true},
	}
	table := rule.NewMemberTable(rows)
	for id, want := range map[digest.ID][2]bool{a: {true, true}, b: {true, false}, c: {}, {}: {}} {
		t.Run(fmt.Sprint(id), func(t *testing.T) {
			if exists, listed := table.Known(id); exists != want[0] || listed != want[1] {
				t.Errorf("%x: exists %v, listed %v, want %v", id[:1], exists, listed, want)
			}
		})
	}
	for n, want := range map[int]int{11: 3, 12: 1, 13: 1, 14: 0} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if in := table.Of(ref(n)); len(in) != want || table.Has(ref(n)) != (want > 0) {
				t.Errorf("object %d is in %v, has %v", n, in, table.Has(ref(n)))
			}
		})
	}
	in := table.Of(ref(11))
	want := []rule.Membership{
		{Set: ref(1), Index: 0, Subtype: webcapture.ImageSet, ID: a, HasID: true, Count: 2},
		{Set: ref(1), Index: 2, Subtype: webcapture.ImageSet, ID: a, HasID: true, Count: -1},
		{Set: ref(3), Index: 0, Subtype: webcapture.PageSet, Count: -1},
	}
	if !slices.Equal(in, want) {
		t.Errorf("%v, want %v", in, want)
	}
	m := rule.Member{Ref: ref(11), In: in}
	if got := m.Sets(webcapture.ImageSet); !slices.Equal(got, []object.Ref{ref(1)}) {
		t.Errorf("image sets %v", got)
	}
	if got, ok := m.First(webcapture.PageSet); !ok || got != want[2] {
		t.Errorf("first page set %v, %v", got, ok)
	}
	if _, ok := m.First(webcapture.NoSubtype); ok {
		t.Error("a set of no subtype")
	}
	if at := m.At(in[0]); at.ID != nametree.Key(a[:]) || at.Set != ref(1) || at.Object != ref(11) {
		t.Errorf("at %+v", at)
	}
	if at := m.At(in[2]); at.ID != "" {
		t.Errorf("a set without ID has the ID %v", at.ID)
	}
}

// TestNoToolMadeThisKey: a tool that decodes escapes and then expects UTF-8 cannot have made a key from an identifier
// that is not UTF-8.
func TestNoToolMadeThisKey(t *testing.T) {
	id := []byte("\\n345678\xff0123456")
	key := append([]byte("\n"), id[2:]...)
	if as, ok := rule.Transcoded(id, key); ok {
		t.Errorf("%q is %q in %s", key, id, as)
	}
	if as, ok := rule.Transcoded([]byte("\\n34567890123456"), []byte("\n34567890123456")); !ok || as != "UTF-8" {
		t.Errorf("of an identifier in ASCII: %s, %v", as, ok)
	}
	for in, want := range map[string]string{
		`a\n\r\t\b\f`: "a\n\r\t\b\f", `\(\)\\\x`: `()\x`, `\0`: "\x00", `\12x`: "\nx", `\1234`: "S4", `\8`: "8",
		`\777`: "\xff", "\\\na": "a", "\\\r\na": "a", "\\\ra": "a", `a\`: "a", "": "",
	} {
		t.Run(in, func(t *testing.T) {
			if got := rule.Unescaped([]byte(in)); !bytes.Equal(got, []byte(want)) {
				t.Errorf("%q: %q, want %q", in, got, want)
			}
		})
	}
}
