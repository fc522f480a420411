package restore

import (
	"strings"
	"testing"
	"testing/iotest"
)

func TestStringsIn(t *testing.T) {
	for in, want := range map[string]string{
		"(a) Tj % (b)\n<63> Tj": "ac", "%(a)": "", "% (a)\r(b)": "b", "[ (a) 1 (b) ] TJ": "ab", "<< /A (a) >>": "",
		"(a": "",
	} {
		t.Run(in, func(t *testing.T) {
			if got := string(stringsIn([]byte(in))); got != want {
				t.Errorf("stringsIn(%q) = %q, want %q", in, got, want)
			}
		})
	}
}

// TestHashOfJPEG: a line end after a JPEG file does not change the hash. Other bytes do, and so does a line end
// after other data.
func TestHashOfJPEG(t *testing.T) {
	const jpeg = "\xff\xd8data\xff\xd9"
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"a line feed":              {jpeg, jpeg + "\n", true},
		"a carriage return, too":   {jpeg + "\r\n", jpeg, true},
		"three bytes":              {jpeg, jpeg + "abc", false},
		"other data":               {jpeg, strings.Replace(jpeg, "data", "dato", 1), false},
		"samples that end like it": {jpeg[2:], jpeg[2:] + "\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			var l likeness
			a, err := l.hashOf(strings.NewReader(c.a), nil)
			if err != nil {
				t.Fatal(err)
			}
			b, err := l.hashOf(iotest.OneByteReader(strings.NewReader(c.b)), nil)
			if err != nil {
				t.Fatal(err)
			}
			if (a == b) != c.same {
				t.Errorf("the hashes are %x and %x", a, b)
			}
		})
	}
}
