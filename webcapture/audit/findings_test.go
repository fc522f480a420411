package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Parts of the documents below. No row is about these URLs and IDs themselves.
const (
	idA, idB = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>"

	inURLS = "names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >>\n"
	fromA  = " /SI << /AU (http://a.example/) >>"
	images = "\n7 0 obj << /Subtype /Image >> stream\nx\nendstream\n8 0 obj << /Subtype /Image >> stream\ny\nendstream\n"
)

// TestFindingsOfOneRule: all findings of a rule in a document, in cases where a check of only the first or the usual
// objects would miss some.
func TestFindingsOfOneRule(t *testing.T) {
	pages := func(o, rest string) string {
		return inURLS + "5 0 obj << /S /SPS /ID " + idA + " /O " + o + fromA + " >>\n6 0 obj << /Type /Page /ID " + idA + " >>\n" + rest
	}
	counts := func(o, r string) string {
		return inURLS + "5 0 obj << /S /SIS /ID " + idA + " /O " + o + " /R " + r + fromA + " >>" + images
	}
	shown := func(pages string) string { return counts("[ 7 0 R 8 0 R ]", "[ 1 1 ]") + pages }
	unused := func(list ...string) (want []string) {
		for _, s := range list {
			want = append(want, "content set 5 0 R, member "+s+
				": R of the image is 0: neither a page nor its forms list the image as a resource")
		}
		return want
	}
	sources := func(si string) string {
		return inURLS + "5 0 obj << /S /SPS /ID " + idA + " /O [ 6 0 R ] /SI [ " + si + " ] >>\n6 0 obj << /Type /Page /ID " + idA + " >>\n"
	}
	links := func(annots string) string {
		return inURLS + "5 0 obj << /S /SPS /ID " + idA + " /O [ 6 0 R ]" + fromA + " >>\n6 0 obj << /Type /Page /ID " + idA + " /Annots [ " + annots + " ] >>\n"
	}
	sharing := func(value, five string) string {
		return "names: << /IDS << /Names [ " + idA + " " + value + " ] >> >>\n" +
			"5 0 obj << /S /SPS /ID " + five + " /O [ ] >>\n7 0 obj << /S /SPS /ID " + idA + " /O [ ] >>\n8 0 obj << /S /SIS /ID " + idA + " /O [ ] >>\n"
	}
	commands := func(list ...string) string {
		c := ""
		for i := range list {
			c += fmt.Sprintf(" %d 0 R", 20+i)
		}
		text := inURLS + "spiderinfo: << /V 1.25 /C [" + c + " ] >>\n5 0 obj << /S /SPS /ID " + idA + " /O [ ]" + fromA + " >>\n"
		for i, s := range list {
			text += fmt.Sprintf("%d 0 obj << /URL (http://a.example/) %s >>\n", 20+i, s)
		}
		return text
	}
	for _, row := range []struct {
		name, rule, text string
		want             []string
	}{
		{"a count for each image", "WC421", counts("[ 7 0 R 8 0 R ]", "[ 0 0 ]"), unused("7 0 R", "8 0 R")},
		{"a count for the second image", "WC421", counts("[ 7 0 R 8 0 R ]", "[ 1 0 ]"), unused("8 0 R")},
		{"impossible counts belong to no image", "WC421", counts("[ 7 0 R 8 0 R ]", "[ -4294967296 4294967296 ]"), nil},
		{"the others count", "WC421", counts("[ 7 0 R 8 0 R ]", "[ (x) 0 ]"), unused("8 0 R")},
		{"R is shorter than O", "WC421", counts("[ 7 0 R 8 0 R ]", "[ 0 ]"), nil},
		{"R is longer than O", "WC421", counts("[ 7 0 R 8 0 R ]", "[ 0 0 0 ]"), nil},
		{"one count for two images", "WC421", counts("[ 7 0 R 8 0 R ]", "0"), nil},
		{"one count for one image", "WC421", counts("[ 7 0 R ]", "0"), unused("7 0 R")},
		{"an array of one count", "WC421", counts("[ 7 0 R ]", "[ 0 ]"), unused("7 0 R")},
		{"two counts for one image", "WC421", counts("[ 7 0 R ]", "[ 0 0 ]"), nil},
		{"what is not an image has its count", "WC421", counts("[ (x) 7 0 R (y) 8 0 R ]", "[ 0 1 1 0 ]"), unused("8 0 R")},
		{"what is not an image has the count of none", "WC421", counts("[ 7 0 R (x) 8 0 R ]", "[ 1 0 1 ]"), nil},
		{"a page set has no counts", "WC421", inURLS + "5 0 obj << /S /SPS /ID " + idA + " /O [ 7 0 R ] /R 0" + fromA + " >>" + images, nil},

		{"the greatest count", "WC510", counts("[ 7 0 R ]", "2147483647"),
			[]string{"content set 5 0 R, member 7 0 R: R of the image is 2147483647, expected 0, the number of pages that show it"}},

		{"images of pages whose resources others share", "WC510", shown("6 0 obj << /Type /Page /Resources 10 0 R >>\n9 0 obj << /Type /Page /Resources 11 0 R >>\n12 0 obj << /Type /Page /Resources 11 0 R >>\n" +
			"10 0 obj << /XObject << /A 7 0 R >> >>\n11 0 obj << /XObject << /A 8 0 R >> >>\n"), []string{
			"content set 5 0 R, member 8 0 R: R of the image is 1, expected 2, the number of pages that show it",
		}},
		{"a page that cannot be read may show them", "WC510", shown("6 0 obj << /Type /Page /Resources << /XObject << /A 9 0 R >> >> >>\n9 0 obj << /Broken ] >>\n"), nil},
		{"so may one whose tree cannot be read", "WC510", shown("6 0 obj << /Type /Page >>\n9 0 obj << /Type /Page ] >>\n"), nil},
		{"a pattern of the second page", "WC421", counts("[ 7 0 R ]", "0") + "6 0 obj << /Type /Page /Resources << >> >>\n9 0 obj << /Type /Page /Resources << /Pattern << /P 10 0 R >> >> >>\n" +
			"10 0 obj << /PatternType 1 /Resources << /XObject << /A 7 0 R >> >> >> stream\nx\nendstream\n", []string{
			"content set 5 0 R, member 7 0 R: R of the image is 0: only a pattern shows it, and Acrobat does not count patterns",
		}},
		{"a pattern that cannot be read may show it", "WC421", counts("[ 7 0 R ]", "0") + "6 0 obj << /Type /Page /Resources << /Pattern << /P 10 0 R >> >> >>\n10 0 obj << /Broken ] >>\n", nil},

		{"an image after one that cannot be read", "WC521", "names: << /IDS << /Names [ " + idA + " 5 0 R ] >> >>\n5 0 obj << /S /SPS /ID " + idA + " /O [ 6 0 R ] >>\n" +
			"6 0 obj << /Type /Page /Resources << /XObject << /A 9 0 R /B 10 0 R >> >> >>\n9 0 obj << /Broken ] >>\n10 0 obj << /Subtype /Image /ID " + idB + " >> stream\nx\nendstream\n", []string{
			"object 10 0 R: ID " + idB + " is not a key of IDS (14.10.6)",
		}},

		{"members without a type", "WC501", pages("[ 6 0 R 7 0 R 8 0 R 9 0 R 10 0 R 11 0 R 12 0 R 13 0 R ]",
			"7 0 obj << /A 1 >>\n8 0 obj << >> stream\nx\nendstream\n9 0 obj 7\n10 0 obj << /Type (Page) >>\n11 0 obj << /Type /Font >>\n12 0 obj << /Type /XObject /Subtype /Form >> stream\nx\nendstream\n13 0 obj << /Type /Template >>\n"), []string{
			"content set 5 0 R, member 7 0 R: the member of a page set is a dictionary, not a page (table 389)",
			"content set 5 0 R, member 8 0 R: the member of a page set is a stream, not a page (table 389)",
			"content set 5 0 R, member 9 0 R: the member of a page set is an integer 7, not a page (table 389)",
			"content set 5 0 R, member 10 0 R: the member of a page set is a dictionary, not a page (table 389)",
			"content set 5 0 R, member 11 0 R: the member of a page set is a dictionary with the type /Font, not a page (table 389)",
			"content set 5 0 R, member 12 0 R: the member of a page set is a stream with the type /Form, not a page (table 389)",
		}},

		{"a chain of the second source", "WC437", sources("<< /AU (http://a.example/) >> << /AU << /U (http://b.example/) /C [ [ ] [ 7 ] ] >> >>"), []string{
			"content set 5 0 R: SI, source 1: alias: URL 0 of chain 1 in C is an integer 7, not a string (table 392)",
			"content set 5 0 R: SI, source 1: alias: chain 0 in C is empty (table 392)",
		}},
		{"a link after others", "WC529", links("<< /Subtype /Link >> << /Subtype /Link /PA << /S /URI /URI (x.html) >> >> << /Subtype /Link /PA << /S /GoTo /URI (http://c.example/) >> >> << /Subtype /Link /PA << /S /URI /URI (http://b.example/) >> >>"), []string{
			"page 1, annotation 3: URI of PA is (http://b.example/), but (http://b.example/) is not a key of URLS",
		}},

		{"a link, where URLS has no entry at all", "WC529", strings.Replace(links("<< /Subtype /Link /PA << /S /URI /URI (http://b.example/) >> >>"), "(http://a.example/) 5 0 R", "", 1), nil},

		{"the same ID after a set in the tree itself", "WC306", sharing("[ << /S /SPS /ID "+idB+" /O [ ] >> 5 0 R 7 0 R ]", idA), []string{
			"content set 7 0 R: the page set 5 0 R has the same ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>",
		}},
		{"the same ID as a set in the tree itself", "WC306", sharing("[ << /S /SPS /ID "+idA+" /O [ ] >> 7 0 R ]", idB), []string{
			"IDS, entry 1: the page set 7 0 R has the same ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>",
		}},
		{"an image set with the ID of a page set", "WC306", sharing("[ 7 0 R 8 0 R ]", idA), nil},
		{"the same ID after another", "WC306", sharing("[ 5 0 R 8 0 R 7 0 R ]", idA), []string{
			"content set 7 0 R: the page set 5 0 R has the same ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>",
		}},

		{"a set with another ID before it", "WC306", sharing("[ 5 0 R 7 0 R ]", idB), nil},
		{"a value that cannot be read before it, in which the set may be", "WC306", sharing("9 0 R "+idA+" [ 5 0 R 7 0 R ]", idA) + "9 0 obj << /Broken ] >>\n", nil},
		{"the same ID before many others", "WC306", sharing("[ "+strings.Repeat("<< >> ", checks.MaxSame-1)+"5 0 R 7 0 R ]", idA), []string{
			"content set 7 0 R: the page set 5 0 R has the same ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>",
		}},
		{"the same ID after more sets than are compared", "WC306", sharing("[ "+strings.Repeat("<< >> ", checks.MaxSame)+"5 0 R 7 0 R ]", idA), nil},

		{"the first byte that is not ASCII", "WC201", "names: << /URLS << /Names [ <687474703a2f2f617f> null <687474703a2f2f6180ff> null ] >> >>\n5 0 obj null\n", []string{
			"URLS, entry 2: key (http://a\\200\\377) is not ASCII (14.10.3.2): 80 at byte 8, € in Windows-1250 and Windows-1252",
		}},
		{"the first byte of a source that is not ASCII", "WC201", sources("<< /AU <687474703a2f2f617f> >> << /AU <687474703a2f2f6180ff> >>"), []string{
			"content set 5 0 R: SI, source 1: URL (http://a\\200\\377) is not ASCII (table 391): 80 at byte 8, € in Windows-1250 and Windows-1252",
		}},
		{"one signature", "WC532", "catalog: << /Type /Catalog /Pages 10 0 R /Names << /URLS << >> >> /AcroForm << /Fields [ 11 0 R 12 0 R 13 0 R ] >> >>\n10 0 obj << /Type /Pages /Kids [ ] /Count 0 >>\n" +
			"11 0 obj << /FT /Sig >>\n12 0 obj << /FT /Tx /V << /ByteRange [ ] >> >>\n13 0 obj << /FT /Sig /V << /ByteRange [ ] >> >>\n", []string{
			"AcroForm: the document is signed in the field 13 0 R: only an incremental update keeps the signature",
		}},
		{"nodes without Limits", "WC106", "names: << /URLS << /Kids [ 5 0 R 6 0 R 7 0 R 8 0 R ] >> >>\n5 0 obj << /Names [ 7 null ] >>\n6 0 obj << /Limits 7 /Names [ 7 null ] >>\n" +
			"7 0 obj << /Names [ (a) null (b) null ] >>\n8 0 obj << /Limits [ (a) ] /Names [ (c) null ] >>\n", []string{
			"URLS, node 5 0 R: Limits is missing (table 36)",
			"URLS, node 6 0 R: Limits is not an array of two strings (table 36)",
			"URLS, node 7 0 R: Limits is missing, expected [(a) (b)] (table 36)",
			"URLS, node 8 0 R: Limits is not an array of two strings, expected [(c) (c)] (table 36)",
		}},
		{"fields with one ID that no set has", "WC530", "catalog: << /Type /Catalog /Pages 10 0 R /Names << /URLS << >> >> /AcroForm << /Fields [ 11 0 R 12 0 R 13 0 R ] >> >>\n10 0 obj << /Type /Pages /Kids [ ] /Count 0 >>\n" +
			"11 0 obj << /T (MAMBMCMDMEMFMGMHMIMJMKMLMMMNMOMPb) >>\n12 0 obj << /T (MAMBMCMDMEMFMGMHMIMJMKMLMMMNMOMPa) >>\n13 0 obj << /T (MAMBMCMDMEMFMGMHMIMJMKMLMMMNMOMPc) >>\n", []string{
			"AcroForm: 3 fields begin with the letters of the ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf>, which no content set has; the first is (MAMBMCMDMEMFMGMHMIMJMKMLMMMNMOMPa)",
		}},
		{"a command that stands in C twice", "WC704", strings.Replace(commands("/P (pin=1)"), "20 0 R", "20 0 R 20 0 R", 1), []string{"SpiderInfo, command 0: P has a field pin, which looks like a credential"}},
		{"data in a stream", "WC704", commands("/P 30 0 R", "/P 31 0 R", "/P (pin=1)", "/P /pin=1") + "30 0 obj << >> stream\na=b&pwd=x\nendstream\n31 0 obj << /Filter /ASCIIHexDecode >> stream\n70696e3d31>\npin=1\nendstream\n", []string{
			"SpiderInfo, command 0: P has a field pwd, which looks like a credential",
			"SpiderInfo, command 2: P has a field pin, which looks like a credential",
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			r, ok := Lookup(row.rule)
			if !ok {
				t.Fatalf("no rule %s", row.rule)
			}
			var got []string
			for _, f := range auditText(t, row.text, plainLayout, Options{Rules: []*rule.Rule{r}}).Findings {
				got = append(got, fmt.Sprintf("%v: %s", f.Place, f.Message))
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("%s: %q, want %q", row.name, got, row.want)
			}
		})
	}
}
