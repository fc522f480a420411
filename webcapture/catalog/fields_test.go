package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/catalog"
)

// TestCaptured: the time of a capture is that of the first valid TS, of the set or of a source.
func TestCaptured(t *testing.T) {
	for _, tt := range []struct{ entries, want string }{
		{"/SI << /AU (u) >>", "0001"},
		{"/TS (D:2001) /SI << /AU (u) /TS (D:2002) >>", "2001"},
		{"/SI [ << /AU (u) >> << /AU (v) /TS (D:2002) >> << /AU (w) /TS (D:2003) >> ]", "2002"},
		{"/TS (May) /SI [ << /AU (u) /TS (June) >> << /AU (v) /TS (D:2003) >> ]", "2003"},
		{"/TS (May) /SI << /AU (u) /TS (June) >>", "0001"},
	} {
		list, _ := parsed(t, one(tt.entries, "null"))
		if got := list[0].Captured.Format("2006"); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.entries, got, tt.want)
		}
	}
}

// TestSubmittedData: a source or its command can say that a user submitted form data.
func TestSubmittedData(t *testing.T) {
	for source, want := range map[string]bool{"": false, "/C << /URL (x) /F 1 >>": false, "/S 1": true,
		"/C << /F 4 >>": true, "/C << /P (x) >>": true} {
		list, _ := parsed(t, one("/SI [ << /AU (u) >> << /AU (v) "+source+" >> ]", "null"))
		if got := list[0].Submitted; got != want {
			t.Errorf("%s: %v, want %v", source, got, want)
		}
	}
}

