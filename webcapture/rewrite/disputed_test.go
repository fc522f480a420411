package rewrite

import (
	"crypto/md5"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/witness"
)

// imageObject returns the text of an image object with some data.
func imageObject(num int, entries, data string) string {
	return fmt.Sprintf("%d 0 obj << /Type /XObject /Subtype /Image %s /Length %d >>\nstream\n%s\nendstream\n",
		num, entries, len(data), data)
}

// plannerOf returns a planner that has taken no steps yet.
func plannerOf(t *testing.T, objects string, opt Options) *planner {
	t.Helper()
	return newPlanner(planOf(t, pdf(t, objects), opt).repair.provenPlan.before, opt)
}

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
			sums, err := p.imageDigests(&cs)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range sums {
				got = append(got, fmt.Sprintf("%x", s[:]))
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
		prefer      witness.Side
		want        bool
	}{
		"the MD5 of the image":         {"/SIS /ID " + md5OfData, jpeg, witness.Open, false},
		"another MD5 than the image":   {"/SIS /ID " + other, jpeg, witness.Open, true},
		"another MD5, preferred":       {"/SIS /ID " + other, jpeg, witness.Sets, true},
		"the ID of the image":          {"/SIS /ID " + other, jpegWithID, witness.Open, false},
		"a page without an ID":         {"/SPS /ID " + other, "10 0 obj << /Type /Page >>\n", witness.Open, false},
		"a page with another":          {"/SPS /ID " + other, pageWithID, witness.Open, true},
		"a page with another, ignored": {"/SPS /ID " + other, pageWithID, witness.Sets, false},
	} {
		t.Run(name, func(t *testing.T) {
			set := "20 0 obj << /S " + c.set + " /O [ 10 0 R ] /SI << /AU (http://a/0) >> >>\n"
			p := plannerOf(t, "names: << >>\n"+info+set+c.member, Options{Prefer: c.prefer})
			keys, err := p.ownKeys(webcapture.IDS, object.MakeRef(object.Ref{Num: 20}))
			if err != nil {
				t.Fatal(err)
			}
			if got := len(keys) == 0; got != c.want {
				t.Errorf("disputed: %v, want %v", got, c.want)
			}
		})
	}
}

// TestNodesOutside: an edit of one tree must not write the nodes of URLS, IDS, and Dests, or the root of another tree.
func TestNodesOutside(t *testing.T) {
	p := plannerOf(t, "names: << /URLS 30 0 R /IDS 32 0 R /Dests 34 0 R /AP 36 0 R /Pages << /Names [ ] >> >>\n"+info+setA+
		"30 0 obj << /Kids [ 31 0 R ] >>\n"+
		"31 0 obj << /Limits [ (http://a/0) (http://a/0) ] /Names [ (http://a/0) 20 0 R ] >>\n"+
		"32 0 obj << /Kids [ 33 0 R ] >>\n33 0 obj << /Limits [ (x) (x) ] /Names [ (x) 20 0 R ] >>\n"+
		"34 0 obj << /Kids [ 35 0 R ] >>\n35 0 obj << /Limits [ (d) (d) ] /Names [ (d) [ 10 0 R /Fit ] ] >>\n"+
		"36 0 obj << /Kids [ 37 0 R ] >>\n37 0 obj << /Limits [ (p) (p) ] /Names [ (p) null ] >>\n", Options{})
	for tree, want := range map[string]string{
		"URLS":  "32 33 34 35 36",
		"IDS":   "30 31 34 35 36",
		"Dests": "30 31 32 33 36",
		"AP":    "30 31 32 33 34 35",
	} {
		t.Run(tree, func(t *testing.T) {
			nodes, err := newBuilder(p.view, p.edits, p.draft).nodesOutside(tree)
			if err != nil {
				t.Fatal(err)
			}
			delete(nodes, object.Ref{})
			var got []string
			for _, ref := range slices.SortedFunc(maps.Keys(nodes), object.Ref.Compare) {
				got = append(got, fmt.Sprint(ref.Num))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("the nodes are %v, want %s", got, want)
			}
		})
	}
}

// TestThen: a combined plan also remembers the content sets that only a later round found.
func TestThen(t *testing.T) {
	rounds := make([]*combinedPlan, 2)
	for i := range rounds {
		d := planOf(t, pdf(t, "names: << >>\n"+info+setA), Options{}).repair.last
		d.unseen[object.Ref{Num: uint32(20 + i)}] = true
		rounds[i] = newCombinedPlan(d)
	}
	rounds[0].then(rounds[1])
	for num := range uint32(2) {
		if !rounds[0].unseen[object.Ref{Num: 20 + num}] {
			t.Errorf("content set %d 0 R is no longer new", 20+num)
		}
	}
}
