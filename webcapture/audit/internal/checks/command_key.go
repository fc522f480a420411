package checks

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandKey = &rule.Rule{
	ID:      "WC613",
	Title:   "The canonical form of the URL of a command is a key of URLS.",
	Problem: "Command URLs that are not keys of URLS",
	Clause:  "ISO 32000-2:2020, 14.10.5.3",
	Level:   rule.Note,
	Doc: "A command first retrieves its own URL, so the database should have that URL. It is missing if the pages " +
		"were deleted later, or if the server redirected the command. An empty path and a slash count as the same. " +
		"webcap does not look up a URL with userinfo.",
	Repair:    "None.",
	MayFollow: []rule.Action{rule.RemoveEntry, rule.RemoveSet, rule.Rebuild},
	CheckInfo: checkCommandKey,
}

func checkCommandKey(p *rule.Pass, in *rule.Info) {
	if isEmpty(p.DB.URLS) {
		return
	}
	for c := range commandsOf(in, p) {
		if u, ok := absolute(c); !ok || u.HasUserinfo || !p.Spend(3*rule.URLCost+8*int64(len(c.URL.Bytes))) {
			continue
		}
		fs := rule.Forms(c.URL.Bytes)
		if !slices.ContainsFunc(fs, func(key string) bool {
			_, ok := rule.FirstOf(p.DB.URLS.All(nametree.Key(key)))
			return ok
		}) {
			p.Reportf(in.AtCommand(c.Index), nil, "URL %v is not in URLS, expected the key %v",
				nametree.Key(c.URL.Bytes), nametree.Key(fs[0]))
		}
	}
}
