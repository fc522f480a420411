// Package phrase describes a PDF file and its content database in printable lines. Reports of audits and other
// commands use it.
package phrase

import (
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// Limits of the text output about one file. JSON has all of it.
const (
	maxUnread  = 20 // parts that could not be checked
	maxNotices = 5  // notices about the file's structure
)

// Contents describes a content database on one line.
func Contents(rep *audit.Report) string {
	switch {
	case rep.Present:
	case len(rep.Unread) > 0:
		return "no Web Capture content database in what could be read"
	default:
		return "no Web Capture content database"
	}
	parts := []string{"no URLS", "no IDS"}
	if rep.HasURLS {
		parts[0] = fmt.Sprintf("%d URLS", rep.URLS)
	}
	if rep.HasIDS {
		parts[1] = fmt.Sprintf("%d IDS", rep.IDS)
	}
	for _, sets := range []struct {
		n    int
		noun string
	}{{rep.PageSets, "page set"}, {rep.ImageSets, "image set"}, {rep.OtherSets, "other content set"}} {
		if sets.n > 0 {
			parts = append(parts, layout.Count(sets.n, sets.noun))
		}
	}
	if images := digests(rep); images != "" {
		parts = append(parts, images)
	}
	switch {
	case len(parts) > 2:
	case rep.HasURLS || rep.HasIDS:
		parts = append(parts, "no content sets")
	default:
		parts = append(parts, "only traces of a database")
	}
	return strings.Join(parts, ", ")
}

// digests says how many images match their IDs by the MD5 of their data. It is empty if there are no images. With
// sources, it is also empty if no image differs and some could not be checked: the identities describe those.
func digests(rep *audit.Report) string {
	n := rep.Digests
	if n == (audit.Digests{}) || rep.Identities != nil && n.Differ == 0 && n.Unchecked > 0 {
		return ""
	}
	if n.Verified+n.Differ == 0 {
		return layout.Count(n.Unchecked, "image") + " not checkable"
	}
	return Matches(n.Verified, n.Differ, n.Unchecked, "images match their ID")
}

// Matches says how many items match, differ, and cannot be checked.
func Matches(are, differ, unknown int, what string) string {
	s := fmt.Sprintf("%d of %d %s", are, are+differ+unknown, what)
	switch {
	case differ == 1:
		s += ", 1 differs"
	case differ > 1:
		s += fmt.Sprintf(", %d differ", differ)
	}
	if unknown > 0 {
		s += fmt.Sprintf(", %d not checkable", unknown)
	}
	return s
}

// Repaired describes a file that had to be repaired to be read.
const Repaired = "read without the file's own cross-reference data"

// Notices returns all notices about the structure of a file. They may contain unprintable characters.
func Notices(rep *audit.Report) []string {
	if rep.WithoutXRef {
		return append([]string{Repaired}, rep.Notices...)
	}
	return rep.Notices
}

// NoticeLines returns the first few notices about the structure of a file, as printable lines.
func NoticeLines(rep *audit.Report) []string {
	var list []string
	if rep.WithoutXRef {
		list = append(list, "structure: "+Repaired)
	}
	for i, n := range rep.Notices {
		if i == maxNotices {
			return append(list, MoreOf(len(rep.Notices)-i))
		}
		list = append(list, "structure: "+layout.Printable(n))
	}
	return list
}

// MoreOf returns a text for n omitted items.
func MoreOf(n int) string { return fmt.Sprintf("… and %d more; --format json lists all", n) }

// UnreadLines returns the first few parts of a file that could not be checked, as printable lines.
func UnreadLines(rep *audit.Report) []string {
	var list []string
	for i, u := range rep.Unread {
		if i == maxUnread {
			more := layout.Count(len(rep.Unread)-i, "more part")
			return append(list, "… and "+more+"; --format json lists all")
		}
		list = append(list, "could not check "+Unread(u))
	}
	return list
}

// Unread describes an unchecked part and the reason on one printable line.
func Unread(u rule.Unread) string {
	return layout.Printable(u.Place.String()) + ": " + layout.OneLine(u.Err)
}
