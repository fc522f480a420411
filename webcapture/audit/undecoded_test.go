package audit

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestWhatIsNotDecodedIsOnePart: if the streams of a file decode to too much, Unread has one part about all skipped
// objects. It does not depend on the number of cores.
func TestWhatIsNotDecodedIsOnePart(t *testing.T) {
	for name, what := range map[string]string{
		"300 object streams of 15 MB":                 "300 objects were not read: decoding the streams of this file takes more than %d bytes",
		"300 content sets in object streams of 15 MB": "some rules were not checked: decoding the streams of this file takes more than %d bytes",
	} {
		var data bytes.Buffer
		bombs := webcapturetest.Bombs()
		b := bombs[slices.IndexFunc(bombs, func(b webcapturetest.Bomb) bool { return b.Name == name })]
		if err := b.Write(&data); err != nil {
			t.Fatal(err)
		}
		for _, cores := range webcapturetest.Sample(2, []int{3, 1}) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			f := openData(t, data.Bytes())
			rep, err := Run(f, Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf(what, f.MaxDecoded())
			if len(rep.Unread) != 1 || rep.Unread[0].Err.Error() != want || rep.Unread[0].Place.Part != "file" {
				t.Errorf("%s, %d cores: %v, want %q", name, cores, rep.Unread, want)
			}
		}
	}
}

// TestGatherUnread: objects that were not decoded are counted once each, in one part after the others.
func TestGatherUnread(t *testing.T) {
	left := func(num uint32) rule.Unread {
		return rule.Unread{Place: rule.Place{Tree: "URLS"}, Err: &webcapture.Undecoded{Ref: object.Ref{Num: num}, Limit: 5}}
	}
	other := rule.Unread{Err: &object.Malformed{Reason: "other"}}
	for i, c := range []struct {
		list []rule.Unread
		want []string
	}{
		{nil, nil},
		{[]rule.Unread{other}, []string{"other"}},
		{[]rule.Unread{left(1), other}, []string{"other",
			"1 object was not read: decoding the streams of this file takes more than 5 bytes"}},
		{[]rule.Unread{left(2), left(1), left(2)},
			[]string{"2 objects were not read: decoding the streams of this file takes more than 5 bytes"}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var got []string
			for _, u := range rule.GatherUnread(c.list) {
				got = append(got, u.Err.Error())
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
