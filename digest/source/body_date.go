package source

import (
	"strings"
	"time"
)

// headerDates are the ways in which dates stand in headers, without the day of the week: those of messages
// (RFC 5322, 3.3 and 4.3), of which the one of HTTP is one, and the older ones of HTTP (RFC 9110, 5.6.7).
var headerDates = func() []string {
	list := []string{"2-Jan-06 15:04:05 MST", "Jan 2 15:04:05 2006"}
	for _, day := range []string{"2 Jan 2006 ", "2 Jan 06 "} {
		for _, clock := range []string{"15:04:05 ", "15:04 "} {
			for _, zone := range []string{"-0700", "MST", "UT"} {
				list = append(list, day+clock+zone)
			}
		}
	}
	return list
}()

// date returns what the field Date says; zero if it says nothing.
func (h *header) date() time.Time {
	text, _, _ := strings.Cut(h.get("Date"), "(") // a comment: the name of the time zone
	if _, after, ok := strings.Cut(text, ","); ok {
		text = after
	}
	words := strings.Fields(text)
	if len(words) == 5 && len(words[0]) == len("Mon") { // asctime has no comma
		words = words[1:]
	}
	text = strings.Join(words, " ")
	for _, layout := range headerDates {
		if t, err := time.ParseInLocation(layout, text, time.UTC); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
