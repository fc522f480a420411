package catalog

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// source builds the Source of a source information dictionary.
func (c *Catalog) source(si *webcapture.SourceInfo, at rule.Place) (out Source, err error) {
	for role, u := range si.URLs() {
		if role == webcapture.Destination {
			out.URL = Text(u)
		}
	}
	if si.Alias != nil {
		for _, chain := range si.Alias.Chains {
			urls := make([]Text, 0, len(chain))
			for _, u := range chain {
				if u.OK() {
					urls = append(urls, Text(u.Bytes))
				}
			}
			out.Redirects = append(out.Redirects, urls)
		}
	}
	if out.TS, err = c.date(si.TS, at); err != nil {
		return out, err
	}
	if out.E, err = c.date(si.E, at); err != nil {
		return out, err
	}
	s, err := c.reader.Resolve(si.S)
	if err != nil {
		return out, rule.NoteUnread(&c.unread, at, err)
	}
	switch n, _ := s.Int(); n {
	case 1:
		out.Submitted = "GET"
	case 2:
		out.Submitted = "POST"
	}
	out.Command, err = c.command(si.C, at)
	return out, err
}

// command returns the command to which a source refers; nil if there is none.
func (c *Catalog) command(stored object.Object, at rule.Place) (*Command, error) {
	in, err := c.reader.Command(stored)
	switch {
	case err != nil:
		return nil, rule.NoteUnread(&c.unread, at, err)
	case in.Dict.Raw() == nil:
		return nil, nil
	}
	levels, _ := in.Level()
	flags, _ := in.Flags()
	return &Command{URL: Text(in.URL.Bytes), Levels: levels, SameSite: flags&webcapture.SameSite != 0,
		SamePath: flags&webcapture.SamePath != 0, Submit: flags&webcapture.Submit != 0, PostData: !in.P.IsNull()}, nil
}
