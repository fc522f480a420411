package audit

var commandStrayType2 = &Rule{
	ID:      "WC620",
	Title:   "From PDF 2.0 on, a command has CT only with P.",
	Problem: "Commands have CT without P, which PDF 2.0 forbids",
	Clause:  "ISO 32000-2:2020, 14.10.5.3, table 393",
	Level:   Error,
	Doc: "CT is the type of the data that are posted, and PDF 2.0 forbids it where there are none. P may " +
		"have been lost.",
	Repair:    "None.",
	CheckInfo: checkCommandStrayType2,
}

func checkCommandStrayType2(p *Pass, in *Info) {
	if major, _ := p.version(); major < 2 {
		return
	}
	for c := range in.each(p) {
		if !c.CT.Object.IsNull() && c.P.IsNull() {
			p.Reportf(in.AtCommand(c.Index), nil, "there is CT, but no P whose type it could be")
		}
	}
}
