package source

import (
	"net/http"
	"net/mail"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
)

// TestHeaderDates: dates in headers are parsed like those of mail.
func TestHeaderDates(t *testing.T) {
	for _, text := range []string{
		"Sun, 06 Nov 1994 08:49:37 GMT", // RFC 9110, 5.6.7
		"Fri, 21 Nov 1997 09:55:06 -0600", "21 Nov 1997 09:55 +0000", "Thu, 1 Jan 70 00:00:01 +0100",
		"1 Feb 2024 23:59:59 UT", "Mon, 5 May 2025 07:08 GMT",
		"Thu, 20 Nov 1997 09:55:06 -0600 (MDT)", "Thu, 13 Feb 1969 23:32 -0330 (Newfoundland Time)",
		" \t Thu,  20 Nov  1997 09:55:06 +0900 ",
		"Thu, 20 Nov 1997 09:55:06 XYZ", "Thu, 31 Feb 2020 09:55:06 GMT", "Thu, 20 Nov 1997", "yesterday", "", ",", "(",
		"Sun Nov 6 1994",
	} {
		t.Run(text, func(t *testing.T) {
			want, err := mail.ParseDate(text)
			got := (&body.Header{Fields: http.Header{"Date": {text}}}).Date()
			if err != nil {
				want = time.Time{}
			}
			if !got.Equal(want) || got.Location() != time.UTC {
				t.Errorf("%q is %v, want %v", text, got, want)
			}
		})
	}
}
