package restore

import (
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// indexed returns a restoration with the content sets of an original and of a file, matched. ids are the IDs of pages
// and images of the file.
func indexed(original, file []string, ids map[uint32]string) *restoration {
	long := func(words []string) (list []string) {
		for _, w := range words {
			for c := 'a'; c <= 'z'; c++ {
				w = strings.ReplaceAll(w, "@"+string(c), strings.Repeat(string(c), 16))
			}
			list = append(list, w)
		}
		return list
	}
	r := &restoration{Inputs: Inputs{Canonical: func(k nametree.Key) nametree.Key {
		return nametree.Key(strings.ToLower(string(k)))
	}}}
	r.known.ids = map[object.Ref]string{}
	for num, id := range ids {
		r.known.ids[object.Ref{Num: num}] = strings.Repeat(strings.TrimPrefix(id, "@"), 16)
	}
	x := &r.sets
	x.original = traitsIn(long(original)...)
	own := traitsIn(long(file)...)
	x.own, x.was, x.disputed = map[object.Ref]*traits{}, map[object.Ref]*traits{}, map[*traits]bool{}
	x.lists, x.known = map[object.Ref][]*traits{}, map[string]object.Ref{}
	x.is, x.copies = identify(x.original, own, r.changesBack)
	for _, t := range own {
		x.own[t.ref] = t
		if t.id != "" {
			x.known[identityOf(t.subtype, t.id)] = t.ref
		}
	}
	for _, t := range x.original {
		for _, ref := range t.members {
			x.lists[ref] = append(x.lists[ref], t)
		}
		for _, ref := range x.all(x.is[t.ref]) {
			x.was[ref] = t
		}
	}
	return r
}

// TestIsForeign: an original is another capture if most of its content sets have other IDs in the file, or if one has
// and none has its own.
func TestIsForeign(t *testing.T) {
	const one, two, three = "1 p id=@a m=1 url=u", "2 p id=@b m=2 url=v", "3 p id=@c m=3 url=w"
	for name, c := range map[string]struct {
		original, file []string
		ids            map[uint32]string
		want           bool
	}{
		"the same":            {[]string{one, two}, []string{"11 p id=@a m=1", "12 p id=@b m=2"}, nil, false},
		"all have other IDs":  {[]string{one, two}, []string{"11 p id=@e m=1", "12 p id=@f m=2"}, nil, true},
		"half have other IDs": {[]string{one, two}, []string{"11 p id=@a m=1", "12 p id=@f m=2"}, nil, false},
		"most have other IDs": {[]string{one, two, three}, []string{"11 p id=@a m=1", "12 p id=@f m=2",
			"13 p id=@g m=3"}, nil, true},
		"most have their IDs": {[]string{one, two, three}, []string{"11 p id=@a m=1", "12 p id=@b m=2",
			"13 p id=@g m=3"}, nil, false},
		"one has, the others none": {[]string{one, two, three}, []string{"11 p id=@e m=1", "12 p m=2", "13 p m=3"},
			nil, true},
		"none has an ID":             {[]string{one, two}, []string{"11 p m=1", "12 p m=2"}, nil, false},
		"a short ID is none":         {[]string{one, two}, []string{"11 p id=x m=1", "12 p m=2"}, nil, false},
		"a key in IDS":               {[]string{one, two}, []string{"11 p m=1 I=@e", "12 p m=2"}, nil, true},
		"a short key in IDS is none": {[]string{one, two}, []string{"11 p m=1 I=e", "12 p m=2"}, nil, false},
		"a key in URLS is none":      {[]string{one, two}, []string{"11 p m=1 U=@e", "12 p m=2"}, nil, false},
		"the ID of a page": {[]string{one, two}, []string{"11 p m=1", "12 p m=2"},
			map[uint32]string{1: "e"}, true},
		"the ID of a page elsewhere": {[]string{one, two}, []string{"11 p m=1", "12 p m=2"},
			map[uint32]string{9: "e"}, false},
		"an ID that is at a page": {[]string{one, two}, []string{"11 p id=@e m=1", "12 p id=@f m=2"},
			map[uint32]string{1: "a", 2: "b"}, false},
		"an ID that is a key": {[]string{one, two}, []string{"11 p id=@e m=1 I=@a", "12 p id=@f m=2 I=@b"}, nil, false},
		"an ID that is a key of URLS": {[]string{one, two}, []string{"11 p id=@e m=1 U=@a", "12 p id=@f m=2 U=@b"}, nil,
			true},
		"sets without ID do not count": {[]string{"1 p m=1", "4 p m=4", two}, []string{"11 p id=@e m=1",
			"14 p id=@h m=4", "12 p id=@b m=2"},
			nil, false},
		"lost sets do not count":   {[]string{one, two, three}, []string{"11 p id=@a m=1"}, nil, false},
		"another date":             {[]string{one + " ts=D:2004"}, []string{"11 p m=1 ts=D:2012"}, nil, true},
		"the same date":            {[]string{one + " ts=D:2004"}, []string{"11 p m=1 ts=D:20040101000000Z"}, nil, false},
		"not a date":               {[]string{one + " ts=D:2004"}, []string{"11 p m=1 ts=yesterday"}, nil, false},
		"not a date, in the other": {[]string{one + " ts=yesterday"}, []string{"11 p m=1 ts=D:2004"}, nil, false},
		"another date, the same ID": {[]string{one + " ts=D:2004"}, []string{"11 p id=@a m=1 ts=D:2012"}, nil,
			false},
		"another ID at a URL": {[]string{"1 p id=@a m=1,4 url=u", two, three}, []string{"11 p id=@e m=1,4 url=V",
			"13 p id=@c m=3"}, nil, true},
		"an ID of the original at a URL": {[]string{"1 p id=@a m=1,4 url=u", two, three},
			[]string{"11 p id=@e m=1,4 url=u", "14 p id=@c m=3 url=v"}, nil, false},
		"no ID at a URL": {[]string{one, two, three}, []string{"11 p id=@e m=1", "12 p url=v", "13 p id=@c m=3"},
			nil, false},
		"no members at a URL": {[]string{one, two, three}, []string{"11 p id=@e m=1", "12 p id=@f url=v",
			"13 p id=@c m=3"}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := indexed(c.original, c.file, c.ids).isForeign()
			if err != nil || got != c.want {
				t.Errorf("it is another capture: %v, %v", got, err)
			}
		})
	}
}

