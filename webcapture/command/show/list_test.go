package show

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Unread parts have one form, even if their text is not UTF-8.
func TestUnreadInJSON(t *testing.T) {
	u := rule.Unread{Place: rule.Place{Part: "Info"}, Err: errors.New("name a\xffb")}
	var out bytes.Buffer
	l := &List{Report: new(audit.Report), Unread: []rule.Unread{u}}
	if err := WriteListJSON(&out, l); err != nil {
		t.Fatal(err)
	}
	if want := `"reason":"name a\\xffb"`; !strings.Contains(out.String(), want) {
		t.Errorf("%s is not in %s", want, out.String())
	}
}

// An empty list also has its arrays, and the summary counts the contents.
func TestListJSON(t *testing.T) {
	for _, unread := range []int{0, 2} {
		t.Run(fmt.Sprint(unread), func(t *testing.T) {
			var out bytes.Buffer
			l := &List{Report: &audit.Report{Path: "a.pdf"}, Version: "v1", Complete: true}
			for range unread {
				l.Unread = append(l.Unread, rule.Unread{Err: errors.New("torn")})
			}
			if err := WriteListJSON(&out, l); err != nil {
				t.Fatal(err)
			}
			var doc struct {
				Schema                       string
				Entries, ContentSets, Unread []any
				Summary                      struct {
					Unread   int
					Complete bool
				}
			}
			if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
			if doc.Schema != listSchema || doc.Entries == nil || doc.ContentSets == nil || len(doc.Unread) != unread ||
				doc.Summary.Unread != unread || !doc.Summary.Complete {
				t.Errorf("%d parts could not be read:\n%s", unread, out.String())
			}
		})
	}
}

// An interrupted list is marked in both forms, and write errors are returned.
func TestListEnds(t *testing.T) {
	l := &List{Report: &audit.Report{Path: "a.pdf"},
		Trees: []*webcapture.Tree{{Tree: new(nametree.Tree), Name: webcapture.URLS}}}
	var text, document bytes.Buffer
	if err := errors.Join(WriteList(&text, l, 0), WriteListJSON(&document, l)); err != nil {
		t.Fatal(err)
	}
	if want := "\nURLS: no entries\n\nThe list is incomplete: the rest was not read.\n"; !strings.HasSuffix(text.String(),
		want) {
		t.Errorf("the text does not end with %q:\n%s", want, text.String())
	}
	if want := `"complete":false`; !strings.Contains(document.String(), want) {
		t.Errorf("%s is not in %s", want, document.String())
	}
	for name, err := range map[string]error{"text": WriteList(fullDisk{}, l, 0), "JSON": WriteListJSON(fullDisk{}, l)} {
		t.Run(name, func(t *testing.T) {
			if !errors.Is(err, errFull) {
				t.Errorf("%s: error %v, want %v", name, err, errFull)
			}
		})
	}
}

// A list names unreadable parts at its end.
func TestListNamesUnreadParts(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "\nCould not be read\n  PLACE: REASON\n  Info: torn\n",
		2: "\nCould not be read\n  PLACE: REASON\n  Info: torn\n  Info: torn\n"} {
		l := &List{Report: &audit.Report{Path: "a.pdf"}, Complete: true}
		for range n {
			l.Unread = append(l.Unread, rule.Unread{Place: rule.Place{Part: "Info"}, Err: errors.New("torn")})
		}
		var out bytes.Buffer
		if err := WriteList(&out, l, 0); err != nil {
			t.Fatal(err)
		}
		if _, rest, _ := strings.Cut(out.String(), "\n"); rest != want {
			t.Errorf("%d parts: %q, want %q", n, rest, want)
		}
	}
}
