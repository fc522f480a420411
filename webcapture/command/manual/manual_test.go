package manual

import "testing"

// No text in the manual page becomes a request.
func TestEscapeMan(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{".webcap.yaml", `\&.webcap.yaml`},
		{"'a'", `\&'a'`},
		{`a\b -c.`, `a\eb \-c.`},
	} {
		t.Run(tt.in, func(t *testing.T) {
			if got := escapeMan(tt.in); got != tt.want {
				t.Errorf("escapeMan(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