// TestClaims: a content set does not keep an unproven value that another one gets from the original; nor does the one
// that gets the value that this one would have kept.
func TestClaims(t *testing.T) {
	type claim struct {
		kept, proven  bool
		own, original string
	}
	for name, c := range map[string]struct {
		claims []claim
		want   []uint32 // sets that keep their value
	}{
		"a value of its own":       {[]claim{{true, false, "x", "a"}, {false, false, "b", "b"}}, []uint32{1}},
		"the value of another set": {[]claim{{true, false, "b", "a"}, {false, false, "", "b"}}, nil},
		"the same, proven":         {[]claim{{true, true, "b", "a"}, {false, false, "", "b"}}, []uint32{1}},
		"the value of one that keeps its own": {[]claim{{true, false, "b", "a"}, {true, false, "x", "b"}},
			[]uint32{1, 2}},
		"one after the other": {[]claim{{true, false, "b", "a"}, {false, false, "", "b"}, {true, false, "a", "c"},
			{true, false, "c", "d"}}, nil},
		"two with the value": {[]claim{{true, false, "b", "a"}, {true, false, "b", "c"}, {false, false, "", "b"}}, nil},
		"exchanged values":   {[]claim{{true, false, "b", "a"}, {true, false, "a", "b"}}, []uint32{1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			list := newClaims()
			for i, c := range c.claims {
				list.add(object.Ref{Num: uint32(i + 1)}, c.kept, c.proven, c.own, c.original)
			}
			list.settle()
			var got []uint32
			for i := range c.claims {
				if list.kept[object.Ref{Num: uint32(i + 1)}] {
					got = append(got, uint32(i+1))
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v keep their values, want %v", got, c.want)
			}
		})
	}
}

// TestAgreesURL: a URL of the file stays if it differs from those of the original, and is a key.
func TestAgreesURL(t *testing.T) {
	for name, c := range map[string]struct {
		original, file string
		want           bool
	}{
		"another URL and its key":          {"1 p url=u", "2 p url=x U=x", true},
		"another URL, and another key":     {"1 p url=u", "2 p url=x U=y", false},
		"another URL, and a key in IDS":    {"1 p url=u", "2 p url=x I=x", false},
		"the key in canonical form":        {"1 p url=u", "2 p url=X U=x", true},
		"the key in the form of the URL":   {"1 p url=u", "2 p url=X U=X", true},
		"the same URL":                     {"1 p url=u", "2 p url=u U=u", false},
		"the same URL in another form":     {"1 p url=u", "2 p url=U U=u", false},
		"the second URL of the original":   {"1 p url=u url=x", "2 p url=X U=x", false},
		"no URL":                           {"1 p url=u", "2 p U=u", false},
		"no URL in the original":           {"1 p", "2 p url=x U=x", true},
		"the second URL of the file alone": {"1 p url=u", "2 p url=u url=x U=x", false},
	} {
		t.Run(name, func(t *testing.T) {
			r := indexed(nil, nil, nil)
			if got := r.agreesURL(traitsIn(c.original)[0], traitsIn(c.file)[0]); got != c.want {
				t.Errorf("it agrees: %v", got)
			}
		})
	}
}

// TestAgreesID: an ID of the file stays if it differs from the original's, is its key, and its members have it.
func TestAgreesID(t *testing.T) {
	for name, c := range map[string]struct {
		original, file string
		ids            map[uint32]string
		want           bool
	}{
		"key and members":       {"1 p id=@a", "2 p id=@e m=8,9 I=@e", map[uint32]string{8: "e", 9: "e"}, true},
		"key and one member":    {"1 p id=@a", "2 p id=@e m=8,9 I=@e", map[uint32]string{8: "e"}, true},
		"members with two IDs":  {"1 p id=@a", "2 p id=@e m=8,9 I=@e", map[uint32]string{8: "e", 9: "f"}, false},
		"no member with an ID":  {"1 p id=@a", "2 p id=@e m=8,9 I=@e", nil, false},
		"no key":                {"1 p id=@a", "2 p id=@e m=8", map[uint32]string{8: "e"}, false},
		"a key in URLS":         {"1 p id=@a", "2 p id=@e m=8 U=@e", map[uint32]string{8: "e"}, false},
		"the same ID":           {"1 p id=@e", "2 p id=@e m=8 I=@e", map[uint32]string{8: "e"}, false},
		"no ID in the original": {"1 p", "2 p id=@e m=8 I=@e", map[uint32]string{8: "e"}, false},
		"a short ID":            {"1 p id=@a", "2 p id=e m=8 I=e", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := indexed([]string{c.original}, []string{c.file}, c.ids)
			got, proven, err := r.agreesID(r.sets.original[0], r.sets.own[object.Ref{Num: 2}])
			if err != nil || got != c.want || proven {
				t.Errorf("it agrees: %v, proven: %v, %v", got, proven, err)
			}
		})
	}
}

