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
	if got := f.Facts(db); !got.WithoutXRef || len(got.Notices) == 0 || got.URLS != 1 {
		t.Errorf("facts %+v", got)
	}
}
