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
			out.URL = string(u)
		}
	}
	if si.Alias != nil {
		for _, chain := range si.Alias.Chains {
			urls := make([]string, 0, len(chain))
			for _, u := range chain {
				if u.OK() {
					urls = append(urls, string(u.Bytes))
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

// readCommands reads the commands of SpiderInfo, which several sources may share. It skips unreadable ones.
func (c *Catalog) readCommands() error {
	info, err := c.reader.Info(c.db)
	if err != nil {
		return rule.NoteUnread(&c.unread, rule.Place{Part: "SpiderInfo"}, err)
	}
	if info == nil {
		return nil
	}
	for i := range info.Commands {
		if ref, ok := info.Commands[i].Object.Ref(); ok && info.Commands[i].Err == nil {
			c.commands[ref] = newCommand(&info.Commands[i])
		}
	}
	return nil
}

// command returns the command to which a source refers.
func (c *Catalog) command(stored object.Object, at rule.Place) (*Command, error) {
	if ref, ok := stored.Ref(); ok && c.commands[ref] != nil {
		return c.commands[ref], nil
	}
	in, err := c.reader.Command(stored)
	switch {
	case err != nil:
		return nil, rule.NoteUnread(&c.unread, at, err)
	case in.Dict.Raw() == nil:
		return nil, nil
	}
	return newCommand(&in), nil
}

func newCommand(in *webcapture.Command) *Command {
	levels, _ := in.Level()
	flags, _ := in.Flags()
	return &Command{
		URL: string(in.URL.Bytes), Levels: levels, SameSite: flags&webcapture.SameSite != 0,
		SamePath: flags&webcapture.SamePath != 0, Submit: flags&webcapture.Submit != 0, PostData: !in.P.IsNull(),
	}
}