// TestProvesTag: an ID of a page agrees if a content set that lists the page has it, or if none lists the page.
func TestProvesTag(t *testing.T) {
	for name, c := range map[string]struct {
		original       []string
		leftOut        uint32
		agrees, proven bool
	}{
		"its set":                    {[]string{"1 p id=@a m=8"}, 0, true, true},
		"the second of its sets":     {[]string{"1 p id=@b m=8", "2 p id=@a m=8"}, 0, true, true},
		"the second one is certain":  {[]string{"1 p id=@a m=8 !id", "2 p id=@a m=8"}, 0, true, true},
		"a set that is not certain":  {[]string{"1 p id=@a m=8 !id"}, 0, true, false},
		"another ID":                 {[]string{"1 p id=@b m=8"}, 0, false, false},
		"no set":                     {[]string{"1 p id=@a m=9"}, 0, true, false},
		"a set that is not restored": {[]string{"1 p id=@a m=8"}, 1, false, false},
		"one of two is not restored": {[]string{"1 p id=@a m=8", "2 p id=@a m=8"}, 1, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := indexed(c.original, nil, nil)
			r.LeftOut = map[object.Ref]string{{Num: c.leftOut}: "WC1"}
			l := &likeness{ref: object.Ref{Num: 8}, id: strings.Repeat("a", 16)}
			if agrees, proven := r.provesTag(l); agrees != c.agrees || proven != c.proven {
				t.Errorf("agrees: %v, proven: %v", agrees, proven)
			}
		})
	}
}

// TestKeepsForm: equivalent URLs of the file stay if their form differs, and the original's form is not its key.
func TestKeepsForm(t *testing.T) {
	for name, c := range map[string]struct {
		original, file string
		want           bool
	}{
		"another form":                  {"1 p id=@a url=U", "2 p id=@a url=u", true},
		"another form, which is no key": {"1 p id=@a url=U U=u", "2 p id=@a url=u", true},
		"another form, which is a key":  {"1 p id=@a url=U U=U", "2 p id=@a url=u", false},
		"the same form":                 {"1 p id=@a url=u", "2 p id=@a url=u", false},
		"one of two forms is a key":     {"1 p id=@a url=U url=V U=U", "2 p id=@a url=u url=v", true},
		"more URLs":                     {"1 p id=@a url=U url=V", "2 p id=@a url=u", false},
	} {
		t.Run(name, func(t *testing.T) {
			r := indexed([]string{c.original}, []string{c.file}, nil)
			if got := r.keepsForm(object.Ref{Num: 2}); got != c.want {
				t.Errorf("the form stays: %v", got)
			}
		})
	}
}
