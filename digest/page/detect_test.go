package page

import (
	"testing"

	"github.com/webcap-tools/webcap/digest/source"
)

func TestEssence(t *testing.T) {
	for _, row := range []struct{ name, mediaType, want string }{
		{"nothing", "", ""},
		{"capitals", " Text/HTML ", "text/html"},
		{"a parameter", "text/html; charset=utf-8", "text/html"},
		{"a parameter twice", "text/html; charset=a; charset=b", "text/html"},
		{"a parameter without a value", "text/html;charset", "text/html"},
		{"two types", "text/html, text/css", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := essence(row.mediaType); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

// TestDeclaredTypesCount: the detected type counts only if the source declares none, an invalid one, or unknown data.
func TestDeclaredTypesCount(t *testing.T) {
	const detected = "image/gif"
	for declared, want := range map[string]string{
		"": detected, " ": detected, "Application/Octet-Stream; x=1": detected, "unknown/unknown": detected,
		"text/css": "text/css", "text/html, text/css": detected, "/": detected,
	} {
		t.Run(declared, func(t *testing.T) {
			if got := typeOf(declared, source.Sums{MediaType: detected}); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
