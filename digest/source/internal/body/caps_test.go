package body

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

func TestMaxCodings(t *testing.T) {
	for _, n := range []int{4, 4 + 1} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			stored := "body"
			for range n {
				stored = coded(t, "gzip", stored)
			}
			list := headerOf(t, "Content-Encoding: "+strings.Repeat("gzip, ", n)+"\n\n").Bodies(stringOpener(stored))
			if n > 4 {
				if _, err := sourcetest.ReadAll(list[1]); err != errCodings || !list[0].Coded || list[1].Coded {
					t.Errorf("%d codings: %v, want %v", n, err, errCodings)
				}
			} else if got := sourcetest.MustRead(t, list[n]); got != "body" {
				t.Errorf("%d codings: %q", n, got)
			}
		})
	}
}

// A zstd body that takes more memory than the zstd program would is an error.
func TestMaxWindow(t *testing.T) {
	for window, fits := range map[int]bool{(128 << 20): true, 2 * (128 << 20): false} {
		t.Run(fmt.Sprint(window), func(t *testing.T) {
			body := headerOf(t, "Content-Encoding: zstd\n\n").Bodies(stringOpener(sourcetest.ZstdFrame(window, "body")))[1]
			got, err := sourcetest.ReadAll(body)
			if (err == nil && string(got) == "body") != fits ||
				!fits && !strings.Contains(err.Error(), "needs more than 134217728 bytes of memory") {
				t.Errorf("a body with a window of %d bytes: %q, %v", window, got, err)
			}
		})
	}
}
