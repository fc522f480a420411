package rewrite

import (
	"crypto/md5"
	"fmt"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestImageDigests: only images that are stored as fetched have digests, which are those of the stored data.
func TestImageDigests(t *testing.T) {
	const first, second = "the data of a JPEG", "the data of a JPEG 2000"
	sum := func(data string) string { return fmt.Sprintf("%x", md5.Sum([]byte(data))) }
	images := imageObject(10, "/Filter /DCTDecode", first) + imageObject(11, "/Filter [ 14 0 R ]", second) +
		imageObject(12, "/Filter /ASCIIHexDecode", "00>") + imageObject(13, "", "raw") + "14 0 obj /JPXDecode\n" +
		imageObject(15, "/Filter 16 0 R", first) + "16 0 obj ]\n17 0 obj ]\n18 0 obj << /Type /Page >>\n"
	for name, c := range map[string]struct {
		subtype, members string
		want             []string
	}{
		"an image":                       {"/SIS", "[ 10 0 R ]", []string{sum(first)}},
		"two images":                     {"/SIS", "[ 10 0 R 11 0 R ]", []string{sum(first), sum(second)}},
		"images with other filters":      {"/SIS", "[ 12 0 R 13 0 R ]", nil},
		"an image after others":          {"/SIS", "[ 12 0 R 13 0 R 10 0 R ]", []string{sum(first)}},
		"a filter that is malformed":     {"/SIS", "[ 15 0 R 10 0 R ]", []string{sum(first)}},
		"a member that is malformed":     {"/SIS", "[ 17 0 R 10 0 R ]", []string{sum(first)}},
		"a member that is not an object": {"/SIS", "[ << /Filter /DCTDecode >> 10 0 R ]", []string{sum(first)}},
		"a dictionary":                   {"/SIS", "[ 18 0 R 10 0 R ]", []string{sum(first)}},
		"a page set":                     {"/SPS", "[ 10 0 R ]", nil},
	} {
		t.Run(name, func(t *testing.T) {
			set := "20 0 obj << /S " + c.subtype + " /O " + c.members + " >>\n"
			p := plannerOf(t, "names: << >>\n"+info+set+images, Options{})
			var cs webcapture.ContentSet
			if err := p.reader.Read(object.MakeRef(object.Ref{Num: 20}), &cs); err != nil {
				t.Fatal(err)
			}
			sums, err := rule.ImageDigests(p.reader, &cs)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range sums {
				got = append(got, fmt.Sprintf("%x", s[0][:]))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("the digests are %v, want %v", got, c.want)
			}
		})
	}
}

// TestDisputedIDs: an ID is disputed if an image as fetched has another MD5, or if a member has another ID. An ID that
// a member has is not disputed, and neither is one that the user prefers to those of members.
func TestDisputedIDs(t *testing.T) {
	const data, other = "the data of a JPEG", "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>"
	md5OfData := fmt.Sprintf("<%x>", md5.Sum([]byte(data)))
	jpeg := imageObject(10, "/Filter /DCTDecode", data)
	jpegWithID := imageObject(10, "/Filter /DCTDecode /ID "+other, data)
	pageWithID := "10 0 obj << /Type /Page /ID " + md5OfData + " >>\n"
	for name, c := range map[string]struct {
		set, member string
		prefer      rule.Side
		want        bool
	}{
		"the MD5 of the image":         {"/SIS /ID " + md5OfData, jpeg, rule.Open, false},
		"another MD5 than the image":   {"/SIS /ID " + other, jpeg, rule.Open, true},
		"another MD5, preferred":       {"/SIS /ID " + other, jpeg, rule.Sets, true},
		"the ID of the image":          {"/SIS /ID " + other, jpegWithID, rule.Open, false},
		"a page without an ID":         {"/SPS /ID " + other, "10 0 obj << /Type /Page >>\n", rule.Open, false},
		"a page with another":          {"/SPS /ID " + other, pageWithID, rule.Open, true},
		"a page with another, ignored": {"/SPS /ID " + other, pageWithID, rule.Sets, false},
	} {
		t.Run(name, func(t *testing.T) {
			set := "20 0 obj << /S " + c.set + " /O [ 10 0 R ] /SI << /AU (http://a/0) >> >>\n"
			p := plannerOf(t, "names: << >>\n"+info+set+c.member, Options{Prefer: c.prefer})
			keys, err := p.addOwnKeys(webcapture.IDS, object.MakeRef(object.Ref{Num: 20}))
			if err != nil {
				t.Fatal(err)
			}
			if got := len(keys) == 0; got != c.want {
				t.Errorf("disputed: %v, want %v", got, c.want)
			}
		})
	}
}

// TestOwnKeys: the URL of a content set can be its key if no other set of its kind has the same ID or member. Sets in
// pairs that are not entries count, too. Equal direct sets are one set.
func TestOwnKeys(t *testing.T) {
	const a, b = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>"
	set := func(subtype, id, members string) string {
		return "<< /S /" + subtype + " /ID " + id + " /O [ " + members + " ] /SI << /AU (http://a/0) >> >>"
	}
	own := set("SPS", a, "10 0 R")
	for name, c := range map[string]struct {
		urls, other string // other is object 21
		want        bool
	}{
		"no other set":               {"(x) 20 0 R", "null", true},
		"twice in the tree":          {"(x) 20 0 R (y) [ 20 0 R ]", "null", true},
		"another set":                {"(x) 20 0 R (y) 21 0 R", set("SPS", b, "11 0 R"), true},
		"the same ID":                {"(x) 20 0 R (y) 21 0 R", set("SPS", a, "11 0 R"), false},
		"the same ID, another kind":  {"(x) 20 0 R (y) 21 0 R", set("SIS", a, "11 0 R"), true},
		"the same member":            {"(x) 20 0 R (y) 21 0 R", set("SPS", b, "11 0 R 10 0 R"), false},
		"the same ID, in an array":   {"(x) [ 20 0 R 21 0 R ]", set("SPS", a, "11 0 R"), false},
		"the same ID, without a key": {"(x) 20 0 R 7 21 0 R", set("SPS", a, "11 0 R"), false},
		"the same ID, in no tree":    {"(x) 20 0 R", set("SPS", a, "11 0 R"), true},
		"a direct copy":              {"(x) 20 0 R (y) " + own, "null", false},
		"an unreadable set":          {"(x) 20 0 R (y) 21 0 R", "]", true},
	} {
		t.Run(name, func(t *testing.T) {
			p := plannerOf(t, "names: << /URLS << /Names [ "+c.urls+" ] >> >>\n"+info+"20 0 obj "+own+"\n21 0 obj "+c.other+
				"\n", Options{})
			keys, err := p.addOwnKeys(webcapture.URLS, object.MakeRef(object.Ref{Num: 20}))
			if err != nil || len(keys) > 0 != c.want {
				t.Errorf("the keys are %v, %v; want any: %v", keys, err, c.want)
			}
		})
	}
	p := plannerOf(t, "names: << /URLS << /Names [ (x) "+own+" (y) "+own+" ] >> >>\n"+info, Options{})
	keys, err := p.addOwnKeys(webcapture.URLS, p.trees[webcapture.URLS].tree.Entry(0).Value)
	if len(keys) != 1 || err != nil {
		t.Errorf("the keys of one of two equal direct sets are %v, %v", keys, err)
	}
}
