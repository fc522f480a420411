package webcapturetest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	sectionHead = regexp.MustCompile(`(?m)^[ \t]*(?:(\d+)[ \t]+(\d+)[ \t]+obj\b|(names|catalog|spiderinfo|trailer):)`)
	endObject   = regexp.MustCompile(`\s*\bendobj\s*$`)
	streamText  = regexp.MustCompile(`(?s)^(.*>>)\s*stream\r?\n(.*?)(?:\r?\n)?endstream$`)
	rootEntry   = regexp.MustCompile(`/(Root|Info)\s+(\d+)\s+\d+\s+R\b`)
)

// Parse reads a document from the text of a fixture:
//
//	names: << /URLS << /Names [ (http://a/) 5 0 R ] >> >>
//	spiderinfo: << /V 1.25 >>
//	5 0 obj << /S /SPS /ID <00ff> /O [ 6 0 R ] >>
//	6 0 obj << /Type /Page >>
//
// A section ends before the next line that begins one. It may end with "endobj", or contain "stream … endstream".
// Sections may come in any order; each named section may occur once:
//
//	names:       the value of Names in the catalog
//	spiderinfo:  the value of SpiderInfo in the catalog
//	catalog:     the catalog, in place of the one made from names and spiderinfo
//	trailer:     further entries of the trailer; Root and Info count as Document.Root and Document.Info
//
// Parse makes a catalog unless the text has one. Its page tree has every object of type Page as a kid, sorted by
// number, or one empty page if there is none. Objects that Parse makes have numbers above those in the text. Parse
// copies the text of objects verbatim, so malformed objects stay malformed. The error is only about sections.
func Parse(text string) (*Document, error) {
	d := new(Document)
	named := make(map[string]string)
	var pages []int
	heads := sectionHead.FindAllStringSubmatchIndex(text, -1)
	before := text
	if len(heads) > 0 {
		before = text[:heads[0][0]]
	}
	if s := strings.TrimSpace(before); s != "" {
		return nil, fmt.Errorf("webcapturetest: text before the first section: %.40q", s)
	}
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		body := strings.TrimSpace(text[h[1]:end])
		if h[6] < 0 {
			num, err := d.parseObject(text[h[2]:h[3]], text[h[4]:h[5]], body)
			if err != nil {
				return nil, err
			}
			if isLeaf(d.objects[num]) {
				pages = append(pages, num)
			}
		} else {
			name := text[h[6]:h[7]]
			if _, ok := named[name]; ok {
				return nil, fmt.Errorf("webcapturetest: a second section %q", name)
			}
			named[name] = body
		}
	}
	for _, m := range rootEntry.FindAllStringSubmatch(named["trailer"], -1) {
		n, _ := strconv.Atoi(m[2])
		if m[1] == "Root" {
			d.Root = n
		} else {
			d.Info = n
		}
	}
	d.Trailer = rootEntry.ReplaceAllString(unwrap(named["trailer"]), "")
	switch catalog, ok := named["catalog"]; {
	case ok:
		d.Root = d.Add(catalog)
	case d.Root == 0:
		d.addCatalog(pages, named["names"], named["spiderinfo"])
	}
	return d, nil
}

// parseObject sets the object of a section, and returns its number.
func (d *Document) parseObject(number, generation, body string) (num int, err error) {
	num, err = strconv.Atoi(number)
	if err != nil || num == 0 || num > 1<<23 {
		return 0, fmt.Errorf("webcapturetest: object number %s", number)
	}
	gen, err := strconv.Atoi(generation)
	if err != nil || gen > 65535 {
		return 0, fmt.Errorf("webcapturetest: generation %s", generation)
	}
	if _, ok := d.objects[num]; ok {
		return 0, fmt.Errorf("webcapturetest: a second object %d", num)
	}
	body = endObject.ReplaceAllString(body, "")
	if m := streamText.FindStringSubmatch(body); m != nil {
		d.SetStream(num, m[1], []byte(m[2]))
	} else {
		d.Set(num, body)
	}
	o := d.objects[num]
	o.gen = gen
	d.objects[num] = o
	return num, nil
}

func (d *Document) addCatalog(pages []int, names, spiderInfo string) {
	root, tree := d.Reserve(), d.Reserve()
	if len(pages) == 0 {
		pages = []int{d.Add(fmt.Sprintf("<< /Type /Page /Parent %d 0 R >>", tree))}
	}
	var kids strings.Builder
	for _, n := range pages {
		fmt.Fprintf(&kids, " %d %d R", n, d.objects[n].gen)
	}
	d.Set(tree, fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s ] /MediaBox [ 0 0 612 792 ] /Resources << >> >>",
		len(pages), kids.String()))
	body := fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R", tree)
	if names != "" {
		body += " /Names " + names
	}
	if spiderInfo != "" {
		body += " /SpiderInfo " + spiderInfo
	}
	d.Set(root, body+" >>")
	d.Root = root
}

// unwrap returns the entries of a dictionary, without the enclosing << >>.
func unwrap(dict string) string {
	dict = strings.TrimSpace(dict)
	if strings.HasPrefix(dict, "<<") && strings.HasSuffix(dict, ">>") {
		return strings.TrimSpace(dict[2 : len(dict)-2])
	}
	return dict
}
