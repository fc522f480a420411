package audittest

import (
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// neutrals are harmless changes that mutations make before they violate a rule.
var neutrals = []func(*mutant) bool{
	func(m *mutant) bool { return m.kid("URLS").ok() },
	func(m *mutant) bool { return m.kid("IDS").ok() },
	func(m *mutant) bool { return m.command().ok() },
	func(m *mutant) bool { return alias(m, "http://hop.example/").ok() },
	func(m *mutant) bool { return link(m, "", "http://www.example.org/") },
}

const (
	otherID  = "<00112233445566778899aabbccddeeff>"
	otherURL = "(http://elsewhere.example/x)"
)

// Constructors of mutations that set an entry to a text.

func onSet(rule, key, text string) Mutation {
	return Mutation{rule, "page set: " + key + " " + text, func(m *mutant) bool { return m.pageSet().set(key, text) }}
}

func onImageSet(rule, key, text string) Mutation {
	return Mutation{rule, "image set: " + key + " " + text, func(m *mutant) bool { return m.imageSet().set(key, text) }}
}

func onSource(rule, key, text string) Mutation {
	return Mutation{rule, "source: " + key + " " + text, func(m *mutant) bool {
		s := source(m.pageSet())
		return hasURL(s) && s.set(key, text)
	}}
}

func onPage(rule, key, text string) Mutation {
	return Mutation{rule, "page: " + key + " " + text, func(m *mutant) bool { return m.page().set(key, text) }}
}

func onInfo(rule, key, text string) Mutation {
	return Mutation{rule, "SpiderInfo: " + key + " " + text, func(m *mutant) bool {
		return m.catalog().has("SpiderInfo") && m.catalog().at("SpiderInfo").set(key, text)
	}}
}

func onCommand(rule, key, text string) Mutation {
	return Mutation{rule, "command: " + key + " " + text, func(m *mutant) bool { return m.command().set(key, text) }}
}

func onKey(rule, tree, text string) Mutation {
	return Mutation{rule, tree + ": a key " + text, func(m *mutant) bool { return m.leaf(tree).at("Names", 0).put(text) }}
}

// respell changes the spelling of the first key of URLS. It applies only if this key is an http URL with a host.
func respell(rule, what string, change func(scheme, host, url string) string) Mutation {
	return Mutation{rule, "URLS: a key with " + what, func(m *mutant) bool {
		key := m.leaf("URLS").at("Names", 0)
		url := string(key.bytes())
		rest, ok := strings.CutPrefix(url, "http://")
		host, _, _ := strings.Cut(rest, "/")
		return ok && host != "" && key.put(webcapturetest.Hex(change("http", host, url)))
	}}
}

// removePair removes the first pair of a leaf that has several.
func removePair(leaf position) bool {
	if leaf.at("Names").length() < 4 {
		return false
	}
	list, _ := leaf.at("Names").value().Array()
	text, i := "[", 0
	for o := range list.All() {
		if i++; i > 2 {
			text += raw(o) + " "
		}
	}
	return leaf.set("Names", text+"]")
}

func onValue(rule, tree, text string) Mutation {
	return Mutation{rule, tree + ": a value " + text,
		func(m *mutant) bool { return m.leaf(tree).at("Names", 1).put(text) }}
}

func onKid(rule, tree, key, text string) Mutation {
	return Mutation{rule, tree + ": a leaf with " + key + " " + text,
		func(m *mutant) bool { return m.kid(tree).set(key, text) }}
}

// onKids returns a mutation of URLS; change gets the root, which has Kids.
func onKids(rule, what string, change func(root position) bool) Mutation {
	return Mutation{rule, what, func(m *mutant) bool { return m.kid("URLS").ok() && change(m.tree("URLS").there()) }}
}

// onMembers returns a mutation that appends an object to O.
func onMembers(rule string, of func(*mutant) position, what string, member func(*mutant) string) Mutation {
	return Mutation{rule, "O with " + what, func(m *mutant) bool { return of(m).ok() && of(m).push("O", member(m)) }}
}

// alias makes AU of the first page set an alias dictionary with one chain, unless it is one already.
func alias(m *mutant, chain string) position {
	s := source(m.pageSet())
	if !hasURL(s) {
		return position{}
	}
	if _, ok := s.at("AU").value().Dict(); !ok {
		s.set("AU", "<</U "+s.at("AU").text()+"/C[["+webcapturetest.Literal(chain)+"]]>>")
	}
	return s.at("AU").there()
}

// link adds a converted link to the first page.
func link(m *mutant, subtype, url string) bool {
	p := m.page()
	if !p.ok() || !m.leaf("URLS").ok() {
		return false
	}
	if url != "" && !strings.HasSuffix(url, "/gone") {
		url = string(m.leaf("URLS").at("Names", 0).bytes())
	}
	if subtype == "" {
		subtype = "/Link"
	}
	return p.push("Annots", fmt.Sprintf("<</Type/Annot/Subtype%s/Rect[0 0 1 1]/A<</S/GoTo/D[%s/Fit]>>/PA<</S/URI/URI%s>>>>", subtype, p.reference(), webcapturetest.Literal(url)))
}

// copySet adds a copy of the first page set with entries replaced and returns a reference to it.
func copySet(m *mutant, entries ...string) string {
	text := m.pageSet().text()
	for i := 0; i < len(entries); i += 2 {
		text = edit(text, []any{entries[i]}, entries[i+1])
	}
	return m.add(text)
}

// pair returns the position of the value under a key of a tree.
func pair(m *mutant, tree string, key []byte) position {
	var find func(node position, depth int) position
	find = func(node position, depth int) position {
		for i := 0; i+1 < node.at("Names").length(); i += 2 {
			if string(node.at("Names", i).bytes()) == string(key) {
				return node.at("Names", i+1)
			}
		}
		for i := range node.at("Kids").length() {
			if depth > 0 {
				if s := find(node.at("Kids", i), depth-1); s.ok() {
					return s
				}
			}
		}
		return position{}
	}
	if t := m.tree(tree); t.ok() {
		return find(t, 20)
	}
	return position{}
}

// keyOf returns the position of the key of a value.
func keyOf(value position) position {
	if !value.ok() {
		return value
	}
	i := len(value.path) - 1
	value.path = append(append([]any(nil), value.path[:i]...), value.path[i].(int)-1)
	return value
}

// idPair returns the value under the ID of the first page set.
func idPair(m *mutant) position {
	if s := m.pageSet(); s.has("ID") {
		return pair(m, "IDS", s.at("ID").bytes())
	}
	return position{}
}

// also adds an element to a value, which becomes an array.
func also(m *mutant, value position, element string) bool {
	if !value.ok() || !m.pageSet().ok() {
		return false
	}
	if _, ok := value.value().Array(); ok {
		return value.at(-1).put(element)
	}
	return value.put(m.add("[" + value.reference() + " " + element + "]"))
}

var Mutations = []Mutation{
	{"WC101", "the root of URLS is an array", func(m *mutant) bool { return m.tree("URLS").put("[]") }},
	{"WC101", "the root of IDS is gone", func(m *mutant) bool { return m.tree("IDS").put("999999 0 R") }},
	onKid("WC101", "URLS", "Names", "<<>>"),
	{"WC101", "Names of IDS is a string",
		func(m *mutant) bool { return m.leaf("IDS").ok() && m.leaf("IDS").set("Names", "(x)") }},
	onKids("WC102", "a root with Kids and Names", func(root position) bool {
		return root.set("Names", "["+raw(root.m.leaf("URLS").at("Names", 0).value())+" "+root.m.leaf("URLS").at("Names",
			1).text()+"]")
	}),
	{"WC104", "a root with Limits",
		func(m *mutant) bool { return m.leaf("IDS").ok() && m.tree("IDS").there().set("Limits", "[() (a)]") }},
	onKid("WC106", "URLS", "Limits", ""),
	onKid("WC106", "IDS", "Limits", "[1 2]"),
	onKid("WC106", "URLS", "Limits", "[(a)(~)]"),
	onKid("WC106", "IDS", "Limits", "[()<ffffffffffffffffffffffffffffffffff>]"),
	{"WC107", "a key without a value", func(m *mutant) bool {
		return m.leaf("IDS").push("Names", otherID) && m.leaf("IDS").at("Names").length()%2 == 1
	}},
	onKey("WC108", "URLS", "12"),
	onKey("WC108", "IDS", "/x"),
	{"WC110", "a pair twice", func(m *mutant) bool {
		l := m.leaf("URLS")
		return l.ok() && l.push("Names", l.at("Names", 0).text()+" "+l.at("Names", 1).text())
	}},
	onKids("WC111", "a kid that stands in Kids",
		func(root position) bool { return root.at("Kids", 0).put(raw(root.at("Kids", 0).value())) }),
	onKids("WC112", "a kid that is gone", func(root position) bool { return root.push("Kids", "999999 0 R") }),
	onKids("WC113", "a kid twice", func(root position) bool { return root.push("Kids", root.at("Kids", 0).text()) }),
	onKids("WC115", "a kid without Kids and Names", func(root position) bool { return root.push("Kids", root.m.add("<</Limits[(~)(~)]>>")) }),
	onKids("WC115", "a kid with empty Names", func(root position) bool { return root.push("Kids", root.m.add("<</Names[]>>")) }),
	onValue("WC120", "URLS", "null"),
	onValue("WC120", "IDS", "999999 0 R"),
	{"WC120", "an empty array", func(m *mutant) bool {
		return m.leaf("URLS").ok() &&
			m.leaf("URLS").at("Names", 1).put(m.add("[]"))
	}},
	{"WC121", "a set that stands in the tree", func(m *mutant) bool {
		l := m.leaf("URLS")
		return l.ok() && l.at("Names", 1).put(raw(l.at("Names", 1).value()))
	}},
	onValue("WC122", "URLS", "(x)"),
	{"WC122", "a page in the place of a set",
		func(m *mutant) bool { return m.page().ok() && m.leaf("IDS").at("Names", 1).put(m.page().reference()) }},
	{"WC125", "a set twice in a value", func(m *mutant) bool {
		return idPair(m).ok() && also(m, idPair(m), m.pageSet().reference())
	}},
	{"WC126", "a small key at the end", func(m *mutant) bool {
		l := m.leaf("URLS")
		return l.ok() && l.push("Names", "(!) "+l.at("Names", 1).text())
	}},
	{"WC126", "two keys of IDS exchanged", func(m *mutant) bool {
		l := m.leaf("IDS")
		if !l.ok() || !l.has("Names", 2) {
			return false
		}
		a, b := l.at("Names", 0), l.at("Names", 2)
		at, bt := a.text(), b.text()
		return a.put(bt) && b.put(at)
	}},
	onKid("WC126", "URLS", "Limits", "[(~)(~)]"),
	onKid("WC126", "IDS", "Limits", "[()()]"),

	onKey("WC201", "URLS", `(http://www.example.org/caf\351)`),
	onKey("WC202", "URLS", "(/index.html)"),
	respell("WC204", "a fragment", func(_, _, url string) string { return url + "#top" }),
	respell("WC204", "the scheme in upper case",
		func(scheme, _, url string) string { return strings.ToUpper(scheme) + url[len(scheme):] }),
	respell("WC204", "the host in upper case",
		func(_, host, url string) string { return strings.Replace(url, host, strings.ToUpper(host), 1) }),
	onKey("WC204", "URLS", "(file://localhost/a.txt)"),
	respell("WC204", "the default port",
		func(_, host, url string) string { return strings.Replace(url, host, host+":80", 1) }),
	respell("WC204", "dot segments",
		func(_, host, url string) string { return strings.Replace(url, host, host+"/x/./..", 1) }),
	onKey("WC211", "URLS", "(http://www.example.org/a b)"),
	{"WC204", "a key with a fragment next to the key without it", func(m *mutant) bool {
		l := m.leaf("URLS")
		return l.ok() && l.push("Names",
			webcapturetest.Literal(string(l.at("Names", 0).bytes())+"#x")+" "+l.at("Names", 1).text())
	}},
	respell("WC215", "UTF-16", func(_, _,
		url string) string {
		return "\xfe\xff\x00" + strings.Join(strings.Split(url, ""), "\x00")
	}),
	onKey("WC221", "URLS", otherURL),
	{"WC221", "a set of another URL next to the right one", func(m *mutant) bool {
		return m.leaf("URLS").ok() && also(m, m.leaf("URLS").at("Names", 1), copySet(m, "SI", "<</AU "+otherURL+">>", "ID", otherID))
	}},
	{"WC223", "a second source that is not a key", func(m *mutant) bool {
		s := source(m.pageSet())
		return m.leaf("URLS").ok() && hasURL(s) && m.pageSet().set("SI", "["+s.text()+"<</AU "+otherURL+">>]")
	}},
	{"WC223", "a URL whose key is taken out", func(m *mutant) bool {
		return m.leaf("IDS").ok() && removePair(m.leaf("URLS"))
	}},
	{"WC221", "a key in UTF-8 of a URL in Latin-1", func(m *mutant) bool {
		key := m.leaf("URLS").at("Names", 0)
		set := copySet(m, "SI", "<</AU "+webcapturetest.Hex("http://a.example/\xe9")+">>", "ID", otherID)
		return m.leaf("URLS").ok() && key.put(webcapturetest.Hex("http://a.example/\u00e9")) &&
			m.leaf("URLS").at("Names", 1).put(set)
	}},
	{"WC221", "a URL in UTF-8 of a key in Latin-1", func(m *mutant) bool {
		key := m.leaf("URLS").at("Names", 0)
		set := copySet(m, "SI", "<</AU "+webcapturetest.Hex("http://a.example/\u00e9")+">>", "ID", otherID)
		return m.leaf("URLS").ok() && key.put(webcapturetest.Hex("http://a.example/\xe9")) &&
			m.leaf("URLS").at("Names", 1).put(set)
	}},
	{"WC223", "a set under its ID but not under its URL", func(m *mutant) bool {
		s := source(m.pageSet())
		if !s.has("AU") || !pair(m, "URLS", s.at("AU").bytes()).ok() {
			return false
		}
		return also(m, idPair(m), copySet(m))
	}},

	onKey("WC301", "IDS", "<0011>"),
	onKey("WC302", "IDS", otherID),
	{"WC303", "a key of IDS in UTF-16", func(m *mutant) bool {
		k := keyOf(idPair(m))
		if !k.ok() {
			return false
		}
		text := "<feff"
		for _, c := range k.bytes() {
			text += fmt.Sprintf("00%02x", c)
		}
		return k.put(text + ">")
	}},
	{"WC304", "an ID that is not a key, nor on the page", func(m *mutant) bool {
		return m.leaf("IDS").ok() && also(m, m.leaf("URLS").at("Names", 1), copySet(m, "ID", otherID))
	}},
	{"WC305", "an ID on the page that is not a key", func(m *mutant) bool {
		page := m.add("<</Type/Page/ID" + otherID + ">>")
		return m.leaf("IDS").ok() && also(m, m.leaf("URLS").at("Names", 1), copySet(m, "ID", otherID, "O", "["+page+"]"))
	}},
	{"WC305", "an ID on the page whose key is taken out", func(m *mutant) bool {
		page := m.page()
		return page.has("ID") && string(page.at("ID").bytes()) == string(m.leaf("IDS").at("Names", 0).bytes()) &&
			removePair(m.leaf("IDS"))
	}},
	{"WC306", "two page sets with one ID", func(m *mutant) bool { return also(m, idPair(m), copySet(m)) }},

	onSet("WC401", "S", "/SXS"),
	onSet("WC401", "S", "(SPS)"),
	onSet("WC402", "ID", "<0011>"),
	onImageSet("WC402", "ID", "/x"),
	onSet("WC403", "O", "5"),
	onImageSet("WC403", "O", ""),
	onSet("WC405", "SI", "(x)"),
	onImageSet("WC405", "SI", "[]"),
	onSource("WC405", "AU", "5"),
	onSource("WC405", "AU", ""),
	onSet("WC437", "Type", "/X"),
	onSet("WC407", "O", "[]"),
	onMembers("WC408", (*mutant).pageSet, "a dictionary", func(*mutant) string { return "<<>>" }),
	onMembers("WC409", (*mutant).pageSet, "an object that is gone", func(*mutant) string { return "999999 0 R" }),
	{"WC410", "O with a page twice",
		func(m *mutant) bool { return m.page().ok() && m.pageSet().push("O", m.page().reference()) }},
	onSet("WC437", "CT", "(text)"),
	onSet("WC412", "TS", "(2008-05-13)"),
	onSet("WC413", "TS", "(D:29990101000000Z)"),
	onSet("WC437", "R", "1"),
	onImageSet("WC437", "T", "(x)"),
	onSet("WC437", "TID", "<00>"),
	onSet("WC437", "T", "<feff0041d8000042>"),
	onImageSet("WC420", "R", "-1"),
	{"WC420", "more counts than images", func(m *mutant) bool {
		return m.imageSet().ok() && m.imageSet().set("R", "["+strings.Repeat("1 ", m.imageSet().at("O").length()+1)+"]")
	}},
	onSource("WC405", "AU", "()"),
	onSource("WC201", "AU", `(http://www.example.org/\351)`),
	{"WC437", "C of an alias dictionary holds a string", func(m *mutant) bool { return alias(m, "").set("C", "[(x)]") }},
	{"WC437", "C of an alias dictionary is a string", func(m *mutant) bool { return alias(m, "").set("C", "(x)") }},
	{"WC437", "an empty chain", func(m *mutant) bool { return alias(m, "").set("C", "[[]]") }},
	{"WC428", "a source twice", func(m *mutant) bool {
		s := source(m.pageSet())
		return hasURL(s) && m.pageSet().set("SI", "["+s.text()+" "+s.text()+"]")
	}},
	onSource("WC437", "S", "7"),
	onSource("WC437", "C", "5"),
	onSource("WC431", "C", "999999 0 R"),
	{"WC431", "a command that is not listed", func(m *mutant) bool {
		return m.command().ok() && source(m.pageSet()).set("C", m.add("<</URL (http://www.example.org/)>>"))
	}},
	onSource("WC412", "TS", "(x)"),
	onSource("WC412", "E", "(2030)"),
	onSource("WC437", "E", "5"),
	{"WC413", "a source checked before its set was made", func(m *mutant) bool {
		return m.pageSet().set("TS", "(D:20100101000000Z)") && source(m.pageSet()).set("TS", "(D:20090101000000Z)")
	}},
	{"WC413", "a source that expired before it was checked", func(m *mutant) bool {
		return source(m.pageSet()).set("TS", "(D:20100101000000Z)") && source(m.pageSet()).set("E", "(D:20090101000000Z)")
	}},
	onSet("WC437", "CT", "5"),
	onImageSet("WC437", "R", ""),

	onMembers("WC501", (*mutant).pageSet, "a font", func(m *mutant) string { return m.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>") }),
	onMembers("WC501", (*mutant).imageSet, "a page", func(m *mutant) string { return m.page().reference() }),
	{"WC504", "O with a soft mask", func(m *mutant) bool {
		if !m.imageSet().has("O", 0) {
			return false
		}
		image := m.imageSet().at("O", 0).there()
		mask := m.add("<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8>>")
		m.stream(mask)
		return image.set("SMask", mask) && m.imageSet().push("O", mask)
	}},
	{"WC505", "a page in two page sets", func(m *mutant) bool { return also(m, idPair(m), copySet(m)) }},
	onMembers("WC506", (*mutant).pageSet, "a page outside the page tree", func(m *mutant) string {
		return m.add("<</Type/Page/ID " + m.pageSet().at("ID").text() + ">>")
	}),
	onPage("WC508", "ID", otherID),
	onPage("WC509", "ID", ""),
	{"WC510", "a count too high", func(m *mutant) bool {
		return m.imageSet().has("R") && m.imageSet().set("R", "["+strings.Repeat("99 ", m.imageSet().at("O").length())+"]")
	}},
	onPage("WC521", "ID", "<0011>"),
	onPage("WC521", "ID", "5"),
	{"WC521", "a page with an ID that is not a key", func(m *mutant) bool {
		pages := m.catalog().at("Pages")
		return m.leaf("IDS").ok() && pages.has("Kids") &&
			pages.push("Kids", m.add("<</Type/Page/Parent "+pages.reference()+"/ID"+otherID+">>"))
	}},
	{"WC522", "a page that O leaves out", func(m *mutant) bool {
		return m.page().has("ID") && idPair(m).ok() && m.pageSet().set("O", "[]")
	}},
	{"WC523", "no IDS", func(m *mutant) bool {
		return m.page().has("ID") && m.leaf("URLS").ok() &&
			m.tree("IDS").put("")
	}},
	{"WC527", "PA is not an action", func(m *mutant) bool {
		return m.page().push("Annots", "<</Type/Annot/Subtype/Link/Rect[0 0 1 1]/A<</S/GoTo/D[0/Fit]>>/PA[]>>")
	}},
	{"WC527", "PA in a text annotation", func(m *mutant) bool { return link(m, "/Text", "http://www.example.org/") }},
	{"WC529", "a link to a URL that is not a key",
		func(m *mutant) bool { return link(m, "", "http://www.example.org/gone") }},
	{"WC531", "a link to a destination that is gone", func(m *mutant) bool {
		if !m.page().ok() || len(m.pageSet().at("ID").bytes()) != 16 {
			return false
		}
		return m.page().push("Annots", "<</Type/Annot/Subtype/Link/Rect[0 0 1 1]/Dest"+webcapturetest.Hex(string(m.pageSet().at("ID").bytes())+"gone")+">>")
	}},

	{"WC601", "SpiderInfo is an array", func(m *mutant) bool { return m.catalog().set("SpiderInfo", "[]") }},
	onInfo("WC601", "V", "(1.25)"),
	onInfo("WC601", "V", ""),
	onInfo("WC603", "V", "1.3"),
	onInfo("WC601", "C", "5"),
	onInfo("WC601", "C", "[null]"),
	{"WC607", "a file of version 1.2", func(m *mutant) bool {
		m.version = "1.2"
		return m.catalog().set("Version", "")
	}},
	onCommand("WC611", "URL", "5"),
	onCommand("WC611", "URL", ""),
	onCommand("WC611", "URL", `(http://a.example/\374)`),
	onCommand("WC611", "L", "2.0"),
	onCommand("WC611", "F", "8"),
	onCommand("WC611", "F", "/x"),
	onCommand("WC611", "P", "[]"),
	{"WC611", "a type without data", func(m *mutant) bool {
		m.version = "1.4"
		return m.catalog().set("Version", "") && m.command().set("CT", "(text/plain)") && m.command().set("P", "")
	}},
	onCommand("WC611", "H", "[]"),
	onCommand("WC611", "CT", "/text"),
	{"WC611", "a type without slash",
		func(m *mutant) bool { return m.command().set("P", "(a=b)") && m.command().set("CT", "(form)") }},
	onCommand("WC611", "H", "(Accept: text/html)"),
	onCommand("WC611", "H", `(Accept\r\n)`),
	onCommand("WC611", "S", "true"),
	onCommand("WC627", "S", "<</C<</ADBE:H2PDF<<>>>>>>"),
	{"WC628", "settings that a page is part of", func(m *mutant) bool {
		settings := m.add("<</AU true>>")
		return m.command().set("S", m.add("<</G "+settings+">>")) && m.page().set("PieceInfo", settings)
	}},
	onKey("WC702", "URLS", "(http://user:secret@www.example.org/)"),
	onCommand("WC704", "H", `(Cookie: a=b\r\n)`),
	onCommand("WC704", "URL", "(http://user:secret@www.example.org/)"),
}
