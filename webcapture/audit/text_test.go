package audit

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestLongKeysAreCut: a message shows the beginning of a long key, and all of one that
// is just short enough.
func TestLongKeysAreCut(t *testing.T) {
	long := nametree.Key(strings.Repeat("a", rule.MaxShown))
	if got := rule.Short(long); got != long.String() {
		t.Errorf("a key of %d bytes is cut to %d", len(long), len(got))
	}
	if got := rule.Short(long + "b"); got != long.String()+"…" {
		t.Errorf("a key of %d bytes is %s", len(long)+1, got)
	}
}

// TestMessagesAreShort: messages about long keys and texts show only their beginning.
func TestMessagesAreShort(t *testing.T) {
	long := strings.Repeat("../", 5000)
	rep := auditText(t, strings.ReplaceAll("names: << /URLS << /Names [ (HTTP://a.example/LONG) 5 0 R (LONG) 7 ] >> /IDS << /Names [ (LONG) 5 0 R ] >> >>\n"+
		"5 0 obj << /S /SPS /ID "+idA+" /O [ 6 0 R ] /CT (LONG) /TS (LONG) /SI << /AU (http://b.example/LONG) >> >>\n"+
		"6 0 obj << /Type /Page /ID (LONG) /Annots [ << /Subtype /Link /PA << /S /URI /URI (http://a.example/LONG) >> >> ] >>\n", "LONG", long), plainLayout, Options{})
	for _, f := range rep.Findings {
		if len(f.Message) > 4*rule.MaxShown {
			t.Errorf("%s: %d bytes", f.Rule.ID, len(f.Message))
		}
	}
	if len(rep.Findings) < 10 {
		t.Errorf("only %d findings", len(rep.Findings))
	}
}

// TestByteAt: a byte is shown with the characters that it may stand for, but never with one that controls a terminal.
func TestByteAt(t *testing.T) {
	for _, row := range []struct{ in, want string }{
		{"Nov\xfd", "FD at byte 3, ý in Windows-1250 and Windows-1252"},
		{"\xf8", "F8 at byte 0, ř in Windows-1250, ø in Windows-1252"},
		{"abc\xc3\xa9", "C3A9 at byte 3, é in UTF-8"},
		{"\xe2\x82\xac", "E282AC at byte 0, € in UTF-8"},
		{"\xc3", "C3 at byte 0, Ă in Windows-1250, Ã in Windows-1252"},
		{"\x81", "81 at byte 0"},
		{"\x83", "83 at byte 0, ƒ in Windows-1252"},
		{"\xa0", "A0 at byte 0"},
		{"\x1b", "1B at byte 0"},
		{"\xe2\x80\xae", "E280AE at byte 0"}, // turns the direction of writing
	} {
		t.Run(row.in, func(t *testing.T) {
			at := strings.IndexFunc(row.in, func(r rune) bool { return r < ' ' || r > '~' })
			if got := rule.ByteAt([]byte(row.in), at); got != row.want {
				t.Errorf("byteAt(%q, %d) = %q, want %q", row.in, at, got, row.want)
			}
		})
	}
}
