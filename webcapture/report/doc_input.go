package report

import (
	"errors"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// An jsonInput is a file and what is known of it; in reports of audits its findings
// follow.
type jsonInput struct {
	jsonPath
	Outcome  string        `json:"outcome"`
	Reason   string        `json:"reason,omitempty"`
	File     *jsonFile     `json:"file,omitempty"`
	Database *jsonDatabase `json:"database,omitempty"`
	Unread   []jsonUnread  `json:"unread"`
}

type jsonFile struct {
	Size      int64    `json:"size"`
	Version   string   `json:"version"`
	Encrypted bool     `json:"encrypted"`
	Repaired  bool     `json:"repaired"`
	Notices   []string `json:"notices"`
}

type jsonDatabase struct {
	URLS      *int `json:"urls"` // null without such a tree
	IDS       *int `json:"ids"`
	PageSets  int  `json:"pageSets"`
	ImageSets int  `json:"imageSets"`
	OtherSets int  `json:"otherSets"`

	Digests    *jsonDigests `json:"digests,omitempty"`    // of images, if there are any
	Identities *jsonProofs  `json:"identities,omitempty"` // if sources were given
}

type jsonDigests struct {
	Verified  int `json:"verified"`
	Differ    int `json:"differ"`
	Unchecked int `json:"unchecked"`
}

type jsonProofs struct {
	Verified     int `json:"verified"`
	Mismatch     int `json:"mismatch"`
	NotCheckable int `json:"notCheckable"`
}

type jsonUnread struct {
	Place  jsonPlace `json:"place"`
	Object *jsonRef  `json:"object,omitempty"`
	Reason string    `json:"reason"`
}

type jsonLevels struct {
	Error   int `json:"error"`
	Warning int `json:"warning"`
	Note    int `json:"note"`
}

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func unread(u audit.Unread) jsonUnread {
	return jsonUnread{place(u.Place), reference(u.Ref), jsonText(u.Err.Error())}
}

// inputOf returns what there is to say of the file at path. The outcome is in one
// word; the reason says why there is no report, and is empty if there is one.
func inputOf(path, outcome, reason string, rep *audit.Report) jsonInput {
	in := jsonInput{jsonPath: pathOf(path), Outcome: outcome, Reason: reason, Unread: []jsonUnread{}}
	if rep == nil {
		return in
	}
	if in.Database = databaseOf(rep); in.Database == nil {
		in.Reason = "no Web Capture content database"
	}
	in.File = &jsonFile{rep.Size, rep.Version, rep.Encrypted, rep.Repaired, []string{}}
	for _, n := range rep.Notices {
		in.File.Notices = append(in.File.Notices, jsonText(n))
	}
	for _, u := range rep.Unread {
		in.Unread = append(in.Unread, unread(u))
	}
	return in
}

// databaseOf returns nil if there is no content database.
func databaseOf(rep *audit.Report) *jsonDatabase {
	if !rep.Present {
		return nil
	}
	out := &jsonDatabase{PageSets: rep.PageSets, ImageSets: rep.ImageSets, OtherSets: rep.OtherSets}
	if rep.HasURLS {
		out.URLS = &rep.URLS
	}
	if rep.HasIDS {
		out.IDS = &rep.IDS
	}
	if d := (jsonDigests{rep.DigestsVerified, rep.DigestsDiffer, rep.DigestsUnchecked}); d != (jsonDigests{}) {
		out.Digests = &d
	}
	if rep.Identities != nil {
		out.Identities = new(jsonProofs)
		out.Identities.Verified, out.Identities.Mismatch, out.Identities.NotCheckable = rep.Proofs()
	}
	return out
}

// report returns the report of a file that has one, without findings and
// identities.
func (in *jsonInput) report() (*audit.Report, error) {
	path, err := in.path()
	if err != nil {
		return nil, err
	}
	rep := &audit.Report{
		Path: path,
		Facts: webcapture.Facts{
			Size: in.File.Size, Version: in.File.Version,
			Encrypted: in.File.Encrypted, Repaired: in.File.Repaired, Notices: in.File.Notices,
		},
	}
	if in.Database != nil {
		in.Database.addTo(rep)
	}
	for _, u := range in.Unread {
		at, err := u.Place.place()
		if err != nil {
			return nil, err
		}
		rep.Unread = append(rep.Unread, audit.Unread{Place: at, Ref: u.Object.ref(), Err: errors.New(u.Reason)})
	}
	return rep, nil
}

func (d *jsonDatabase) addTo(rep *audit.Report) {
	rep.Present = true
	rep.PageSets, rep.ImageSets, rep.OtherSets = d.PageSets, d.ImageSets, d.OtherSets
	if d.URLS != nil {
		rep.HasURLS, rep.URLS = true, *d.URLS
	}
	if d.IDS != nil {
		rep.HasIDS, rep.IDS = true, *d.IDS
	}
	if d.Identities != nil {
		rep.Identities = []audit.Identity{}
	}
	if n := d.Digests; n != nil {
		rep.DigestsVerified, rep.DigestsDiffer, rep.DigestsUnchecked = n.Verified, n.Differ, n.Unchecked
	}
}

// levelsOf returns the numbers of findings by level.
func levelsOf(rep *audit.Report) jsonLevels {
	return jsonLevels{rep.Count(audit.Error), rep.Count(audit.Warning), rep.Count(audit.Note)}
}
