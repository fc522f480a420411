package page

import "testing"

func TestDetect(t *testing.T) {
	for _, row := range []struct{ name, head, want string }{
		{"nothing", "", "text/plain"},
		{"text", "body {}", "text/plain"},
		{"a NUL", "a\x00", "application/octet-stream"},
		{"a PDF file", "%PDF-1.7", "application/pdf"},
		{"PostScript, in which something looks like a tag", "%!PS-Adobe-3.0 <p>", "application/postscript"},
		{"an image", "RIFF1234WEBPVP8 ", "image/webp"},
		{"an image, in which something looks like a tag", "GIF89a<p>", "image/gif"},
		{"HTML", " \n<!DOCTYPE HTML>", "text/html"},
		{"HTML after a declaration", "<?xml version='1.0'?><html>", "text/xml"},
		{"HTML that begins with text", "Hello <IMG src=a>", "text/html"},
		{"HTML that begins with another tag", "<center>", "text/html"},
		{"HTML in UTF-16", "\xff\xfe<\x00p\x00>\x00", "text/html"},
		{"an unknown tag", "<pre>", "text/plain"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := detect([]byte(row.head)); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}

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

// TestDeclaredTypesCount: the detected type counts only if the source declares none, or unknown data.
func TestDeclaredTypesCount(t *testing.T) {
	const detected = "image/gif"
	for declared, want := range map[string]string{
		"": detected, " ": detected, "Application/Octet-Stream; x=1": detected, "unknown/unknown": detected,
		"text/css": "text/css", "text/html, text/css": "text/html, text/css", "/": "/",
	} {
		t.Run(declared, func(t *testing.T) {
			if got := typeOf(declared, detected); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
