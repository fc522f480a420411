package witness

import (
	"errors"
	"testing"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// TestDecide: which of two claims is right, by what supports them.
func TestDecide(t *testing.T) {
	nothing := Claim{}
	proven := Claim{Proofs: []string{"the MD5 of its image"}}
	agreed := Claim{Records: []string{"the ID of 2 members"}}
	both := Claim{Proofs: proven.Proofs, Records: agreed.Records}
	doubt := []string{"one member"}
	for _, c := range []struct {
		name     string
		key, set Claim
		doubt    []string
		prefer   Side
		want     Verdict
	}{
		{"nothing", nothing, nothing, nil, Open,
			Verdict{Why: "no evidence decides", Weak: true}},
		{"a proof of the key", proven, nothing, nil, Open,
			Verdict{Right: Keys, Proven: true, Why: "the MD5 of its image proves the key"}},
		{"a proof of the key, against members", proven, agreed, nil, Open,
			Verdict{Right: Keys, Proven: true, Why: "the MD5 of its image proves the key"}},
		{"a proof of the key, and doubt", proven, nothing, doubt, Open,
			Verdict{Right: Keys, Proven: true, Why: "the MD5 of its image proves the key"}},
		{"a proof of the set", nothing, proven, nil, Open,
			Verdict{Right: Sets, Proven: true, Why: "the MD5 of its image proves the ID or URL of the content set"}},
		{"a proof of the set, against members", agreed, proven, nil, Open,
			Verdict{Why: "for the key: the ID of 2 members; for the content set: the MD5 of its image"}},
		{"two proofs", proven, both, nil, Open, Verdict{Why: "for the key: the MD5 of its image; " +
			"for the content set: the MD5 of its image and the ID of 2 members"}},
		{"agreement with the key", agreed, nothing, nil, Open,
			Verdict{Right: Keys, Why: "the key agrees with the ID of 2 members"}},
		{"agreement with the set", nothing, agreed, nil, Open,
			Verdict{Right: Sets, Why: "the content set agrees with the ID of 2 members"}},
		{"agreement with both", agreed, agreed, nil, Open,
			Verdict{Why: "for the key: the ID of 2 members; for the content set: the ID of 2 members"}},
		{"agreement with the set, and doubt", nothing, agreed, doubt, Open,
			Verdict{Why: "for the content set: the ID of 2 members; for neither: one member", Weak: false}},
		{"doubt", nothing, nothing, doubt, Open, Verdict{Why: "for neither: one member"}},
		{"a choice of keys", nothing, nothing, nil, Keys, Verdict{Right: Keys, Chosen: true, Why: "you chose --prefer keys"}},
		{"a choice of sets, where members disagree", agreed, agreed, nil, Sets,
			Verdict{Right: Sets, Chosen: true, Why: "you chose --prefer sets"}},
		{"a choice against a proof", proven, nothing, nil, Sets,
			Verdict{Right: Keys, Proven: true, Why: "the MD5 of its image proves the key"}},
		{"a choice against agreement", nothing, agreed, nil, Keys,
			Verdict{Right: Sets, Why: "the content set agrees with the ID of 2 members"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Decide(c.key, c.set, c.doubt, c.prefer); got != c.want {
				t.Errorf("Decide = %+v, should be %+v", got, c.want)
			}
		})
	}
}

// TestParseSide: sides have the names that --prefer takes.
func TestParseSide(t *testing.T) {
	for _, c := range []struct {
		name string
		want Side
		ok   bool
	}{{"", Open, true}, {"keys", Keys, true}, {"sets", Sets, true}, {"KEYS", Open, false}, {"open", Open, false}} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := ParseSide(c.name)
			if got != c.want || ok != c.ok || ok && got.String() != c.name {
				t.Errorf("ParseSide(%q) = %v, %t", c.name, got, ok)
			}
		})
	}
}

// TestCarriedJudge: an ID that no member carries cannot become a key if images have another MD5, or members other IDs.
func TestCarriedJudge(t *testing.T) {
	const id, other = "0123456789abcdef", "fedcba9876543210"
	sum := func(s string) []digest.ID { return []digest.ID{digest.ID([]byte(s))} }
	right := Verdict{Right: Sets}
	byMember := Verdict{Why: "a member has the ID (fedcba9876543210)"}
	byImage := Verdict{Proven: true, Why: "the MD5 of its image is (fedcba9876543210)"}
	for _, c := range []struct {
		name    string
		carried []string
		images  []digest.ID
		prefer  Side
		want    Verdict
	}{
		{"no members", nil, nil, Open, right},
		{"members without ID", []string{"", ""}, nil, Open, right},
		{"the ID", []string{id}, nil, Open, right},
		{"another one", []string{other}, nil, Open, byMember},
		{"the ID, and another one", []string{other, id}, nil, Open, right},
		{"a short one", []string{"short"}, nil, Open, right},
		{"another one, and a choice of sets", []string{other}, nil, Sets,
			Verdict{Right: Sets, Chosen: true, Why: "you chose --prefer sets"}},
		{"another one, and a choice of keys", []string{other}, nil, Keys, byMember},
		{"another image", nil, sum(other), Open, byImage},
		{"another image, and a choice of sets", nil, sum(other), Sets, byImage},
		{"another image, encoded anew: it carries the ID", []string{id}, sum(other), Open, right},
		{"the image, and a member with another ID", []string{other}, sum(id), Open, Verdict{Right: Sets, Proven: true}},
		{"one image of two", nil, append(sum(other), sum(id)...), Open, Verdict{Right: Sets, Proven: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var carried Carried
			members := 0
			for _, s := range c.carried {
				m := Member{ID: webcapture.String{}}
				if s != "" {
					m.ID = stringOf(t, s)
					members++
				}
				carried.Add(m, nil)
			}
			carried.Add(Member{}, errors.New("unreadable"))
			if got := carried.Judge(nametree.Key(id), func() []digest.ID { return c.images }, c.prefer); got != c.want {
				t.Errorf("Judge = %+v, should be %+v", got, c.want)
			}
			if carried.Members != members || len(carried.Unread) != 1 {
				t.Errorf("%d members with an ID, %d unread", carried.Members, len(carried.Unread))
			}
		})
	}
}

// stringOf returns a string object as a Reader returns it.
func stringOf(t *testing.T, s string) webcapture.String {
	t.Helper()
	o, _, err := object.Parse(object.AppendString(nil, []byte(s)), 0)
	if err != nil {
		t.Fatal(err)
	}
	return webcapture.String{Object: o, Bytes: []byte(s)}
}
