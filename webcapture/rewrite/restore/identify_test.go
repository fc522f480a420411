package restore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// traitsIn reads content sets from words: the object number, p or i for the subtype, and then properties. m is the
// members, U and I are keys in URLS and IDS, and !id and !url say that the original contradicts itself.
func traitsIn(sets ...string) (list []*traits) {
	others := []string{"ts", "ct", "t", "tid", "retrieved"}
	for _, words := range sets {
		fields := strings.Fields(words)
		t := &traits{ref: refsIn(fields[0])[0], subtype: webcapture.PageSet, proof: agreement{true, true}}
		for _, f := range fields[1:] {
			switch name, value, _ := strings.Cut(f, "="); name {
			case "i":
				t.subtype = webcapture.ImageSet
			case "id":
				t.id = value
			case "url":
				t.urls = append(t.urls, value)
			case "m":
				t.members = refsIn(value)
				t.stored = t.members
			case "U":
				t.keys = append(t.keys, treeKey{webcapture.URLS, nametree.Key(value)})
			case "I":
				t.keys = append(t.keys, treeKey{webcapture.IDS, nametree.Key(value)})
			case "!id":
				t.proof.id = false
			case "!url":
				t.proof.url = false
			default:
				if i := slices.Index(others, name); i >= 0 {
					t.others[i] = value
				}
			}
		}
		list = append(list, t)
	}
	return list
}

func refsIn(list string) (refs []object.Ref) {
	for n := range strings.SplitSeq(list, ",") {
		i, err := strconv.Atoi(n)
		if err != nil {
			panic(err)
		}
		refs = append(refs, object.Ref{Num: uint32(i)})
	}
	return refs
}

// TestScore: a content set of the file is that of the original if enough records are equal. Members and ID count most.
// Captures may share a URL, so sets with different IDs need more.
func TestScore(t *testing.T) {
	for name, c := range map[string]struct {
		original, file string
		matches        bool
	}{
		"equal ID":                       {"1 p id=a", "2 p id=a", true},
		"no ID":                          {"1 p", "2 p", false},
		"equal ID, another subtype":      {"1 p id=a", "2 i id=a", false},
		"equal ID and URL, another type": {"1 p id=a url=u", "2 i id=a url=u", true},
		"an ID that is not certain":      {"1 p id=a !id", "2 p id=a", false},
		"equal members":                  {"1 p m=8,9", "2 p m=8,9", true},
		"equal members, another subtype": {"1 p m=8,9", "2 i m=8,9", true},
		"equal members, another ID":      {"1 p id=a m=8,9", "2 p id=b m=8,9", true},
		"one common member":              {"1 p m=8,9", "2 p m=9", false},
		"one common member, and a title": {"1 p m=8,9 t=x", "2 p m=9 t=x", false},
		"one common member, and two":     {"1 p m=8,9 t=x ct=y", "2 p m=9 t=x ct=y", true},
		"a common member, other IDs":     {"1 p id=a m=8,9 t=x ct=y", "2 p id=b m=9 t=x ct=y", true},
		"other members, and two":         {"1 p m=8 t=x ct=y", "2 p m=9 t=x ct=y", false},
		"equal URL":                      {"1 p url=u", "2 p url=u", false},
		"equal URL and title":            {"1 p url=u t=x", "2 p url=u t=x", true},
		"equal URL and title, no ID":     {"1 p id=a url=u t=x", "2 p url=u t=x", true},
		"equal URL and title, other IDs": {"1 p id=a url=u t=x", "2 p id=b url=u t=x", false},
		"the same, ID not certain":       {"1 p id=a url=u t=x !id", "2 p id=b url=u t=x", true},
		"an uncertain URL and title":     {"1 p url=u t=x !url", "2 p url=u t=x", false},
		"another URL and title":          {"1 p url=u t=x", "2 p url=v t=x", false},
		"six points, other IDs":          {"1 p id=a url=u t=x ct=y tid=z", "2 p id=b url=u t=x ct=y tid=z", false},
		"seven points, other IDs": {"1 p id=a url=u t=x ct=y tid=z U=u", "2 p id=b url=u t=x ct=y tid=z U=u",
			true},
		"each text counts": {"1 p id=a url=u t=x tid=y retrieved=z ts=w", "2 p id=b url=u t=x tid=y retrieved=z ts=w",
			true},
		"empty texts":                        {"1 p m=8,9", "2 p m=8", false},
		"other IDs, but the key in IDS":      {"1 p id=a url=u I=a", "2 p id=b url=u I=a", true},
		"other IDs, but a key in URLS":       {"1 p id=a url=u U=u", "2 p id=b url=u U=u", false},
		"an uncertain key in IDS":            {"1 p id=a url=u I=c !id", "2 p url=u I=c", false},
		"an uncertain key in URLS":           {"1 p t=x ct=y tid=z U=u !url", "2 p t=x ct=y tid=z U=u", false},
		"the same key in the other tree":     {"1 p t=x ct=y tid=z U=u", "2 p t=x ct=y tid=z I=u", false},
		"many keys count once":               {"1 p t=x U=u U=v U=w", "2 p t=x U=u U=v U=w", false},
		"three texts, and a key":             {"1 p t=x ct=y tid=z U=u", "2 p t=x ct=y tid=z U=u", true},
		"three texts, and keys in both":      {"1 p t=x ct=y U=u I=a", "2 p t=x ct=y U=u I=a", true},
		"three texts, a key, and other type": {"1 p t=x ct=y tid=z U=u", "2 i t=x ct=y tid=z U=u", false},
	} {
		t.Run(name, func(t *testing.T) {
			if n := traitsIn(c.original)[0].score(traitsIn(c.file)[0]); n > 0 != c.matches || n < 0 {
				t.Errorf("the score is %d, but they match: %v", n, c.matches)
			}
		})
	}
}

