package audit

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree"
)

var commandKey = &Rule{
	ID:      "WC613",
	Title:   "The canonical form of the URL of a command is a key of URLS.",
	Problem: "URLs of commands are not keys of URLS",
	Clause:  "ISO 32000-2:2020, 14.10.5.3",
	Level:   Note,
	Doc: "What a command retrieved first came from its URL, so the database should know that URL. It does " +
		"not when the pages were deleted since, or when the server led elsewhere. An empty path and a slash " +
		"count as the same. A URL with userinfo is not looked up.",
	Repair:    "None.",
	MayFollow: []Action{RemoveEntry, RemoveSet, Rebuild},
	CheckInfo: checkCommandKey,
}

func checkCommandKey(p *Pass, in *Info) {
	if isEmpty(p.DB.URLS) {
		return
	}
	for c := range in.each(p) {
		if u, ok := absolute(c); !ok || u.HasUserinfo || !p.Spend(3*urlCost+8*int64(len(c.URL.Bytes))) {
			continue
		}
		fs := forms(c.URL.Bytes)
		if !slices.ContainsFunc(fs, func(key string) bool {
			_, ok := firstOf(p.DB.URLS.All(nametree.Key(key)))
			return ok
		}) {
			p.Reportf(in.AtCommand(c.Index), nil, "URL %v is not a key of URLS, where it would be %v", nametree.Key(c.URL.Bytes), nametree.Key(fs[0]))
		}
	}
}
