package checks

// Keys of URLS alone: ASCII, absolute, canonical by steps a to g, and percent-encoded once (14.10.3.2).

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlASCII = &rule.Rule{
	ID:      "WC201",
	Title:   "URLS keys and URLs of content sets are 7-bit ASCII.",
	Problem: "URLs with bytes that are not ASCII",
	Clause:  "ISO 32000-2:2020, 14.10.3.2; 14.10.5, tables 391 and 392",
	Level:   rule.Warning,
	Doc: "URLs are ASCII strings. Bytes above 127 mean that the URL was never percent-encoded, or that a tool " +
		"stored it as text. Readers decode such bytes in different ways, and then do not find the key.",
	Repair:    "None: the meaning of the bytes is unknown.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkURLASCII,
	CheckSet:  checkSourceASCII,
}

var urlAbsolute = &rule.Rule{
	ID:      "WC202",
	Title:   "URLS keys are absolute URLs.",
	Problem: "URLS keys that are not absolute URLs",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 a",
	Level:   rule.Error,
	Doc: "Viewers look up absolute URLs. A relative URL has no meaning without its base document, and that is no " +
		"longer known.",
	Repair: "Replace the key by the URL of its content set, if no other set has the ID or members of the set. If the " +
		"set has no absolute URL, make the key and the URL absolute with a base URL (--base).",
	Basis: rule.Basis{
		Wrong: "A key is relative; the standard requires an absolute URL",
		Right: "The absolute URL of the content set, if no other set of its kind has its ID or one of its " +
			"members. Without such a URL, the user: --base, if it makes the key and the URL of the set equal",
		Otherwise: "The key is kept",
	},
	Action:      rule.ChangeKey,
	OtherAction: rule.MakeAbsolute,
	CheckURL:    checkURLAbsolute,
}

var urlCanonical = &rule.Rule{
	ID:      "WC204",
	Title:   "URLS keys are canonical: steps b to g do not change them.",
	Problem: "URLS keys that are not canonical",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 b to g, and 14.10.3.1",
	Level:   rule.Error,
	Doc: "A viewer makes a URL canonical before it looks it up, and never finds a key with another spelling. Step b " +
		"removes the fragment. Steps c and d lower-case the scheme and the host. Step e removes localhost from a " +
		"file URL. Step f removes port 80 of http and port 21 of ftp. Step g resolves \".\" and \"..\" in the path. " +
		"The steps apply to HTTP, HTTPS, FTP, and file URLs; other URLs are their own canonical form. " +
		"No step adds the path of http://a.example, so that both spellings of it are canonical. " +
		"If two keys have the same canonical form, their content sets belong under one key, in an array.",
	Repair: "Make the key canonical. If this form is already a key, merge the entries.",
	Basis: rule.Basis{
		Wrong: "A key has a spelling that canonicalization changes",
		Right: "The key itself: canonicalization turns it into the new key, never the reverse. The content sets of " +
			"merged entries are kept",
	},
	Action:    rule.ChangeKey,
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckTree: checkSameForm,
	CheckURL:  checkURLCanonical,
}

var urlSpelling = &rule.Rule{
	ID:      "WC210",
	Title:   "All editions of the standard and common tools agree on the spelling of a URLS key.",
	Problem: "URLS keys that other editions or tools spell differently",
	Clause:  "ISO 32000-2:2020, 14.10.3.2; ISO 32000-1:2008, 14.10.3.2",
	Level:   rule.Note,
	Doc: "The key is canonical, but some readers look for another spelling. PDF 1.3 to 1.7 resolve dot segments by " +
		"RFC 1808, which keeps \"..\" above the root and inside parameters. PDF 2.0 resolves them by RFC 3986, which " +
		"removes both. The standard does not remove port 443 of https, but other tools do. It does not add the slash " +
		"for an empty path, but Acrobat does.",
	Repair:   "None: the key is canonical.",
	CheckURL: checkURLSpelling,
}

