package body

import (
	"net/http"
	"net/mail"
	"time"
)

// Date returns the time in the field Date. It returns the zero time if the field is not in a format of mail (RFC 5322)
// or HTTP (RFC 9110, 5.6.7).
func (h *Header) Date() time.Time {
	t, err := mail.ParseDate(h.Get("Date"))
	if err != nil {
		t, _ = http.ParseTime(h.Get("Date")) // the zero time if it is in neither format
	}
	return t.UTC()
}
