package audit

var commandStrayType = &Rule{
	ID:      "WC619",
	Title:   "Before PDF 2.0, a command has CT only with P.",
	Problem: "Commands have CT without P",
	Clause:  "ISO 32000-1:2008, 14.10.5.3, table 357",
	Level:   Warning,
	Doc: "CT is the type of the data that are posted. Without such data it says nothing; P may have been " +
		"lost.",
	Repair:    "None.",
	CheckInfo: checkCommandStrayType,
}

func checkCommandStrayType(p *Pass, in *Info) {
	if major, _ := p.version(); major >= 2 {
		return
	}
	for c := range in.each(p) {
		if !c.CT.Object.IsNull() && c.P.IsNull() {
			p.Reportf(in.AtCommand(c.Index), nil, "there is CT, but no P whose type it could be")
		}
	}
}
