package rule

import "testing"

func TestMediaFault(t *testing.T) {
	for _, row := range []struct {
		in string
		ok bool
	}{
		{"text/html", true},
		{"text/plain; charset=us-ascii", true},
		{`text/plain; charset="us-ascii"`, true},
		{"text/plain; charset=us-ascii (Plain text)", true},
		{"(a (nested) comment) text/plain", true},
		{"multipart/mixed; boundary=gc0p4Jq0M2Yt08j34c0p; a=b", true},
		{"application/x-www-form-urlencoded", true},
		{"image/svg+xml", true},
		{"X-a.b!#$%&'*+-^_`{|}~/1", true},
		{"text/html;charset=utf-8\r\n ;a=b", true},
		{`a/b; c=""`, true},
		{`a/b; c="\"; \\"`, true},

		{"", false},
		{"text", false},
		{"text/", false},
		{"/html", false},
		{"text/html;", false},
		{"text/html; ", false},
		{"text/html charset=utf-8", false},
		{"text/html; charset", false},
		{"text/html; charset=", false},
		{"text/html; =utf-8", false},
		{"text/html; charset=utf-8 x", false},
		{"text/html, text/plain", false},
		{"text/html/x", false},
		{"text/h\xe9", false},
		{"text/html; a=\"\xe9\"", false},
		{`a/b; c="d`, false},
		{`a/b; c=,d"`, false},
		{`a/b; c="d\`, false},
		{"a/b (comment", false},
		{"a/b )", false},
		{"a/b; c=d/e", false},
		{"*/*; q=(0.5)", false},
	} {
		t.Run(row.in, func(t *testing.T) {
			if fault := MediaFault([]byte(row.in)); (fault == "") != row.ok {
				t.Errorf("the fault is %q, want none: %t", fault, row.ok)
			}
		})
	}
}
