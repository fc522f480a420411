package body

import (
	"net/http"
	"net/mail"
	"strings"
	"time"
)

// Date returns the time in the field Date. It returns the zero time if the field is not in a format of mail (RFC 5322)
// or HTTP (RFC 9110, 5.6.7). A named time zone counts as UTC, because the standard library would interpret the name by
// the location of the machine.
func (h *Header) Date() time.Time {
	text, _, _ := strings.Cut(h.Get("Date"), "(") // remove a comment, such as the name of the time zone
	text = strings.TrimSpace(text)
	t, err := mail.ParseDate(text)
	if err != nil {
		t, _ = http.ParseTime(text) // the zero time if it is in neither format
	}
	if last := text[max(len(text)-1, 0):]; strings.Contains("0123456789", last) {
		return t.UTC()
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}