// TestIdentify: each content set of the original gets the best match of the file that is free, and copies are those
// left with the same members.
func TestIdentify(t *testing.T) {
	for name, c := range map[string]struct {
		original, file []string
		stays          uint32 // content set of the file that keeps its records
		want           string
	}{
		"the members outweigh a title": {[]string{"1 p url=u t=x m=8"}, []string{"11 p url=u t=x", "12 p url=u m=8"},
			0, "1=12"},
		"ID and URL outweigh members and URL": {[]string{"1 p id=a url=u m=8"},
			[]string{"11 p url=u m=8", "12 p id=a url=u"}, 0, "1=12+11"},
		"the same number": {[]string{"12 p id=a"}, []string{"11 p id=a", "12 p id=a"}, 0, "12=12"},
		"the same number of another one": {[]string{"3 p id=a", "12 p id=a"}, []string{"11 p id=a", "12 p id=a"}, 0,
			"12=12 3=11"},
		"the lower number":          {[]string{"1 p id=a"}, []string{"12 p id=a", "11 p id=a"}, 0, "1=11"},
		"the first of the original": {[]string{"2 p id=a", "1 p id=a"}, []string{"11 p id=a"}, 0, "2=11"},
		"a second one for a URL": {[]string{"1 p id=a url=u m=8", "2 p id=a url=u t=x"},
			[]string{"11 p id=a url=u m=8", "12 p url=u t=x"}, 0, "1=11 2=12"},
		"only a key in common, and texts": {[]string{"1 p id=a t=x ct=y tid=z U=u"},
			[]string{"11 p url=v t=x ct=y tid=z U=u"}, 0, "1=11"},
		"nothing in common":         {[]string{"1 p id=a"}, []string{"11 p id=b"}, 0, ""},
		"another ID that stays":     {[]string{"1 p id=a m=8"}, []string{"11 p id=b m=8"}, 11, ""},
		"no ID, and it stays":       {[]string{"1 p id=a m=8"}, []string{"11 p m=8"}, 11, "1=11"},
		"no ID in the original":     {[]string{"1 p m=8"}, []string{"11 p id=a m=8"}, 11, "1=11"},
		"the same ID, and it stays": {[]string{"1 p id=a m=8"}, []string{"11 p id=a m=8"}, 11, "1=11"},
		"members, for more of them": {[]string{"1 p id=a url=u m=8", "2 p m=9"}, []string{"11 p id=a url=u m=9",
			"12 p m=8"}, 0, "1=12 2=11"},
		"not members, for as many": {[]string{"1 p id=a url=u m=8", "2 p url=v t=x m=9"},
			[]string{"11 p id=a url=u m=9", "12 p url=v t=x m=8"}, 0, "1=11 2=12"},
		"a copy": {[]string{"1 p id=a m=8"}, []string{"11 p id=a m=8", "12 p id=a m=8"}, 0,
			"1=11+12"},
		"two copies": {[]string{"1 p id=a m=8"}, []string{"11 p id=a m=8", "12 p id=a m=8",
			"13 p id=a m=8"}, 0, "1=11+12+13"},
		"a copy that stays": {[]string{"1 p id=a m=8"}, []string{"11 p id=a m=8", "12 p id=a m=8"}, 12,
			"1=11"},
		"a copy with another URL": {[]string{"1 p id=a url=u m=8"}, []string{"11 p id=a url=u m=8",
			"12 p id=a url=v m=8"}, 0, "1=11"},
		"a copy without URL": {[]string{"1 p id=a url=u m=8"}, []string{"11 p id=a url=u m=8",
			"12 p id=a m=8"}, 0, "1=11+12"},
		"a copy with other members": {[]string{"1 p id=a m=8"}, []string{"11 p id=a m=8", "12 p id=a m=9"}, 0,
			"1=11"},
		"a copy without members": {[]string{"1 p id=a"}, []string{"11 p id=a", "12 p id=a"}, 0, "1=11"},
		"a copy of another subtype": {[]string{"1 p id=a url=u m=8"}, []string{"11 p id=a url=u m=8",
			"12 i id=a url=u m=8"}, 0, "1=11"},
		"a copy without ID": {[]string{"1 p id=a url=u m=8"}, []string{"11 p id=a url=u m=8",
			"12 p url=u m=8"}, 0, "1=11+12"},
		"a copy with an unknown ID": {[]string{"1 p id=a url=u m=8"}, []string{"11 p id=a url=u m=8",
			"12 p id=c url=u m=8"}, 0, "1=11+12"},
		"a copy with neither": {[]string{"1 p id=a m=8"}, []string{"11 p id=a m=8", "12 p id=c m=8"}, 0,
			"1=11"},
		"a copy without ID and URL": {[]string{"1 p m=8"}, []string{"11 p m=8", "12 p m=8"}, 0, "1=11"},
		"a copy with another one's ID": {[]string{"1 p id=a url=u m=8", "2 p id=c m=9"},
			[]string{"11 p id=a url=u m=8", "12 p id=c url=u m=8", "13 p id=c m=9"}, 0, "1=11 2=13"},
		"a copy with the ID of an image set": {[]string{"1 p id=a url=u m=8", "2 i id=c m=9"},
			[]string{"11 p id=a url=u m=8", "12 p id=c url=u m=8", "13 i id=c m=9"}, 0, "1=11+12 2=13"},
	} {
		t.Run(name, func(t *testing.T) {
			changesBack := func(ref object.Ref) bool { return ref.Num != c.stays }
			is, copies := identify(traitsIn(c.original...), traitsIn(c.file...), changesBack)
			if got := matches(is, copies); got != c.want {
				t.Errorf("they match as %s, want %s", got, c.want)
			}
		})
	}
}

