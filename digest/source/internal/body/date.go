package body

import (
	"net/http"
	"net/mail"
	"strings"
	"time"
)

// Date returns the time in the field Date; zero if it is not in the formats of mail (RFC 5322) or HTTP (RFC 9110,
// 5.6.7). A named zone counts as UTC: its meaning in the standard library depends on the location of the machine.
func (h *Header) Date() time.Time {
	text, _, _ := strings.Cut(h.Get("Date"), "(") // a comment: the name of the time zone
	text = strings.TrimSpace(text)
	t, err := mail.ParseDate(text)
	if err != nil {
		t, err = http.ParseTime(text)
	}
	switch last := text[max(len(text)-1, 0):]; {
	case err != nil:
		return time.Time{}
	case strings.Contains("0123456789", last):
		return t.UTC()
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}
