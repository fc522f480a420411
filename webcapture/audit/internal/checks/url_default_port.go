package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlDefaultPort = &rule.Rule{
	ID:      "WC207",
	Title:   "Keys of URLS do not name the default port.",
	Problem: "Keys of URLS name the default port",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 f",
	Level:   rule.Error,
	Doc:     "A viewer drops port 80 of http and 21 of ftp before it looks a URL up, so the key is never found.",
	Repair:  "The port is dropped.",
	Evidence: rule.Evidence{
		Contradiction: "A default port, and the standard",
		Witness:       "The key's own bytes: canonicalization leads from it to one form, and not back",
	},
	Action:   rule.ChangeKey,
	CheckURL: checkURLDefaultPort,
}

func checkURLDefaultPort(p *rule.Pass, e *rule.Entry) {
	reportStep(p, e, 'f')
}