var urlEncoding = &rule.Rule{
	ID:      "WC211",
	Title:   "URLS keys have undergone one percent-encoding pass.",
	Problem: "URLS keys without percent-encoding",
	Clause:  "ISO 32000-2:2020, 14.10.3.2",
	Level:   rule.Warning,
	Doc: "Canonical URLs are percent-encoded exactly once. Blanks, control characters, or a percent sign without " +
		"two hexadecimal digits show that this key was not.",
	Repair:    "None: the key does not show how often it was encoded.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkURLEncoding,
}

var urlText = &rule.Rule{
	ID:      "WC215",
	Title:   "URLS keys are ASCII strings, not text strings.",
	Problem: "URLS keys stored as text",
	Clause:  "ISO 32000-2:2020, 14.10.3.2; 7.9.2",
	Level:   rule.Error,
	Doc: "The key begins with the byte order mark of UTF-16 or UTF-8: a tool treated the URL as text. A viewer " +
		"looks for the bytes of the URL and never finds this key.",
	Repair: "Use the canonical form of the text. If it has characters beyond ASCII or is relative, use the URL of the " +
		"content set if no other set has the ID or members of the set. Otherwise percent-encode the characters.",
	Basis: rule.Basis{
		Wrong: "A key begins with the byte order mark of UTF-16 or UTF-8",
		Right: "The key itself: its text, percent-encoded and canonical. If characters had to be percent-encoded, or it " +
			"is relative: the URL of the set, if no other set of its kind has its ID or one of its members",
		Otherwise: "A relative key is kept without --base",
	},
	Action:      rule.ChangeKey,
	OtherAction: rule.MakeAbsolute,
	MayFollow:   []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:    checkURLText,
}

func checkURLASCII(p *rule.Pass, e *rule.Entry) {
	if isText(e) {
		return
	}
	if i := rule.NotASCII(rule.KeyBytes(e.Key)); i >= 0 {
		p.Reportf(e.At(), nil, "key %v is not ASCII (14.10.3.2): %s", e.Key, rule.ByteAt(rule.KeyBytes(e.Key), i))
	}
}

// checkSourceASCII checks the URLs in the source information of a content set. It skips URLs whose key is reported.
func checkSourceASCII(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		for _, url := range s.Sources[i].URLs() {
			if plain, isText := rule.PlainURL(url); isText { // the rule for its key reports the encoding
				p.Reportf(s.At(), nil, "%vURL %v is %v, stored as a text string (table 391)", part{set: s, source: i}, shown(url),
					shown(plain))
			} else if at := rule.NotASCII(url); at >= 0 && !underKey(p, s, url) {
				p.Reportf(s.At(), nil, "%vURL %v is not ASCII (table 391): %s", part{set: s, source: i}, shown(url),
					rule.ByteAt(url, at))
			}
		}
	}
}

func checkURLAbsolute(p *rule.Pass, e *rule.Entry) {
	switch {
	case isText(e):
	case isDrive(e.URL):
		p.Reportf(e.At(), nil, "key %v is the path of a file, not a URL: %c is a drive", e.Key, e.URL.Scheme[0])
	case !e.URL.Absolute():
		fix, why := fixRelative(p, e)
		p.Reportf(e.At(), fix, "key %v is relative%s", e.Key, why)
	}
}