func matches(is map[object.Ref]object.Ref, copies map[object.Ref][]object.Ref) string {
	var list []string
	for was, is := range is {
		text := fmt.Sprintf("%d=%d", was.Num, is.Num)
		for _, c := range copies[is] {
			text += fmt.Sprintf("+%d", c.Num)
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// TestIdentifyMany: a record that too many content sets of the file share identifies none of them.
func TestIdentifyMany(t *testing.T) {
	for n, want := range map[int]string{maxAlike: "1=100", maxAlike + 1: ""} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var file []string
			for i := range n {
				file = append(file, fmt.Sprintf("%d p id=a", 100+i))
			}
			is, copies := identify(traitsIn("1 p id=a"), traitsIn(file...), func(object.Ref) bool { return true })
			if got := matches(is, copies); got != want {
				t.Errorf("they match as %q, want %q", got, want)
			}
		})
	}
}

// TestCommonRecords: the records that two content sets have in common are ID, URLs, members, and keys.
func TestCommonRecords(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		want commonRecords
	}{
		"all": {"1 p id=a url=u m=8 U=u I=a", "2 p id=a url=u m=8 U=u I=a", commonRecords{true, true,
			true, true, true}},
		"nothing":             {"1 p id=a url=u m=8 U=u I=a", "2 p id=b url=v m=9 U=v I=b", commonRecords{}},
		"no ID and no URL":    {"1 p m=8", "2 p m=8", commonRecords{members: true}},
		"a key in IDS":        {"1 p m=8 U=u I=a I=b", "2 p m=9 U=a I=b", commonRecords{inIDS: true}},
		"a key in URLS":       {"1 p m=8 U=u I=a U=v", "2 p m=9 U=v I=u", commonRecords{inURLS: true}},
		"the first of URLs":   {"1 p m=8 url=u url=v", "2 p m=9 url=u", commonRecords{}},
		"the same two URLs":   {"1 p m=8 url=u url=v", "2 p m=9 url=u url=v", commonRecords{url: true}},
		"one of two members":  {"1 p id=a m=8,9", "2 p id=a m=8", commonRecords{id: true}},
		"no members in both":  {"1 p id=a", "2 p id=a", commonRecords{id: true, members: true}},
		"members in one only": {"1 p id=a m=8", "2 p id=a", commonRecords{id: true}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := traitsIn(c.a)[0].common(traitsIn(c.b)[0]); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// TestCovers compares covers with sets of bits.
func TestCovers(t *testing.T) {
	records := func(bits int) commonRecords {
		has := func(bit int) bool { return bits>>bit&1 == 1 }
		return commonRecords{has(0), has(1), has(2), has(3), has(4)}
	}
	for a := range 32 {
		for b := range 32 {
			if got, want := records(a).covers(records(b)), a&b == b; got != want {
				t.Errorf("%v covers %v: %v, want %v", records(a), records(b), got, want)
			}
		}
	}
}

// TestIsWhole: a match is whole if it has ID, URLs, and members of the original, and the original is consistent.
func TestIsWhole(t *testing.T) {
	const whole = "1 p id=a url=u m=8"
	for name, c := range map[string]struct {
		original, file string
		want           bool
	}{
		"whole":        {whole, "2 p id=a url=u m=8", true},
		"no ID":        {whole, "2 p url=u m=8", false},
		"another URL":  {whole, "2 p id=a url=v m=8", false},
		"no members":   {whole, "2 p id=a url=u", false},
		"uncertain":    {whole + " !id", "2 p id=a url=u m=8", false},
		"URL unproven": {whole + " !url", "2 p id=a url=u m=8", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := traitsIn(c.original)[0].isWhole(traitsIn(c.file)[0]); got != c.want {
				t.Errorf("it is whole: %v", got)
			}
		})
	}
	if traitsIn(whole)[0].isWhole(nil) {
		t.Error("no match is whole")
	}
}

// TestHasProven: a proven record of the original may be in the content set, or be its key.
func TestHasProven(t *testing.T) {
	for name, c := range map[string]struct {
		original string
		common   commonRecords
		want     bool
	}{
		"the ID":               {"1 p", commonRecords{id: true}, true},
		"a key in IDS":         {"1 p", commonRecords{inIDS: true}, true},
		"the URL":              {"1 p", commonRecords{url: true}, true},
		"a key in URLS":        {"1 p", commonRecords{inURLS: true}, true},
		"the members":          {"1 p", commonRecords{members: true}, false},
		"an uncertain ID":      {"1 p !id", commonRecords{id: true, inIDS: true}, false},
		"an uncertain URL":     {"1 p !url", commonRecords{url: true, inURLS: true}, false},
		"a URL, ID uncertain":  {"1 p !id", commonRecords{url: true}, true},
		"an ID, URL uncertain": {"1 p !url", commonRecords{inIDS: true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := traitsIn(c.original)[0].hasProven(c.common); got != c.want {
				t.Errorf("it has a proven record: %v", got)
			}
		})
	}
}

// TestTraits: the properties of a content set are its records and the keys that lead to it.
func TestTraits(t *testing.T) {
	f := parsed(t, capture, "/T (title) /TID (tid) /SI << /AU (http://a/) /C 41 0 R >>",
		"/TS (ts) /CT (ct) /T (title) /TID (tid) /SI [ << /AU (http://a/) /TS (retrieved) >> << /AU (http://a/2) /TS "+
			"(x) >> ]",
		"(http://a/b) 21 0 R ]", "(http://a/b) 21 0 R (http://a/c) [ 20 0 R 7 30 0 R 10 0 R ] ]")
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	isPage := func(ref object.Ref) object.Ref {
		if ref.Num == 11 {
			return object.Ref{Num: 91}
		}
		return object.Ref{}
	}
	list, err := traitsOf(sideOf(f, db), isPage)
	if err != nil {
		t.Fatal(err)
	}
	list, keys := readable(list)
	if len(list) != 2 || keys != 2 {
		t.Fatalf("%d content sets, and %d keys of others", len(list), keys)
	}
	l := list[0]
	got := short(fmt.Sprintf("%v (%s) %v %v %v %v %v", l.ref, l.id, l.subtype, l.members, l.stored, l.urls, l.others))
	const want = "20 0 R @a page set [91 0 R] [10 0 R 11 0 R] [http://a/ http://a/2] [ts ct title tid retrieved]"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	id := nametree.Key(strings.Repeat("a", 16))
	if !slices.Equal(l.keys, []treeKey{{webcapture.URLS, "http://a/"}, {webcapture.URLS, "http://a/c"},
		{webcapture.IDS, id}}) {
		t.Errorf("the keys are %v", l.keys)
	}
}

// TestListText: elements of arrays stand next to each other.
func TestListText(t *testing.T) {
	of := func(m member) object.Object { return object.MakeRef(object.Ref{Num: uint32(m.page)}) }
	for n, want := range []string{"[]", "[1 0 R]", "[1 0 R 2 0 R]"} {
		t.Run(want, func(t *testing.T) {
			if got := string(listText([]member{{page: 1}, {page: 2}}[:n], of)); got != want {
				t.Errorf("it is %s", got)
			}
		})
	}
}
