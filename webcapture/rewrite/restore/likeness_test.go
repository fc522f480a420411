package restore

import "testing"

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