// fixRelative returns the fix for a relative key with the reason, or the reason why there is none. The URL of a content
// set comes before a base URL.
func fixRelative(p *rule.Pass, e *rule.Entry) (*rule.Fix, string) {
	v := valueOf(p, *e)
	url := commonURL(v)
	base, hasBase := p.Audit.Base, p.Audit.Base.URL != ""
	if !hasBase {
		base.URL = anyBase
	}
	key, isAbsolute := base.Key(rule.KeyBytes(e.Key))
	differs := func(s *rule.Set) bool { return namesURLs(s) && !comesToAccept(base, s, key) }
	both := ""
	if slices.ContainsFunc(v.Sets, namesURLs) {
		both = ", and so is the URL of its content set"
	}
	switch {
	case url != "" && areAlone(p, v):
		return &rule.Fix{Action: rule.ChangeKey, Old: e.Key, New: url}, fmt.Sprintf("; its content set comes from %v", url)
	case slices.ContainsFunc(v.Sets, hasAbsoluteURL):
		return nil, "; its content set " + comesFrom(v.Sets) + ", but the set may be a copy; " + remedyOriginal
	case len(v.Sets) != v.Elements:
		return nil, "; a content set in its value cannot be read"
	case hasBase && slices.ContainsFunc(v.Sets, differs):
		return nil, fmt.Sprintf("; the base URL makes it %v, which is not a URL of its content set; %s", key, remedyOriginal)
	case slices.ContainsFunc(v.Sets, differs):
		return nil, both + ", which differs; " + remedyOriginal
	case slices.ContainsFunc(v.Sets, func(s *rule.Set) bool { return namesURLs(s) && s.Ref.Num == 0 }):
		return nil, both + "; repair WC121 first"
	case !isAbsolute:
		return nil, both + "; " + remedyOriginal
	case !hasBase:
		return nil, both + "; " + remedyBase
	}
	return &rule.Fix{Action: rule.MakeAbsolute, Old: e.Key, New: key},
		fmt.Sprintf("%s; the base URL makes it %v", both, key)
}

// anyBase stands for a base URL that is not given, to tell whether one can help.
const anyBase = "http://base.example/"

func hasAbsoluteURL(s *rule.Set) bool {
	for role, url := range s.SourceURLs {
		if role == webcapture.Destination && !rule.IsRelative(url) {
			return true
		}
	}
	return false
}

// comesToAccept reports whether a key is one of the URLs of a content set after the base URL has made these absolute.
func comesToAccept(base rule.Base, s *rule.Set, key nametree.Key) bool {
	forms := rule.Forms(rule.KeyBytes(key))
	isForm := func(form string) bool { return slices.Contains(forms, form) }
	for _, url := range s.SourceURLs {
		absolute, ok := base.Key(url)
		if ok && slices.ContainsFunc(rule.Forms(rule.KeyBytes(absolute)), isForm) {
			return true
		}
	}
	return false
}

// isDrive reports whether the apparent scheme is the drive letter of a path.
func isDrive(u canon.Parts) bool { return len(u.Scheme) == 1 && !u.HasAuthority }

// checkURLCanonical reports the steps that would change a key. Relative keys and keys stored as text have rules of
// their own.
func checkURLCanonical(p *rule.Pass, e *rule.Entry) {
	if e.Changes == 0 || !e.URL.Absolute() || isDrive(e.URL) || isText(e) {
		return
	}
	var steps []string
	for _, s := range canon.PDF.Steps() {
		if e.Changes.Has(s.Letter) {
			steps = append(steps, fmt.Sprintf("step %c would %s", s.Letter, s.Title))
		}
	}
	form := nametree.Key(canon.PDF.Append(nil, rule.KeyBytes(e.Key)))
	p.Reportf(e.At(), &rule.Fix{Action: rule.ChangeKey, Old: e.Key, New: form},
		"key %v is not canonical: %s; expected %v%s", e.Key, strings.Join(steps, ", "), form, otherScheme(e.Key))
}

// otherScheme describes a profile, other than PDF, in which the key is canonical; empty if there is none.
func otherScheme(key nametree.Key) string {
	d, ok := canon.Diagnose(rule.KeyBytes(key))
	if !ok || d.Profile == nil {
		return ""
	}
	return "; the profile " + d.Profile.Name() + " keeps it"
}

