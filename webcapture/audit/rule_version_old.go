package audit

var versionOld = &Rule{
	ID:      "WC607",
	Title:   "A file with Web Capture has at least version 1.3 of PDF.",
	Problem: "The PDF version is older than Web Capture",
	Clause:  "ISO 32000-2:2020, 14.10.1",
	Level:   Warning,
	Doc: "Web Capture came with PDF 1.3. A reader that goes by the version of an older file does not look " +
		"for it.",
	Repair:    "None: the version is in the header of the file.",
	MayFollow: []Action{Rebuild},
	CheckInfo: checkVersionOld,
}

func checkVersionOld(p *Pass, _ *Info) {
	if major, minor := p.version(); p.DB.Present() && major == 1 && minor < 3 {
		p.Reportf(Place{}, nil, "there is Web Capture in a file of version %s, should be 1.3 or later", p.DB.Version)
	}
}
