package rule

import (
	"strings"
	"testing"
	"time"
)

func TestParseDate(t *testing.T) {
	at := func(y int, mo time.Month, d, h, mi, s int) time.Time {
		return time.Date(y, mo, d, h, mi, s, 0, time.UTC)
	}
	for _, row := range []struct {
		in   string
		want time.Time
	}{
		// Forms of Acrobat 8 and later, of Acrobat 5 and 6, and of the editions of the standard.
		{"D:20080513140330Z", at(2008, 5, 13, 14, 3, 30)},
		{"D:20030916170530", at(2003, 9, 16, 17, 5, 30)},
		{"D:20080513140330+02'30", at(2008, 5, 13, 11, 33, 30)},
		{"D:20080513140330-08'00'", at(2008, 5, 13, 22, 3, 30)},
		{"D:20080513140330+00'00'", at(2008, 5, 13, 14, 3, 30)},
		{"D:20080513140330Z00'00'", at(2008, 5, 13, 14, 3, 30)},
		{"D:20080513140330Z00'00", at(2008, 5, 13, 14, 3, 30)},
		{"D:20080513140330+02", at(2008, 5, 13, 12, 3, 30)},
		{"D:20080513140330+02'", at(2008, 5, 13, 12, 3, 30)},
		{"D:20080101003000+01'00", at(2007, 12, 31, 23, 30, 0)},

		// Parts left out.
		{"D:200805131403", at(2008, 5, 13, 14, 3, 0)},
		{"D:2008051314", at(2008, 5, 13, 14, 0, 0)},
		{"D:20080513", at(2008, 5, 13, 0, 0, 0)},
		{"D:200805", at(2008, 5, 1, 0, 0, 0)},
		{"D:2008", at(2008, 1, 1, 0, 0, 0)},

		// The ends of ranges.
		{"D:20081231235959", at(2008, 12, 31, 23, 59, 59)},
		{"D:20080229", at(2008, 2, 29, 0, 0, 0)},
		{"D:20000229", at(2000, 2, 29, 0, 0, 0)},
		{"D:00010101", at(1, 1, 1, 0, 0, 0)},
		{"D:0000", at(0, 1, 1, 0, 0, 0)},
		{"D:9999", at(9999, 1, 1, 0, 0, 0)},
		{"D:20080513140330+23'59", at(2008, 5, 12, 14, 4, 30)},
	} {
		t.Run(row.in, func(t *testing.T) {
			got, fault := ParseDate([]byte(row.in))
			if fault != "" || !got.Equal(row.want) {
				t.Errorf("ParseDate(%q) = %v, %q, want %v", row.in, got, fault, row.want)
			}
		})
	}
}

// TestDatesAreNotRemembered: the result for a date does not depend on dates that were parsed before.
func TestDatesAreNotRemembered(t *testing.T) {
	var m DateMemo
	for _, in := range []string{"", "D:2008", "D:2009", "D:2008", "", "D:2010", strings.Repeat("D", 33), "D:2010",
		"D:201", "D:2010", strings.Repeat("D", 32)} {
		t.Run(in, func(t *testing.T) {
			got, fault := m.Parse([]byte(in))
			if want, wrong := ParseDate([]byte(in)); !got.Equal(want) || fault != wrong {
				t.Errorf("%q: %v, %q, want %v, %q", in, got, fault, want, wrong)
			}
		})
	}
}
