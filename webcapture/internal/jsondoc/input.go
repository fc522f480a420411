package jsondoc

import (
	"errors"
	"time"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// An Input is a file with facts about it. In the JSON of an audit, the findings of the file follow.
type Input struct {
	FilePath
	Archive    string    `json:"archive,omitempty"`
	ArchiveHex string    `json:"archiveHex,omitempty"` // if Archive is not valid UTF-8
	Outcome    string    `json:"outcome"`
	Reason     string    `json:"reason,omitempty"`
	Accepted   string    `json:"accepted,omitempty"` // why this outcome does not count
	Size       int64     `json:"size,omitempty"`
	SHA256     string    `json:"sha256,omitempty"`
	Seconds    float64   `json:"seconds,omitempty"`
	Modified   time.Time `json:"modified,omitzero"`
	Rewrite    *Rewrite  `json:"rewrite,omitempty"` // only for a rewritten file
	File       *File     `json:"file,omitempty"`
	Database   *Database `json:"database,omitempty"`
	Unread     []Unread  `json:"unread"`
	Omitted    []Omitted `json:"omitted,omitempty"`

	// About maps places of findings, as text, to descriptions of their objects.
	About map[string]string `json:"about,omitempty"`
	// Positions maps places of findings, as text, to positions in their tree, counted from 1.
	Positions map[string]string `json:"positions,omitempty"`
}

// A Rewrite is the result of rewriting a file.
type Rewrite struct {
	Steps   int  `json:"steps"`
	Written bool `json:"written"`
	Earlier bool `json:"earlier,omitempty"`

	Missing []Missing `json:"missing,omitempty"`
}

// Missing is a content set of an original that a rewrite does not restore.
type Missing struct {
	Kind     string `json:"kind"` // contentSet
	Original string `json:"original"`
	Subtype  string `json:"subtype"`
	ID       Key    `json:"id"`
	URL      Key    `json:"url"`
	Reason   string `json:"reason"`
}

// A File holds the properties of a PDF file.
type File struct {
	Size      int64    `json:"size"`
	Version   string   `json:"version"`
	Encrypted bool     `json:"encrypted"`
	Repaired  bool     `json:"repaired"`
	Notices   []string `json:"notices"`

	Restricted bool `json:"restricted,omitempty"` // see webcapture.Facts
	FullOnly   bool `json:"fullOnly,omitempty"`
}

// A Database counts the entries and content sets of a content database.
type Database struct {
	URLS      *int `json:"urls"` // null without a URLS tree
	IDS       *int `json:"ids"`
	PageSets  int  `json:"pageSets"`
	ImageSets int  `json:"imageSets"`
	OtherSets int  `json:"otherSets"`

	Digests    *Digests `json:"digests,omitempty"`    // of images; omitted without images
	Identities *Proofs  `json:"identities,omitempty"` // omitted without sources
}

// Digests counts images by whether the MD5 of their data matches their ID.
type Digests struct {
	Verified  int `json:"verified"`
	Differ    int `json:"differ"`
	Unchecked int `json:"unchecked"`
}

// Proofs counts content sets by whether their sources match their IDs.
type Proofs struct {
	Verified     int `json:"verified"`
	Mismatch     int `json:"mismatch"`
	NotCheckable int `json:"notCheckable"`
}

// An Unread is a part of a file that could not be read.
type Unread struct {
	Place  Place  `json:"place"`
	Object Ref    `json:"object,omitzero"`
	Reason string `json:"reason"`
}

// Omitted counts findings of a rule that are not listed.
type Omitted struct {
	Rule     string `json:"rule"`
	Findings int    `json:"findings"`
}

// Decode returns the omitted findings. rules maps IDs to rules.
func (o Omitted) Decode(rules map[string]*rule.Rule) (rule.Omitted, error) {
	one, ok := rules[o.Rule]
	if !ok || o.Findings < 0 {
		return rule.Omitted{}, ErrFormat
	}
	return rule.Omitted{Rule: one, Count: o.Findings}, nil
}

// Levels counts findings by level.
type Levels struct {
	Error   int `json:"error"`
	Warning int `json:"warning"`
	Note    int `json:"note"`
}

// UnreadOf returns the JSON of a part that could not be read.
func UnreadOf(u rule.Unread) Unread {
	return Unread{PlaceOf(u.Place), Ref(u.Ref), Text(u.Err.Error())}
}

// InputOf returns the JSON of the file at path. outcome is one word. reason explains why there is no report; it is
// empty if there is one.
func InputOf(path, outcome, reason string, rep *audit.Report) Input {
	in := Input{FilePath: FilePathOf(path), Outcome: outcome, Reason: reason, Unread: []Unread{}}
	if rep == nil {
		return in
	}
	if in.Database = databaseOf(rep); in.Database == nil {
		in.Reason = "no Web Capture content database"
	}
	in.File = &File{rep.Size, rep.Version, rep.Encrypted, rep.WithoutXRef, []string{}, rep.Restricted, rep.FullOnly}
	for _, n := range rep.Notices {
		in.File.Notices = append(in.File.Notices, Text(n))
	}
	for _, u := range rep.Unread {
		in.Unread = append(in.Unread, UnreadOf(u))
	}
	for _, o := range rep.Omitted {
		in.Omitted = append(in.Omitted, Omitted{o.Rule.ID, o.Count})
	}
	return in
}

// databaseOf returns nil if there is no content database.
func databaseOf(rep *audit.Report) *Database {
	if !rep.Present {
		return nil
	}
	out := &Database{PageSets: rep.PageSets, ImageSets: rep.ImageSets, OtherSets: rep.OtherSets}
	if rep.HasURLS {
		out.URLS = &rep.URLS
	}
	if rep.HasIDS {
		out.IDS = &rep.IDS
	}
	if d := (Digests{rep.DigestsVerified, rep.DigestsDiffer, rep.DigestsUnchecked}); d != (Digests{}) {
		out.Digests = &d
	}
	if rep.Identities != nil {
		out.Identities = new(Proofs)
		out.Identities.Verified, out.Identities.Mismatch, out.Identities.NotCheckable = rep.Proofs()
	}
	return out
}

// Report returns the report of an audited file, without findings, omitted findings, and identities.
func (in *Input) Report() (*audit.Report, error) {
	path, err := in.Decode()
	if err != nil {
		return nil, err
	}
	rep := &audit.Report{
		Path: path,
		Facts: webcapture.Facts{
			Size: in.File.Size, Version: in.File.Version,
			Encrypted: in.File.Encrypted, WithoutXRef: in.File.Repaired, Notices: in.File.Notices,
			Restricted: in.File.Restricted, FullOnly: in.File.FullOnly,
		},
	}
	if in.Database != nil {
		in.Database.addTo(rep)
	}
	for _, u := range in.Unread {
		rep.Unread = append(rep.Unread, rule.Unread{Place: u.Place.Decode(), Ref: object.Ref(u.Object),
			Err: errors.New(u.Reason)})
	}
	return rep, nil
}

func (d *Database) addTo(rep *audit.Report) {
	rep.Present = true
	rep.PageSets, rep.ImageSets, rep.OtherSets = d.PageSets, d.ImageSets, d.OtherSets
	if d.URLS != nil {
		rep.HasURLS, rep.URLS = true, *d.URLS
	}
	if d.IDS != nil {
		rep.HasIDS, rep.IDS = true, *d.IDS
	}
	if d.Identities != nil {
		rep.Identities = []rule.Identity{}
	}
	if n := d.Digests; n != nil {
		rep.DigestsVerified, rep.DigestsDiffer, rep.DigestsUnchecked = n.Verified, n.Differ, n.Unchecked
	}
}

// LevelsOf returns the numbers of findings by level.
func LevelsOf(rep *audit.Report) Levels {
	return Levels{rep.Count(rule.Error), rep.Count(rule.Warning), rep.Count(rule.Note)}
}
