package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlDefaultPort = &rule.Rule{
	ID:      "WC207",
	Title:   "URLS keys do not name the default port.",
	Problem: "URLS keys with a default port",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 f",
	Level:   rule.Error,
	Doc: "A viewer removes port 80 of http and port 21 of ftp before it looks up a URL. So it never finds this " +
		"key.",
	Repair: "Remove the port.",
	Evidence: rule.Evidence{
		Contradiction: "A key names a default port; the standard removes it",
		Witness:       "The key itself: canonicalization turns it into the new key, never the reverse",
	},
	Action:   rule.ChangeKey,
	CheckURL: checkURLDefaultPort,
}

func checkURLDefaultPort(p *rule.Pass, e *rule.Entry) {
	reportStep(p, e, 'f')
}