func TestPageRanges(t *testing.T) {
	for want, r := range map[string]catalog.PageRange{"3": {First: 3, Last: 3}, "3-5": {First: 3, Last: 5}} {
		if got := r.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// one has a page set with further entries, an object 9, and no IDS.
func one(entries, nine string) string {
	return "names: << /URLS << /Names [ (key) 5 0 R ] >> >>\n5 0 obj << /S /SPS /O [ 6 0 R ] " + entries + " >>\n" +
		"6 0 obj << /Type /Page >>\n9 0 obj " + nine + "\n"
}

// TestTexts: entries that may be indirect, missing, or not strings.
func TestTexts(t *testing.T) {
	for _, tt := range []struct{ name, entries, nine, want string }{
		{"nothing", "", "null", `"" "" "" ""`},
		{"all", "/T (t) /CT (c) /TS (D:2001) /ID (i)", "null", `"t" "c" "D:2001" ""`},
		{"indirect title", "/T 9 0 R", "(t)", `"t" "" "" ""`},
		{"title in UTF-16", "/T <FEFF263A>", "null", `"☺" "" "" ""`},
		{"null for a type", "/CT null", "null", `"" "" "" ""`},
		{"other objects", "/T 7 /CT /x", "null", `"" "" "" ""`},
		{"a date that is a number", "/TS 2001", "null", `"" "" "2001" "it is not a string"`},
		{"an indirect date", "/TS 9 0 R", "(D:2001)", `"" "" "D:2001" ""`},
		{"an indirect date that is missing", "/TS 9 0 R", "null", `"" "" "" ""`},
		{"a day that does not exist", "/TS (D:20010231)", "null", `"" "" "D:20010231" "`},
		{"a month that does not exist", "/TS (D:200113)", "null", `"" "" "D:200113" "`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, unread := parsed(t, one(tt.entries+" /SI << /AU (u) >>", tt.nine))
			if len(list) != 1 || unread != 0 {
				t.Fatalf("%d captures, %d unread parts", len(list), unread)
			}
			c := list[0]
			if got := fmt.Sprintf("%q %q %q %q", c.Title, c.ContentType, c.TS.Stored, c.TS.Fault); !strings.HasPrefix(got,
				tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if isDate := c.TS.Stored != "" && c.TS.Fault == ""; isDate == c.TS.Time.IsZero() {
				t.Errorf("date %+v", c.TS)
			}
		})
	}
}

// TestSourceFields: the entries of a source and its command.
func TestSourceFields(t *testing.T) {
	for _, tt := range []struct{ name, entries, nine, want string }{
		{"a URL", "/AU (u)", "null", "u [] false: <nil>"},
		{"no URL", "/TS (D:2001)", "null", " [] false: <nil>"},
		{"an alias", "/AU << /U (u) /C [ [ (a) 7 (b) ] [ ] [ (c) ] ] >>", "null", "u [[a b] [] [c]] false: <nil>"},
		{"an alias without a destination", "/AU << /C [ [ (a) ] ] >>", "null", " [[a]] false: <nil>"},
		{"expiry", "/AU (u) /E (D:2002)", "null", "u [] true: <nil>"},
		{"not submitted", "/AU (u) /S 0", "null", "u [] false: <nil>"},
		{"submitted by GET", "/AU (u) /S 1", "null", "u [] false: GET <nil>"},
		{"submitted by POST", "/AU (u) /S 9 0 R", "2", "u [] false: POST <nil>"},
		{"another number", "/AU (u) /S 3", "null", "u [] false: <nil>"},
		{"a command", "/AU (u) /C << /URL (c) >>", "null", "u [] false: &{c 1 false false false false}"},
		{"levels", "/AU (u) /C << /URL (c) /L 3 >>", "null", "u [] false: &{c 3 false false false false}"},
		{"same site", "/AU (u) /C 9 0 R", "<< /F 1 >>", "u [] false: &{ 1 true false false false}"},
		{"same path", "/AU (u) /C 9 0 R", "<< /F 2 >>", "u [] false: &{ 1 false true false false}"},
		{"a submission", "/AU (u) /C 9 0 R", "<< /F 4 >>", "u [] false: &{ 1 false false true false}"},
		{"posted data", "/AU (u) /C << /P (x) >>", "null", "u [] false: &{ 1 false false false true}"},
		{"no command", "/AU (u) /C 9 0 R", "null", "u [] false: <nil>"},
		{"a command that is no dictionary", "/AU (u) /C (x)", "null", "u [] false: <nil>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, unread := parsed(t, one("/SI << "+tt.entries+" >>", tt.nine))
			if len(list) != 1 || unread != 0 || len(list[0].Sources) != 1 {
				t.Fatalf("%d captures, %d unread parts", len(list), unread)
			}
			s := list[0].Sources[0]
			got := fmt.Sprintf("%s %v %v: ", s.URL, s.Redirects, !s.E.Time.IsZero())
			if s.Submitted != "" {
				got += s.Submitted + " "
			}
			if got += fmt.Sprint(s.Command); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestURLs: the URL of a capture is that of its first source with one; else a key of URLS.
func TestURLs(t *testing.T) {
	const set = "<< /S /SPS /O [ 6 0 R ] >>"
	const page = "\n6 0 obj << /Type /Page >>\n"
	trees := func(urls, ids, objects string) string {
		return "names: << /URLS << /Names [ " + urls + " ] >> /IDS << /Names [ " + ids + " ] >> >>\n" + objects + page
	}
	for _, tt := range []struct{ name, text, want string }{
		{"of the first source with a URL", one("/SI [ << /TS (x) >> << /AU (HTTP://b.example/x) >> << /AU (c) >> ]", "null"),
			"HTTP://b.example/x http://b.example/x"},
		{"the key", trees("(k) 5 0 R", "", "5 0 obj "+set), "k k"},
		{"the first of two keys", trees("(a) 5 0 R (b) 5 0 R", "(i) 5 0 R", "5 0 obj "+set), "a a"},
		{"the key of another set before it", trees("(a) 7 0 R (b) 5 0 R", "(i) 5 0 R", "5 0 obj "+set+"\n7 0 obj 7"), "b b"},
		{"the key of an array", trees("(a) [ 5 0 R ]", "", "5 0 obj "+set), "a a"},
		{"the key of an indirect array", trees("(a) 7 0 R", "", "5 0 obj "+set+"\n7 0 obj [ 5 0 R ]"), "a a"},
		{"its own key, not that of its array", trees("(a) 5 0 R (b) 7 0 R", "", "5 0 obj "+set+"\n7 0 obj [ 5 0 R ]"), "a a"},
		{"a direct set", trees("(a) "+set, "", ""), "a a"},
		{"an element of an array", trees("(a) [ "+set+" ]", "", ""), "a a"},
		{"a direct set of IDS", trees("(a) 7 0 R", "(i) "+set, "7 0 obj 7"), " "},
		{"a direct set of IDS, and a key of nothing", trees("(a) 0 0 R", "(i) "+set, ""), " "},
		{"a set of IDS", trees("(a) 7 0 R", "(i) 5 0 R", "5 0 obj "+set+"\n7 0 obj 7"), " "},
		{"a set of IDS, without URLS", "names: << /IDS << /Names [ (i) 5 0 R ] >> >>\n5 0 obj " + set + page, " "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, unread := parsed(t, tt.text)
			if len(list) != 1 || unread != 0 {
				t.Fatalf("%d captures, %d unread parts", len(list), unread)
			}
			if got := string(list[0].URL + " " + list[0].Canonical); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestKinds: S decides the kind. Objects that are no content sets are no captures.
func TestKinds(t *testing.T) {
	for s, want := range map[string]string{"/S /SPS": "[page]", "/S /SIS": "[image]", "/S /x": "[other]", "": "[other]"} {
		list, _ := parsed(t, "names: << /URLS << /Names [ (a) << "+s+" /ID (i) /O [ ] >> (b) 7 (c) [ ] ] >> >>\n")
		var kinds []catalog.Kind
		for _, c := range list {
			kinds = append(kinds, c.Kind)
		}
		if fmt.Sprint(kinds) != want || !slices.Contains(catalog.Kinds(), kinds[0]) {
			t.Errorf("%s: %v, want %s", s, kinds, want)
		}
	}
	if want := []catalog.Kind{catalog.Page, catalog.Image, catalog.Other}; !slices.Equal(catalog.Kinds(), want) {
		t.Errorf("kinds %v, want %v", catalog.Kinds(), want)
	}
}
