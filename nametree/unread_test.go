package nametree_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
)

// Unread reports the exceeded limit and each error, and nothing else: a caller that trusts it must not treat a partial
// tree as complete.
func TestUnreadNamesCapsAndErrors(t *testing.T) {
	broken := errors.New("no object")
	if got := (nametree.Defect{Kind: nametree.KidsNotArray, Err: broken}).Unread(); got != broken {
		t.Errorf("Unread of a defect with an error = %v, want that", got)
	}
	for kind := nametree.RootNotDictionary; kind <= nametree.TooDeep; kind++ {
		isCap := strings.HasPrefix(kind.String(), "Too")
		if err := (nametree.Defect{Kind: kind}).Unread(); (err != nil) != isCap {
			t.Errorf("Unread of %v = %v", kind, err)
		}
	}
}

// A key is cut between bytes, not between the digits of one, and the cut is visible.
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
