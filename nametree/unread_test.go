package nametree_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
)

// Whatever is cut off is said to be, and nothing else is: a caller that trusts
// Unread must not take a tree for whole that is not.
func TestUnreadNamesCapsAndErrors(t *testing.T) {
	broken := errors.New("no object")
	if got := (nametree.Defect{Kind: nametree.KidsNotArray, Err: broken}).Unread(); got != broken {
		t.Errorf("Unread of a defect with an error = %v, want that", got)
	}
	for kind := nametree.RootNotDictionary; kind <= nametree.TooManyDefects; kind++ {
		isCap := strings.HasPrefix(kind.String(), "Too")
		if err := (nametree.Defect{Kind: kind}).Unread(); (err != nil) != isCap {
			t.Errorf("Unread of %v = %v", kind, err)
		}
	}
}

// A key is cut at a byte and not at a digit of one, and is seen to be.
func TestKeyShorten(t *testing.T) {
	for _, row := range []struct {
		key  nametree.Key
		n    int
		want string
	}{
		{"abc", 3, "(abc)"},
		{"abc", 2, "(ab)…"},
		{"a\x00c", 2, "<6100>…"},
		{"ab\x00", 2, "(ab)…"},
		{"", 0, "()"},
	} {
		t.Run(string(row.key), func(t *testing.T) {
			if got := row.key.Shorten(row.n); got != row.want {
				t.Errorf("%q.Shorten(%d) = %s, want %s", string(row.key), row.n, got, row.want)
			}
		})
	}
}
