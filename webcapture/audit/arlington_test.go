package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// arlingtonSets are documents for the dictionaries of testdata/arlington.tsv
// that content sets are made of, with a place for the value of an entry.
var arlingtonSets = map[string]string{
	"WebCapturePageSet Type":  arlingtonSet("/Type /%s /S /SPS", ""),
	"WebCapturePageSet S":     arlingtonSet("/S /%s", ""),
	"WebCaptureImageSet Type": arlingtonSet("/Type /%s /S /SIS /R 1", ""),
	"WebCaptureImageSet S":    arlingtonSet("/S /%s /R 1", ""),
	"SourceInformation S":     arlingtonSet("/S /SPS", "/S %s"),
}

func arlingtonSet(entries, source string) string {
	return "names: << /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R ] >> >>\nspiderinfo: << /V 1.25 >>\n" +
		"5 0 obj << /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 6 0 R ] " + entries + " /SI << /AU (http://a.example/) " + source + " >> >>\n" +
		"6 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>\n"
}

// arlingtonRules are the rules about values that the Arlington PDF model enumerates, or the reason why the audit
// accepts other values.
var arlingtonRules = map[string]struct{ rule, why string }{
	"WebCapturePageSet Type":  {rule: "WC437"},
	"WebCapturePageSet S":     {rule: "WC401"},
	"WebCaptureImageSet Type": {rule: "WC437"},
	"WebCaptureImageSet S":    {rule: "WC401"},
	"SourceInformation S":     {rule: "WC437"},
	"WebCaptureImageSet R":    {why: "Acrobat keeps images at 0 in O (implementation note 165), which WC421 notes"},
	"WebCaptureInfo V":        {why: "all real files have 1.25"},
}

// TestValuesAgreeWithArlington makes sure that the rules accept the values that the Arlington PDF model has for an
// entry, and reject another one.
func TestValuesAgreeWithArlington(t *testing.T) {
	for _, row := range webcapturetest.Rows(t, "../../testdata/arlington.tsv") {
		name, values := row[0]+" "+row[1], row[5]
		if values == "-" {
			continue
		}
		known, ok := arlingtonRules[name]
		if !ok {
			t.Errorf("%s: no rule is said to know its values, %s", name, values)
		}
		if known.why != "" || !ok {
			continue
		}
		r, ok := Lookup(known.rule)
		if !ok {
			t.Fatalf("there is no rule %s", known.rule)
		}
		for _, v := range append(strings.Fields(values), "3") {
			d, err := webcapturetest.Parse(fmt.Sprintf(arlingtonSets[name], v))
			if err != nil {
				t.Fatal(err)
			}
			rep := auditBytes(t, d.Bytes(plainLayout), Options{Rules: []*rule.Rule{r}})
			if right := v != "3"; right != (len(rep.Findings) == 0) {
				t.Errorf("%s %s: findings %v", name, v, rep.Findings)
			}
		}
	}
}
