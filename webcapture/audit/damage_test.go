package audit

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

var token = regexp.MustCompile(`\d+ \d+ R|\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f]*>|<<|>>|\[|\]|/[^\s()<>\[\]/]*|[-+.\w]+`)

// pool has tokens that the undamaged document may lack.
var pool = []string{
	"null", "[ ]", "<< >>", "()", "<>", "true", "-1", "1.5", "99999999 0 R", "1 0 R", "2 1 R", "/SPS", "/SIS", "/Names", "/Kids", "/Limits",
	"/O", "/SI", "/AU", "/ID", "/C", "/U", "(HTTP://WWW.Example.org:80/a/../b#c)", "(file://localhost/C|/x)", "(\xff\xfe)",
	"(http://www.example.org/archive/00000001/index.html?rev=1)", "<000102030405060708090a0b0c0d0e0f>", "]", ">>", "[", "<<",
}

// damage makes n changes to a document: to tokens, to pairs, to references, to
// whole objects.
func damage(d *webcapturetest.Document, r *rand.Rand, n int) {
	objects := d.Reserve() - 1
	pick := func() (num int, body string, at []int) {
		num = 1 + r.IntN(objects)
		body = d.Body(num)
		all := token.FindAllStringIndex(body, -1)
		if len(all) == 0 {
			return num, body, nil
		}
		return num, body, all[r.IntN(len(all))]
	}
	other := func() string {
		if r.IntN(3) == 0 {
			return pool[r.IntN(len(pool))]
		}
		_, body, at := pick()
		if at == nil {
			return "null"
		}
		return body[at[0]:at[1]]
	}
	for range n {
		num, body, at := pick()
		if at == nil {
			continue
		}
		old := body[at[0]:at[1]]
		with := func(s string) { d.Set(num, body[:at[0]]+s+body[at[1]:]) }
		switch r.IntN(12) {
		case 0, 1:
			with(other())
		case 2:
			with("")
		case 3:
			with(old + " " + old)
		case 4: // of the same kind
			for range 20 {
				if s := other(); s[0] == old[0] {
					with(s)
					break
				}
			}
		case 5: // a reference, perhaps to itself
			with(refTo(1 + r.IntN(objects)))
		case 6:
			d.Free(num)
		case 7:
			d.Set(num, d.Body(1+r.IntN(objects)))
		case 8: // a pair twice
			if i := strings.Index(body, "["); i >= 0 {
				d.Set(num, body[:i+1]+" "+other()+" "+other()+" "+body[i+1:])
			}
		case 9:
			if len(old) > 2 && (old[0] == '(' || old[0] == '<') {
				k := 1 + r.IntN(len(old)-2)
				with(old[:k] + string("ABC0./#%"[r.IntN(8)]) + old[k+1:])
			}
		case 10:
			with("[ " + old + " ]")
		case 11: // as an indirect object
			with(refTo(d.Add(old)))
		}
	}
}

// damageLeaves damages a document of webcapturetest.Sets, but not the catalog,
// the name dictionary and the roots of the trees, so that most of the database
// can be reached.
func damageLeaves(d *webcapturetest.Document, r *rand.Rand, n int) {
	keep := map[int]string{}
	for num := d.Root; num <= 4; num++ { // the last one is the name dictionary
		keep[num] = d.Body(num)
	}
	for _, m := range regexp.MustCompile(`(\d+) 0 R`).FindAllStringSubmatch(keep[4], -1) {
		num, _ := strconv.Atoi(m[1])
		keep[num] = d.Body(num)
	}
	damage(d, r, n)
	for num, body := range keep {
		d.Set(num, body)
	}
}

// checkDamaged audits any document, and checks what must hold for every report.
func checkDamaged(t *testing.T, d *webcapturetest.Document) {
	t.Helper()
	data := d.Bytes(plainLayout)
	rep, err := Bytes(t.Context(), "x.pdf", data, Options{})
	if err != nil {
		if rep != nil {
			t.Errorf("a report and an error: %v", err)
		}
		return
	}
	unresolved, err := Bytes(t.Context(), "x.pdf", data, Options{allDeferred: true})
	if err != nil {
		t.Fatalf("all unresolved: %v", err)
	}
	sameReport(t, rep, unresolved)
	packed, err := Bytes(t.Context(), "x.pdf", d.Bytes(packedLayout), Options{})
	switch {
	case err != nil && !webcapture.IsDamage(err) && !object.IsMalformed(err):
		t.Errorf("object streams: %v", err)
	case err == nil && !rep.WithoutXRef && !packed.WithoutXRef && len(rep.Unread)+len(packed.Unread) == 0:
		sameReport(t, rep, packed)
	}
	for _, f := range rep.Findings {
		if f.Message == "" || strings.HasSuffix(f.Message, ".") || strings.ContainsAny(f.Message, "\n\x00") ||
			strings.Contains(f.Message, "%!") {
			t.Errorf("message %q of %s", f.Message, f.Rule.ID)
		}
		if f.Fix != nil && f.Fix.Old == f.Fix.New && f.Fix.New != "" {
			t.Errorf("a fix that changes nothing: %v", f)
		}
	}
}

// TestDamage is FuzzDamage with some seeds.
func TestDamage(t *testing.T) {
	n := uint64(400)
	if !webcapturetest.All() {
		n = 100
	}
	for seed := range n {
		checkDamaged(t, damagedDocument(seed, uint8(seed), uint8(seed%40)))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func damagedDocument(seed uint64, shape, changes uint8) *webcapturetest.Document {
	bit := func(k int) int { return int(shape >> k & 1) }
	d := webcapturetest.Sets(2+bit(0)*10, webcapturetest.Options{
		Leaf: bit(1) * 3, IndirectKeys: bit(2) == 1, Images: bit(3) * 2, Shared: bit(4) * 3, Mirrors: bit(5) * 2,
		Aliases: bit(6) * 2, Commands: bit(7) * 3,
	})
	damage(d, rand.New(rand.NewPCG(seed, 7)), int(changes))
	return d
}

// FuzzDamage audits databases with random changes to their objects: no panic, and the same findings if all content sets
// are treated as inconsistent.
func FuzzDamage(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, uint8(seed*37), uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, shape, changes uint8) {
		checkDamaged(t, damagedDocument(seed, shape, changes))
	})
}

// FuzzAudit audits any bytes: no panic, no report together with an error.
func FuzzAudit(f *testing.F) {
	small := webcapturetest.Sets(2, webcapturetest.Options{Leaf: 1, Images: 2, Mirrors: 2, Aliases: 2, Commands: 2})
	for _, l := range []webcapturetest.Layout{plainLayout, packedLayout, {XRef: webcapturetest.Hybrid},
		{Encryption: &webcapturetest.Encryption{Revision: 4}}} {
		f.Add(small.Bytes(l))
	}
	for _, path := range caseFiles(f) {
		if c, err := readCase(path); err == nil && c.skip == "" {
			f.Add(c.pdf(f, plainLayout))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		rep, err := Bytes(t.Context(), "x.pdf", data, Options{})
		if (rep == nil) == (err == nil) {
			t.Errorf("report %v, error %v", rep, err)
		}
		if !bytes.Equal(data, before) {
			t.Error("the audit changed the file")
		}
	})
}
