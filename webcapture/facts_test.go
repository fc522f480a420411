package webcapture_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func TestFacts(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       webcapture.Facts
	}{
		{"both trees", "names: << /URLS << /Names [(a) null (b) null] >> /IDS << /Names [(c) null] >> >>\n",
			webcapture.Facts{Present: true, HasURLS: true, HasIDS: true, URLS: 2, IDS: 1}},
		{"an empty tree", "names: << /IDS << /Names [] >> >>\n", webcapture.Facts{Present: true, HasIDS: true}},
		{"SpiderInfo alone", "spiderinfo: << /V 1.25 >>\n", webcapture.Facts{Present: true}},
		{"no database", "", webcapture.Facts{}},
	} {
		for layout, l := range layouts {
			t.Run(row.name+"/"+layout, func(t *testing.T) {
				f := open(t, row.text, l)
				db, err := f.Database()
				if err != nil {
					t.Fatal(err)
				}
				want := row.want
				want.Size, want.Version, want.Encrypted = f.Size(), db.Version, l.Encryption != nil
				if got := f.Facts(db); fmt.Sprint(got) != fmt.Sprint(want) || got.Size == 0 || got.Version == "" {
					t.Errorf("facts %+v, want %+v", got, want)
				}
			})
		}
	}
}

// Problems that were overcome to read the file are among its facts.
func TestFactsOfARepairedFile(t *testing.T) {
	data := webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	f, err := webcapture.New(context.Background(), data[:len(data)-40], webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Facts(db); !got.Repaired || len(got.Notices) == 0 || got.URLS != 1 {
		t.Errorf("facts %+v", got)
	}
}

// TestBudgetGrowsWithTheFile: a large file may contain more than a small one.
func TestBudgetGrowsWithTheFile(t *testing.T) {
	sized := func(n int) *webcapture.File {
		d := webcapturetest.Sets(1, webcapturetest.Options{})
		d.AddStream("", make([]byte, n))
		f, err := webcapture.New(context.Background(), d.Bytes(webcapturetest.Layout{}), webcapture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	small, large := sized(0), sized(10<<20)
	more := large.Size() - small.Size()
	a, b := small.Budget(), large.Budget()
	if b.Work <= a.Work+more || int64(b.Records) <= int64(a.Records)+more/100 ||
		int64(b.Findings) <= int64(a.Findings)+more/200 {
		t.Errorf("%+v for %d bytes, %+v for %d", a, small.Size(), b, large.Size())
	}
	if b.Output <= a.Output+more || b.Output > a.Output+100*more {
		t.Errorf("output: %d for %d bytes, %d for %d", a.Output, small.Size(), b.Output, large.Size())
	}
	// A record or a finding takes many bytes of memory for each byte of the file, so few are allowed.
	if int64(b.Records) > int64(a.Records)+more/20 || int64(b.Findings) > int64(a.Findings)+more/100 {
		t.Errorf("%+v for %d bytes is too much", b, large.Size())
	}
	if x, y := small.TreeBudget(), large.TreeBudget(); y.Bytes <= x.Bytes+more || y.Kids != b.Records ||
		y.Pairs != b.Records || y.Defects != b.Findings {
		t.Errorf("trees: %+v for %d bytes, %+v for %d", x, small.Size(), y, large.Size())
	}
}
