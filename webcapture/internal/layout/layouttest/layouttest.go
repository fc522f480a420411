// Package layouttest compares output with golden files that a person has checked.
package layouttest

import (
	"flag"
	"os"
	"strings"
	"testing"
	"unicode"
)

// Update reports whether golden files are rewritten instead of compared.
var Update = flag.Bool("update", false, "rewrite the files that hold expected output")

// Golden compares text with a golden file.
func Golden(t testing.TB, file, got string) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the output differs from %s (-update rewrites it):\n%s", file, got)
	}
}

// Lines checks the lines of text. No line may end with a space, contain an unprintable character, or be wider than
// width without its last word. A width of 0 means unlimited.
func Lines(t testing.TB, text string, width int) {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		words := strings.TrimRight(line[:strings.LastIndexByte(line, ' ')+1], " ")
		if n := len([]rune(words)); width > 0 && n > width {
			t.Errorf("line %d has %d characters before its last word: %s", i+1, n, line)
		}
		if strings.HasSuffix(line, " ") {
			t.Errorf("line %d ends with a space: %q", i+1, line)
		}
		for _, r := range line {
			if !unicode.IsPrint(r) {
				t.Errorf("line %d holds %q", i+1, r)
			}
		}
	}
}
