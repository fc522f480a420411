package rule

import (
	"fmt"
	"time"
)

// ParseDate parses a date D:YYYYMMDDHHmmSSOHH'mm (ISO 32000-2:2020, 7.9.4). A part after the year may be absent if all
// later parts are absent too. ParseDate also accepts an apostrophe at the end, as in PDF 1.7, and Z alone as the zone,
// which Acrobat writes. A date without a zone, as written by Acrobat 5 and 6, is in UTC. fault describes the error in
// the date; it is empty for a valid date.
func ParseDate(b []byte) (t time.Time, fault string) {
	if len(b) < 2 || b[0] != 'D' || b[1] != ':' {
		return t, "it does not begin with D:"
	}
	b = b[2:]
	if len(b) < 4 || number(b[:4]) < 0 {
		return t, "the year does not have four digits"
	}
	year := number(b[:4])
	b = b[4:]
	parts := [...]struct {
		name              string
		least, most, here int
	}{{"month", 1, 12, 1}, {"day", 1, 31, 1}, {"hour", 0, 23, 0}, {"minute", 0, 59, 0}, {"second", 0, 59, 0}}
	for i := range parts {
		p := &parts[i]
		if len(b) == 0 {
			break
		}
		if len(b) < 2 || number(b[:2]) < 0 {
			return t, "the " + p.name + " does not have two digits"
		}
		if p.here = number(b[:2]); p.here < p.least || p.here > p.most {
			return t, fmt.Sprintf("there is no %s %d", p.name, p.here)
		}
		b = b[2:]
	}
	offset, fault := zone(b)
	if fault != "" {
		return t, fault
	}
	month, day := time.Month(parts[0].here), parts[1].here
	t = time.Date(year, month, day, parts[2].here, parts[3].here, parts[4].here, 0, time.UTC)
	if t.Day() != day {
		return t, fmt.Sprintf("%v %d has no day %d", month, year, day)
	}
	return t.Add(-time.Duration(offset) * time.Minute), ""
}

// zone parses the end of a date: empty, Z, OHH, OHH', OHH'mm, or OHH'mm'. It returns how many minutes the zone is ahead
// of UTC.
func zone(b []byte) (minutes int, fault string) {
	if len(b) == 0 || len(b) == 1 && b[0] == 'Z' {
		return 0, ""
	}
	sign := 0
	switch b[0] {
	case 'Z':
	case '+':
		sign = 1
	case '-':
		sign = -1
	default:
		return 0, "the text after the seconds is not a time zone"
	}
	b = b[1:]
	if len(b) < 2 || number(b[:2]) < 0 || number(b[:2]) > 23 {
		return 0, "the hours of the time zone are not 00 to 23"
	}
	minutes = 60 * number(b[:2])
	if b = b[2:]; len(b) == 0 || len(b) == 1 && b[0] == '\'' {
		return sign * minutes, ""
	}
	if b[0] != '\'' {
		return 0, "the apostrophe after the hours of the time zone is missing"
	}
	if b = b[1:]; len(b) < 2 || number(b[:2]) < 0 || number(b[:2]) > 59 {
		return 0, "the minutes of the time zone are not 00 to 59"
	}
	minutes += number(b[:2])
	if b = b[2:]; len(b) > 1 || len(b) == 1 && b[0] != '\'' {
		return 0, "the date continues after the time zone"
	}
	return sign * minutes, ""
}

// number returns the value of decimal digits; -1 if any byte is not a digit.
func number(b []byte) int {
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return -1
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// DateMemo caches the last parsed date. The dates of a content set and of its sources are usually equal, and several
// rules need each of them.
type DateMemo struct {
	text  [32]byte
	n     int
	t     time.Time
	fault string
}

func (m *DateMemo) Parse(b []byte) (time.Time, string) {
	if m.n > 0 && string(m.text[:m.n]) == string(b) {
		return m.t, m.fault
	}
	t, fault := ParseDate(b)
	if m.n = 0; len(b) <= len(m.text) {
		m.n, m.t, m.fault = copy(m.text[:], b), t, fault
	}
	return t, fault
}

// DateLayout is the format of dates in messages.
const DateLayout = "2006-01-02 15:04:05 UTC"
