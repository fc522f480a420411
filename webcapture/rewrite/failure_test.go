package rewrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/rewrite/restore"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// objectHeader is how an object begins in a file without object streams.
var objectHeader = regexp.MustCompile(`(?m)^\d+ \d+ obj`)

// damages calls do for each object of a file, while reading that object fails because the file has no object at its
// offset.
func damages(data []byte, do func(object string)) {
	for _, at := range objectHeader.FindAllIndex(data, -1) {
		header := data[at[0]:at[1]]
		whole := bytes.Clone(header)
		copy(header[len(header)-3:], "???")
		do(string(whole))
		copy(header, whole)
	}
}

// TestPlansFailWithTheFile: if an object cannot be read, planning fails, or the plan does not need the object and is
// the same. A plan from only the readable objects would drop the others.
func TestPlansFailWithTheFile(t *testing.T) {
	files, err := filepath.Glob("../../testdata/audit/WC*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	failed := 0
	some := webcapturetest.Sample(5, files)
	for _, path := range some {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data := pdf(t, string(archive.Files[0].Data))
		for _, opt := range []Options{{Rules: audit.Rules()}, {Rules: audit.Rules(), Rebuild: true}} {
			failed += checkFailures(t, filepath.Base(path), data, opt)
		}
	}
	if failed < 2*len(some) {
		t.Errorf("only %d plans failed", failed)
	}
}

// checkFailures checks that for each unreadable object, the plan for a file either fails or is the same. It returns
// the number of failed plans.
func checkFailures(t *testing.T, name string, data []byte, opt Options) (failed int) {
	t.Helper()
	whole := planOf(t, data, opt)
	want := describe(whole)
	f := opened(t, data, opt)
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	once, err := planFor(state{f, db, whole.Report}, opt, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, update := describe(planOfDraft(once)), updateOf(t, planOfDraft(once))
	damages(data, func(header string) {
		p, err := NewPlan(t.Context(), opened(t, data, opt), opt)
		if err != nil && !webcapture.IsDamage(err) && !object.IsMalformed(err) {
			t.Errorf("%s: without %s the error is %v", name, header, err)
		}
		if err == nil && !p.rounds.last.file.WithoutXRef() && describe(p) != want {
			t.Errorf("%s: without %s the plan is\n%s\nshould be\n%s", name, header, describe(p), want)
		}
		d, err := planFor(state{opened(t, data, opt), db, whole.Report}, opt, nil)
		if err == nil {
			p = planOfDraft(d)
		}
		switch {
		case webcapture.IsDamage(err):
			failed++
		case err != nil:
			t.Errorf("%s: without %s the error is %v", name, header, err)
		case describe(p) != first:
			t.Errorf("%s: without %s the plan of what was found is\n%s\nshould be\n%s", name, header, describe(p),
				first)
		case p.rounds.last.file.Appendable() == nil &&
			!bytes.Equal(updateOf(t, p), update): // it is not if the file was repaired
			t.Errorf("%s: without %s the plan writes\n%s\nshould write\n%s", name, header, updateOf(t, p), update)
		}
	})
	return failed
}

// TestFromFailsWithTheFiles: if an object of an original, or of the file, cannot be read, planning the restoration
// fails, or gives the same steps.
func TestFromFailsWithTheFiles(t *testing.T) {
	was := pdf(t, strings.NewReplacer("/CT (text/html)", "/CT (text/html) /Private 50 0 R", "/R [ 2 ]", "/R 53 0 R", "/T (title)", "/T 56 0 R",
		"/C [ 40 0 R ]", "/C 57 0 R", "[ 11 0 R /Fit ]", "58 0 R", "[ (http://a/0) 20 0 R", "[ (http://a/0) 59 0 R", "/PA << /S /URI /URI (http://a/0#top) >>", "/PA 60 0 R").Replace(original)+
		"50 0 obj [ 51 0 R ]\n51 0 obj (x)\n53 0 obj [ 54 0 R ]\n54 0 obj 2\n56 0 obj (title)\n57 0 obj [ 40 0 R ]\n58 0 obj [ 11 0 R /Fit ]\n59 0 obj [ 20 0 R ]\n60 0 obj << /S /URI /URI (http://a/0#top) >>\n")
	withInfo := strings.Replace(stripped, "/Pages 1 0 R", "/Pages 1 0 R /SpiderInfo 60 0 R /Names 61 0 R", 1) +
		"60 0 obj << /V 1.25 /C 62 0 R >>\n61 0 obj << /URLS 63 0 R /Dests 65 0 R >>\n62 0 obj [ 64 0 R ]\n63 0 obj << /Names [ (http://z/0) 66 0 R ] >>\n" +
		"64 0 obj << /URL (http://z/0) >>\n65 0 obj << /Names [ (z) 67 0 R ] >>\n66 0 obj [ 68 0 R 69 0 R ]\n67 0 obj [ 5 0 R /Fit ]\n68 0 obj << /S /SPS /ID <d0d1d2d3d4d5d6d7d8d9dadbdcdddedf> /O [ ] >>\n" +
		"69 0 obj << /S /SIS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O 70 0 R /R 71 0 R /SI << /AU (http://a/1.jpg) >> >>\n70 0 obj [ ]\n71 0 obj [ ]\n"
	is := pdf(t, withInfo)
	steps := func(is *webcapture.File, db *webcapture.Database) (string, error) {
		from, err := webcapture.New(context.Background(), was, webcapture.Options{})
		if err != nil {
			return "", err
		}
		back, err := restore.From(restore.Inputs{Original: from, Name: "original.pdf", File: is, Database: db,
			Update: is.NewUpdate()})
		if err != nil {
			return "", err
		}
		return fmt.Sprint(back.Steps), nil
	}
	db, err := opened(t, is, Options{}).Database()
	if err != nil {
		t.Fatal(err)
	}
	want, err := steps(opened(t, is, Options{}), db)
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	for i, data := range [][]byte{was, is} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			damages(data, func(header string) {
				f, err := webcapture.New(context.Background(), is, webcapture.Options{})
				if err != nil {
					return // the file cannot be opened
				}
				switch got, err := steps(f, db); {
				case webcapture.IsDamage(err):
					failed++
				case err != nil && !object.IsMalformed(err):
					t.Errorf("without %s the error is %v", header, err)
				case err == nil && got != want:
					t.Errorf("without %s these are the steps:\n%s\nshould be\n%s", header, got, want)
				}
			})
		})
	}
	if failed < 30 {
		t.Errorf("only %d objects were missed", failed)
	}
}

