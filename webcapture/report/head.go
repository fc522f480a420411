package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// schema is the name and version of the JSON format. Within a version, members may be added, but existing members
// stay and keep their meaning. docs/format-audit.md describes the format.
const schema = "webcap.audit/1"

// A Head precedes the records. It describes the program and the audit.
type Head struct {
	Version string // version of webcap

	// Directory is the folder to which relative paths of inputs are relative. It is a path with slashes below the
	// base of results, empty for the base itself, or an absolute path. So paths mean the same files if results are
	// moved, or the audit is called from another folder.
	Directory string

	// Settings are the settings that affect records. They are empty if the run cannot resume.
	Settings []string

	// Configuration has a clause for each setting of a configuration file or the environment that changes what an
	// audit checks or reports, or its exit code. An example is "3 rules disabled by .webcap.yaml".
	Configuration []string

	Sources []Source     // sources of the audit, in order
	Rules   []*rule.Rule // checked rules, in order
}

// A Source is a source with which the audit compared content sets.
type Source struct {
	Name string `json:"name"` // as given
	source.Stats
}

// The objects of the JSON document. Its members have a fixed order (schema, tool, rules, inputs, summary), so that
// a Reader holds only one record at a time.
type jsonHead struct {
	Schema string       `json:"schema"`
	Tool   jsondoc.Tool `json:"tool"`
	jsonDirectory
	Settings      []string `json:"settings,omitempty"`
	Configuration []string `json:"configuration,omitempty"`
	Sources       []Source `json:"sources,omitempty"`
}

type jsonDirectory struct {
	Directory    string `json:"directory,omitempty"`
	DirectoryHex string `json:"directoryHex,omitempty"` // if Directory is not valid UTF-8
}

// rulesJSON is the member that follows those of a jsonHead.
type rulesJSON struct {
	Rules []jsonRule `json:"rules"`
}

type jsonRule struct {
	ID      string     `json:"id"`
	Level   rule.Level `json:"level"`
	Clause  string     `json:"clause"`
	Title   string     `json:"title"`
	Problem string     `json:"problem"`
}

// json returns the JSON of the head without its rules.
func (h *Head) json() jsonHead {
	at := jsondoc.FilePathOf(h.Directory)
	var configuration []string
	for _, clause := range h.Configuration {
		configuration = append(configuration, rule.Text(clause))
	}
	return jsonHead{schema, jsondoc.ToolOf(h.Version), jsonDirectory{at.Path, at.PathHex}, h.Settings,
		configuration, h.Sources}
}

// definitions returns the JSON of the rules; never nil.
func (h *Head) definitions() []jsonRule {
	list := make([]jsonRule, len(h.Rules))
	for i, r := range h.Rules {
		list[i] = jsonRule{r.ID, r.Level, r.Clause, r.Title, r.Problem}
	}
	return list
}

// MarshalJSON returns the source with texts that are valid UTF-8.
func (s Source) MarshalJSON() ([]byte, error) {
	s.Name = rule.Text(s.Name)
	s.Skipped = append([]source.Skip{}, s.Skipped...) // an empty list, not null
	for i := range s.Skipped {
		s.Skipped[i].Reason, s.Skipped[i].First = rule.Text(s.Skipped[i].Reason), rule.Text(s.Skipped[i].First)
	}
	type members Source // without this method
	return jsondoc.Marshal(members(s)), nil
}

// readHead sets the head to the members in b.
func (r *Reader) readHead(b []byte) (err error) {
	var h struct {
		jsonHead
		rulesJSON
	}
	if err := json.Unmarshal(b, &h); err != nil {
		return err
	}
	if h.Schema != schema {
		return fmt.Errorf("results in the format %q, which is not %s", h.Schema, schema)
	}
	r.head.Version = h.Tool.Version
	directory := jsondoc.FilePath{Path: h.Directory, PathHex: h.DirectoryHex}
	if r.head.Directory, err = directory.Decode(); err != nil {
		return err
	}
	r.head.Settings, r.head.Configuration, r.head.Sources = h.Settings, h.Configuration, h.Sources
	for _, j := range h.Rules {
		known := new(rule.Rule)
		if ours, ok := audit.Lookup(j.ID); ok {
			*known = *ours
		}
		if j.Level == 0 {
			return jsondoc.ErrFormat
		}
		known.ID, known.Level, known.Title, known.Clause = j.ID, j.Level, j.Title, j.Clause
		known.Problem = cmp.Or(j.Problem, known.Problem, j.Title)
		r.head.Rules = append(r.head.Rules, known)
		r.rules[j.ID] = known
	}
	return nil
}

// FolderSetting is the prefix of the setting for the folder of a run. The setting exists if relative names would
// mean other files in another folder.
const FolderSetting = "folder "

// Difference describes the difference between two heads that prevents combining their records, or returns "". The
// text fits after "it has": it names what a has. The folders of the runs may differ.
func Difference(a, b Head) string {
	return cmp.Or(differentAudit(a, b), difference("setting", a.settings(), b.settings()))
}

// differentAudit is Difference without the settings.
func differentAudit(a, b Head) string {
	if a.Version != b.Version {
		return fmt.Sprintf("another version of webcap, %s instead of %s", a.Version, b.Version)
	}
	return cmp.Or(difference("rule", a.rules(), b.rules()), difference("source", a.sources(), b.sources()))
}

// difference describes the difference between two lists of things, by the first thing that only one list has.
func difference(noun string, a, b []string) string {
	without := func(list, other []string) string {
		i := slices.IndexFunc(list, func(s string) bool { return !slices.Contains(other, s) })
		if i < 0 {
			return ""
		}
		return list[i]
	}
	onlyA, onlyB := without(a, b), without(b, a)
	switch {
	case onlyA != "" && onlyB != "":
		return fmt.Sprintf("the %s %s instead of %s", noun, onlyA, onlyB)
	case onlyA != "":
		return fmt.Sprintf("the %s %s", noun, onlyA)
	case onlyB != "":
		return fmt.Sprintf("no %s %s", noun, onlyB)
	case !slices.Equal(a, b):
		return fmt.Sprintf("the %ss in another order", noun)
	}
	return ""
}

func (h *Head) rules() (list []string) {
	for _, r := range h.Rules {
		list = append(list, fmt.Sprintf("%s (%v)", r.ID, r.Level))
	}
	return list
}

func (h *Head) sources() (list []string) {
	for _, s := range h.Sources {
		list = append(list, fmt.Sprintf("%s with %s and %d replies", s.Name, layout.Count(s.Files, "file"), s.Kept))
	}
	return list
}

func (h *Head) settings() []string {
	return slices.DeleteFunc(slices.Clone(h.Settings), func(s string) bool { return strings.HasPrefix(s, FolderSetting) })
}