// checkSameForm reports keys with the canonical form of another key. Relative keys have a rule of their own.
func checkSameForm(p *rule.Pass, t *rule.Tree) {
	if t.Name != webcapture.URLS {
		return
	}
	seen := map[nametree.Key]int{}
	for i, e := range t.Entries() {
		if canon.PDF.Changes(rule.KeyBytes(e.Key)) == 0 || rule.IsRelative(rule.KeyBytes(e.Key)) {
			continue
		}
		form := nametree.Key(canon.PDF.Append(nil, rule.KeyBytes(e.Key)))
		other, dup := seen[form]
		if !dup {
			seen[form] = i
			other, dup = rule.FirstOf(t.All(form))
		}
		if dup {
			p.Reportf(t.AtPair(e.Node, e.Pair), &rule.Fix{Action: rule.ChangeKey, Old: e.Key, New: form},
				"keys %v and %v have the same canonical form (14.10.3.1)", e.Key, t.Entry(other).Key)
		}
	}
}

func checkURLSpelling(p *rule.Pass, e *rule.Entry) {
	if e.URL.Absolute() && e.Changes2.Has('g') && !e.Changes.Has('g') {
		p.Reportf(e.At(), nil, "key %v is canonical only in PDF 1.7: PDF 2.0 resolves its dot segments to %v (14.10.3.2 g)",
			e.Key, nametree.Key(canon.PDF2.Append(nil, rule.KeyBytes(e.Key))))
	}
	if strings.EqualFold(string(e.URL.Scheme), "https") && strings.TrimLeft(string(e.URL.Port), "0") == "443" {
		p.Reportf(e.At(), nil, "key %v names port 443, the default port of https; the standard does not remove it "+
			"(14.10.3.2 f)", e.Key)
	}
	if rule.EmptyPath(e.URL) {
		p.Reportf(e.At(), nil, "key %v has an empty path, which no step fills (14.10.3.2); Acrobat writes /", e.Key)
	}
}

func checkURLEncoding(p *rule.Pass, e *rule.Entry) {
	if isText(e) {
		return
	}
	if what := Unencoded(e.Key); what != "" {
		p.Reportf(e.At(), nil, "key %v has %s: it is not percent-encoded", e.Key, what)
	}
}

// Unencoded describes the first byte of a URL that should be percent-encoded, with its position; empty if there is
// none.
func Unencoded(key nametree.Key) string {
	for i := range len(key) {
		switch c := key[i]; {
		case c == ' ':
			return fmt.Sprintf("a blank at byte %d", i)
		case c < 0x20 || c == 0x7f:
			return "the control character " + rule.ByteAt(rule.KeyBytes(key), i)
		case c == '%' && (i+2 >= len(key) || !IsHex(key[i+1]) || !IsHex(key[i+2])):
			return fmt.Sprintf("a percent sign without two hexadecimal digits at byte %d", i)
		}
	}
	return ""
}

func IsHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func checkURLText(p *rule.Pass, e *rule.Entry) {
	if !isText(e) {
		return
	}
	form := canonicalKey(rule.KeyBytes(e.Key))
	if isRelative := !canon.Split(rule.KeyBytes(form)).Absolute(); isRelative || strings.Contains(string(form), "%") {
		v := valueOf(p, *e)
		url := commonURL(v)
		switch {
		case url != "" && areAlone(p, v): // the original of a percent-encoded byte is unknown
			form = url
		case isRelative:
			fix, why := fixRelative(p, e)
			p.Reportf(e.At(), fix, "key %v is %v, stored as a text string, and relative%s", e.Key, form, why)
			return
		}
	}
	p.Reportf(e.At(), &rule.Fix{Action: rule.ChangeKey, Old: e.Key, New: form},
		"key %v is %v, stored as a text string", e.Key, form)
}

// isText reports whether a tool has written the key as text; see PlainURL.
func isText(e *rule.Entry) bool { return isTextual(e.Key) }

func isTextual(key nametree.Key) bool {
	_, ok := rule.PlainURL(rule.KeyBytes(key))
	return ok
}

// canonicalKey returns the key of URLS for a URL of a content set.
func canonicalKey(url []byte) nametree.Key {
	url, _ = rule.PlainURL(url)
	return nametree.Key(canon.PDF.Append(nil, url))
}