// planOfDraft returns a draft as a plan.
func planOfDraft(d *draft) *Plan {
	return &Plan{Report: d.rep, Steps: d.steps, Left: d.left, rounds: newCombinedPlan(d)}
}

// updateOf returns the objects that a plan appends; none if it cannot append.
func updateOf(t *testing.T, p *Plan) []byte {
	t.Helper()
	if p.rounds.last.file.Appendable() != nil {
		return nil
	}
	out := written(t, p)[p.rounds.last.file.Size():]
	objects, _, _ := bytes.Cut(out, []byte("\nxref"))
	return objects
}

// TestVerificationFailsWithTheFile: if an object of the rewritten file that verification needs cannot be read,
// verification fails.
func TestVerificationFailsWithTheFile(t *testing.T) {
	p := planOf(t, pdf(t, "names: << /URLS << /Names [ (HTTP://a/0) 30 0 R ] >> "+idsOfBoth+" >>\n"+info+setA+setB+"30 0 obj [ 20 0 R 21 0 R null ]"), Options{})
	out := written(t, p)
	failed := 0
	damages(out, func(object string) {
		f, err := webcapture.New(context.Background(), out, webcapture.Options{})
		if err != nil {
			return // the file cannot be opened
		}
		if _, err = p.verifyFile(f); err != nil {
			failed++
		}
	})
	if failed < 6 {
		t.Errorf("only %d of the damaged files were refused", failed)
	}
	f, err := webcapture.New(context.Background(), out, webcapture.Options{})
	if err == nil {
		err = f.DropXRef(errors.New("a test"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.verifyFile(f); err == nil {
		t.Error("a rewritten file that had to be repaired is installed")
	}
}

// TestVerifyTree: a tree that differs from that of the preview is rejected, for any difference.
func TestVerifyTree(t *testing.T) {
	tree := func(urls string) *webcapture.Tree {
		db, err := opened(t, pdf(t, "names: << "+urls+" >>\n"+info+setA+setB), Options{}).Database()
		if err != nil {
			t.Fatal(err)
		}
		return db.URLS
	}
	const planned = "/URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 21 0 R ] >>"
	for name, c := range map[string]struct {
		urls, want string
		ok         bool
	}{
		"as planned":          {planned, planned, true},
		"no tree":             {"", planned, false},
		"an entry less":       {"/URLS << /Names [ (http://a/0) 20 0 R ] >>", planned, false},
		"an entry more":       {planned, "/URLS << /Names [ (http://a/0) 20 0 R ] >>", false},
		"another key":         {"/URLS << /Names [ (http://a/0) 20 0 R (http://b/1) 21 0 R ] >>", planned, false},
		"another value":       {"/URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 20 0 R ] >>", planned, false},
		"no tree in either":   {"", "", true},
		"a tree from nowhere": {planned, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := verifyTree(webcapture.URLS, tree(c.urls), tree(c.want)); (err == nil) != c.ok {
				t.Errorf("the error is %v, expected one: %v", err, !c.ok)
			}
		})
	}
}

// TestInstallStops: if the document permits no change, or the context is canceled, Install leaves no file.
func TestInstallStops(t *testing.T) {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	objects := func(perms string) string {
		return "catalog: << /Type /Catalog /SpiderInfo << /V 1.25 >> /Perms << " + perms + " >>\n" +
			"/Names << /URLS << /Names [ (HTTP://a/0) 20 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >> >>\n" + setA
	}
	for name, c := range map[string]struct {
		ctx     context.Context
		objects string
		want    error
	}{
		"a certified document":            {context.Background(), objects("/DocMDP << /Type /Sig >>"), ErrForbidden},
		"usage rights":                    {context.Background(), objects("/UR3 << /Type /Sig >>"), ErrForbidden},
		"permissions that cannot be read": {context.Background(), strings.Replace(objects(""), "/Perms << ", "/Perms 40 0 R /X << ", 1) + "40 0 obj << /DocMDP ]\n", ErrForbidden},
		"a caller that gave up":           {done, objects(""), context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			in, out := filepath.Join(dir, "in.pdf"), filepath.Join(dir, "out.pdf")
			if err := os.WriteFile(in, pdf(t, c.objects), 0o600); err != nil {
				t.Fatal(err)
			}
			p, err := Open(t.Context(), in, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if _, err := p.Install(c.ctx, Target{Path: out}); !errors.Is(err, c.want) {
				t.Errorf("the error is %v, expected %v", err, c.want)
			}
			holds(t, dir, map[string][]byte{"in.pdf": pdf(t, c.objects)})
		})
	}
	var b bytes.Buffer
	if _, err := (contextWriter{done, &b}).Write([]byte("x")); !errors.Is(err, context.Canceled) || b.Len() > 0 {
		t.Errorf("a writer whose context is done writes %q, and returns %v", b.Bytes(), err)
	}
}

// TestInstallFull: with Full, the new file does not begin with the bytes of the old one.
func TestInstallFull(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.pdf"), filepath.Join(dir, "out.pdf")
	data := pdf(t, "names: << /URLS << /Names [ (HTTP://a/0) 20 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n"+info+setA)
	if err := os.WriteFile(in, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, full := range []bool{false, true} {
		t.Run(fmt.Sprint(full), func(t *testing.T) {
			p, err := Open(t.Context(), in, Options{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = p.Install(context.Background(), Target{Path: out, Full: full})
			if err != nil {
				t.Fatal(err)
			}
			written, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.HasPrefix(written, data) == full {
				t.Errorf("full: %v, and the old bytes are there: %v", full, !full)
			}
		})
	}
}

// TestVerifyNothingLost: removing an entry is an error unless each object in its value is in another entry of the
// tree, does not exist, or was to be removed.
func TestVerifyNothingLost(t *testing.T) {
	const rest = " " + idsOfBoth + " >>\n" + info + setA + setB + "30 0 obj [ 20 0 R 21 0 R ]\n"
	for name, c := range map[string]struct {
		value   string // of the removed entry
		removed string
		ok      bool
	}{
		"a set that nothing else leads to":    {"21 0 R", "", false},
		"an array with such a set":            {"[ 20 0 R 21 0 R ]", "", false},
		"an array that is an object":          {"30 0 R", "", false},
		"a set that another entry leads to":   {"20 0 R", "", true},
		"nothing":                             {"null", "", true},
		"what is not in the file":             {"99 0 R", "", true},
		"a set that was to leave":             {"21 0 R", "21 0 R", true},
		"a set next to one that was to leave": {"[ 20 0 R 21 0 R ]", "20 0 R", false},
	} {
		t.Run(name, func(t *testing.T) {
			stateOf := func(more string) state {
				f := opened(t, pdf(t, "names: << /URLS << /Names [ (http://a/0) 20 0 R "+more+" ] >>"+rest), Options{})
				db, err := f.Database()
				if err != nil {
					t.Fatal(err)
				}
				return state{f, db, nil}
			}
			d := newDraft(stateOf("(http://b/0) " + c.value))
			d.removed[c.removed] = true
			if err := d.verifyNothingLost(stateOf("")); (err == nil) != c.ok {
				t.Errorf("the error is %v, expected one: %v", err, !c.ok)
			}
		})
	}
}
