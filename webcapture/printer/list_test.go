package printer

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
)

// What could not be read is told in one way, bytes that are not text included.
func TestUnreadInJSON(t *testing.T) {
	u := audit.Unread{Place: audit.Place{Part: "Info"}, Err: errors.New("name a\xffb")}
	var out bytes.Buffer
	w := NewListJSON(&out)
	if err := w.Unread(u); err != nil {
		t.Fatal(err)
	}
	if want := `"reason":"name a\\xffb"`; !strings.Contains(out.String(), want) {
		t.Errorf("%s is not in %s", want, out.String())
	}
}
