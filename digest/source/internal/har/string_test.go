package har

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestStringsAcrossBuffers: a JSON string is decoded as by encoding/json, for any position of the end of the buffer.
func TestStringsAcrossBuffers(t *testing.T) {
	const size = 16 // the least that a bufio.Reader has
	reader := func(r io.Reader) *stringReader { return &stringReader{in: bufio.NewReaderSize(r, size)} }
	for _, text := range []string{
		"", "a", `\n`, `\"`, `\\`, `\u00e9`, "é", "€", "😀", `\ud83d\ude00`, `\uD83D\uDE00`, `\ud83d`, `\ud83dx`,
		`\ud800\udc00`, `\ud800\udfff`, `\ud800\udb00`, `\uDBFF\uDCFF`, `\u00e9\u00e9`,
		// Not the second half of a pair, and the end of the string is close.
		`\u0041xxdc`, `\u0041xudc`, `\u0041\ndc`, `\u0041\u00dc`,
		`\ud83d\n`, `\ude00\ud83d`,
		`\ud83d\ud83d\ude00`, "\xff", "\xe2\x82", "é\\\"😀\\u00e9€", strings.Repeat("€", 20),
		strings.Repeat(`\ud83d\ude00`, 9),
	} {
		t.Run(text, func(t *testing.T) {
			for pad := range 2 * size {
				quoted := strings.Repeat("x", pad) + text + `"`
				var want string
				if err := json.Unmarshal([]byte(`"`+quoted), &want); err != nil {
					t.Fatal(err)
				}
				for _, after := range []string{"", `, "more": "`} {
					got, err := io.ReadAll(reader(strings.NewReader(quoted + after)))
					if string(got) != want || err != nil {
						t.Errorf("%q: %q, %v, want %q", quoted, got, err, want)
					}
				}
				cut := strings.TrimSuffix(quoted, `"`)
				if got, err := io.ReadAll(reader(strings.NewReader(cut))); string(got) != want || err == nil {
					t.Errorf("%q, which does not end: %q, %v, want %q", cut, got, err, want)
				}
				for _, begun := range []string{`\`, `\u`, `\u00e`} {
					if got, err := io.ReadAll(reader(strings.NewReader(cut + begun))); string(got) != want ||
						err != io.ErrUnexpectedEOF {
						t.Errorf("%q, which ends in an escape: %q, %v, want %q", cut+begun, got, err, want)
					}
				}
				disk := errors.New("the disk has failed")
				if _, err := io.ReadAll(reader(io.MultiReader(strings.NewReader(cut),
					iotest.ErrReader(disk)))); !errors.Is(err, disk) {
					t.Errorf("%q, and then an error: %v", cut, err)
				}
			}
		})
	}
}
