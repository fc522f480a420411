package pdffile

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// got returns an object as text, or the text of the error.
func got(f *File, ref object.Ref) string {
	o, err := f.NewReader().Get(ref)
	if err != nil {
		return err.Error()
	}
	return string(o.Raw())
}

// TestObjectsThatAreNotWhereTheyShouldBe: if the cross-reference data or an object stream misplaces an object, the
// result is the right object or an error, never another object or null.
func TestObjectsThatAreNotWhereTheyShouldBe(t *testing.T) {
	const damage = "cross-reference data is damaged: "
	const stream = "{str:}5 0 obj\n<</Type/ObjStm/N 3/First 15/Length 31>>\nstream\n6 0 7 5 8 2000 (six)[(seven)]  \nendstream\nendobj\n"
	entries := func(list string) string {
		// Objects 0 to 4 are as in every file, then come those of the list.
		return "00 00000000 00 01 00000009 00 01 0000002a 00 00 00000000 00 00 00000000 00 " + list
	}
	file := func(list string) string {
		return objects + "{five:}" + stream[len("{str:}"):] +
			hexStream(fmt.Sprintf("/Index[0 %d]/W[1 4 1]", 5+len(strings.Fields(list))/3), entries(list)) + ending
	}
	const five = "01 00000040 00 "
	for name, test := range map[string]struct {
		file string
		ref  object.Ref
		want string
	}{
		"in the file":        {objects + table + trailer + ending, object.Ref{Num: 2}, "(note)"},
		"another generation": {objects + table + trailer + ending, object.Ref{Num: 2, Gen: 1}, ""},
		"beyond all numbers": {objects + table + trailer + ending, object.Ref{Num: 3}, ""},
		"far beyond":         {objects + table + trailer + ending, object.Ref{Num: 1 << 31}, ""},
		"no object at the offset": {objects + strings.Replace(table, "{two}", "{two+2}", 1) + trailer + ending,
			object.Ref{Num: 2}, damage + "no object at offset {two+2}, where 2 0 R should be"},
		"after the end of the file": {objects + strings.Replace(table, "{two}", "0000099999", 1) + trailer + ending,
			object.Ref{Num: 2}, damage + "no object at offset 99999, where 2 0 R should be"},
		"another object": {objects + strings.Replace(table, "{two}", "{one}", 1) + trailer + ending,
			object.Ref{Num: 2}, damage + "object 1 at offset {one}, where 2 0 R should be"},
		"an object that is broken": {"{one:}1 0 obj\n<</Type/Catalog>>\nendobj\n{two:}2 0 obj\n<<]>>\nendobj\n" +
			table + trailer + ending, object.Ref{Num: 2}, "object 2 0: offset "},

		"a member": {file(five + "02 00000005 00 02 00000005 01"), object.Ref{Num: 7},
			"[(seven)]"},
		"a member, of another generation": {file(five + "02 00000005 00 02 00000005 01"), object.Ref{Num: 7, Gen: 1},
			""},
		"a member under another index":  {file(five + "02 00000005 01 02 00000005 00"), object.Ref{Num: 6}, "(six)"},
		"a member, its index too large": {file(five + "02 00000005 09"), object.Ref{Num: 6}, "(six)"},
		"a member, its index as large":  {file(five + "02 00000005 03"), object.Ref{Num: 6}, "(six)"},
		"not in the stream": {file(five + "02 00000005 00 02 00000005 01 02 00000005 02 02 00000005 00"),
			object.Ref{Num: 9}, damage + "9 0 R is not in object stream 5"},
		"a member after the end": {file(five + "02 00000005 00 02 00000005 01 02 00000005 02"),
			object.Ref{Num: 8}, "object 8 0: offset 2015: object stream ends before this object"},
		"in no stream": {file(five + "02 00000002 00"), object.Ref{Num: 6},
			damage + "object 2 is of the type string, not a stream"},
		"in a stream that is not there": {file(five + "02 00000004 00"), object.Ref{Num: 6},
			damage + "object stream 4 is not in the file"},
		"in a stream beyond all numbers": {file(five + "02 00000063 00"), object.Ref{Num: 6},
			damage + "object stream 99 is not in the file"},
		"in a stream within itself": {file("02 00000005 00"), object.Ref{Num: 5},
			damage + "object stream 5 is not in the file"},
		"in a stream under another number": {file("01 00000000 00 02 00000008 00 00 00000000 00 " + five),
			object.Ref{Num: 6}, damage + "object 5 at offset {five}, where object stream 8 should be"},
		"no object, which is null":     {file(five + "00 00000000 00"), object.Ref{Num: 6}, ""},
		"an entry of a later standard": {file(five + "03 00000001 00"), object.Ref{Num: 6}, ""},
		"a stream that is broken": {strings.Replace(file(five+"02 00000005 00"), "/N 3", "/N ]", 1),
			object.Ref{Num: 6}, damage + "object 5: "},
		"N is missing": {strings.Replace(file(five+"02 00000005 00"), "/N 3", "/M 3", 1),
			object.Ref{Num: 6}, damage + "object stream 5: N or First is missing or invalid"},
		"First is missing": {strings.Replace(file(five+"02 00000005 00"), "/First", "/Worst", 1),
			object.Ref{Num: 6}, damage + "object stream 5: N or First is missing or invalid"},
		"N is negative": {strings.Replace(file(five+"02 00000005 00"), "/N 3/First 15",
			"/N -3/First 5", 1), object.Ref{Num: 6}, damage + "object stream 5: N or First is missing or invalid"},
		"First is negative": {strings.Replace(file(five+"02 00000005 00"), "/First 15", "/First -5", 1),
			object.Ref{Num: 6}, damage + "object stream 5: N or First is missing or invalid"},
		"First is after the end": {strings.Replace(file(five+"02 00000005 00"), "/First 15", "/First 32", 1),
			object.Ref{Num: 6}, damage + "object stream 5: N or First is missing or invalid"},
		"N is as large as it may be": {strings.Replace(file(five+"02 00000005 00"), "/N 3", "/N 1048576", 1),
			object.Ref{Num: 6}, "(six)"},
		"N is too large": {strings.Replace(file(five+"02 00000005 00"), "/N 3", "/N 8388608", 1),
			object.Ref{Num: 6}, damage + "object stream 5: N or First is missing or invalid"},
		"N is larger than what is listed": {strings.Replace(file(five+"02 00000005 00"), "/N 3", "/N 9", 1),
			object.Ref{Num: 6}, "(six)"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, prefix := range prefixes {
				data, want := placed(header+test.file, test.want)
				f, err := New(context.Background(), []byte(prefix+data), nil)
				if err != nil || f.Repaired() {
					t.Errorf("%s: %v, %q", name, err, f.Notices())
					continue
				}
				if got := got(f, test.ref); got != want && (want == "" || !strings.HasPrefix(got, want)) {
					t.Errorf("%s, after %q: %q, want %q", name, prefix, got, want)
				}
			}
		})
	}
}

// TestMembersOfNoStream: an entry in an object stream that the file does not have is damage.
func TestMembersOfNoStream(t *testing.T) {
	for _, container := range []int64{0, 2, 3, object.MaxNumber + 1} {
		t.Run(fmt.Sprint(container), func(t *testing.T) {
			f := &File{fileBytes: fileBytes{},
				entries: []entry{{}, {at: container, kind: inStream}, {kind: free}}}
			o, err := f.NewReader().Get(object.Ref{Num: 1})
			if d := new(Damage); !errors.As(err, &d) {
				t.Errorf("in object stream %d: %v, %v", container, o, err)
			}
		})
	}
}

// TestMembersAreFoundByNumber: if the index in the cross-reference data is wrong, the list in the object stream
// counts. If it has a number twice, the first counts.
func TestMembersAreFoundByNumber(t *testing.T) {
	f := &File{fileBytes: fileBytes{}, entries: make([]entry, 3)}
	twice := &objectStream{body: []byte("9 0 3 3 7 6 3 9 (a)(b)(c)(d)"), count: 4, whole: true}
	twice.readList(len("9 0 3 3 7 6 3 9 "))
	for num, want := range map[uint32]string{9: "(a)", 3: "(b)", 7: "(c)", 2: ""} {
		r := &Reader{f: f, streams: map[uint32]*objectStream{2: twice}}
		o, err := r.compressed(object.Ref{Num: num}, 2, 99)
		if string(o.Raw()) != want || (err == nil) != (want != "") {
			t.Errorf("object %d is %v, %v, want %s", num, o, err, want)
		}
	}
	for list, want := range map[string]int{
		"1 0 2 3 (a)(b)": 2, "1 0 2 3 3 6 (a)(b)(c)": 2, "1 0 2 3": 1, "1 0 8388607 3 (a)(b)": 2,
		"1 0 8388608 3 (a)(b)": 1, "1 0 x 3 (a)": 1, "1 x": 0, "": 0,
	} {
		t.Run(list, func(t *testing.T) {
			s := &objectStream{body: []byte(list), count: 2}
			if s.readList(len("1 0 2 3 ")); len(s.nums) != want {
				t.Errorf("%q lists %d, want %d", list, len(s.nums), want)
			}
			r := &Reader{f: f, streams: map[uint32]*objectStream{2: s}}
			if _, err := r.compressed(object.Ref{Num: 5}, 2, 0); object.IsMalformed(err) != (want < 2) {
				t.Errorf("%q, which breaks off: an object that is not in it: %v", list, err)
			}
		})
	}
}

// TestDataThatCannotBeRead: unreadable data are an error, not empty.
func TestDataThatCannotBeRead(t *testing.T) {
	d := webcapturetest.Sets(1, webcapturetest.Options{})
	unknown := object.Ref{Num: uint32(d.AddStream("<</Filter[/DCTDecode/Fast]>>", []byte("jpeg")))}
	f := opened(t, "streams", d.Bytes(webcapturetest.Layout{}), "")
	r := f.NewReader()
	if _, err := r.Data(unknown); !object.IsMalformed(err) ||
		!strings.Contains(err.Error(), "webcap does not decode this filter") {
		t.Errorf("an unknown filter: %v", err)
	}
}

// TestPositionIsWhereItIs: positions follow the order in the file. Otherwise, reading a million objects would decode
// each object stream a thousand times.
func TestPositionIsWhereItIs(t *testing.T) {
	f := &File{fileBytes: fileBytes{data: []byte("%PDF")}, entries: []entry{
		{kind: free}, {at: 900, kind: inFile}, {at: 100, kind: inFile},
		{at: 2, index: 1, kind: inStream}, {at: 2, index: 0, kind: inStream}, {at: 1, kind: inStream},
		{at: 77, kind: inStream}, {kind: brokenOff, at: 5}, {at: 9, kind: inStream},
	}}
	for num, want := range map[uint32]uint64{
		1: 900 << 20, 2: 100 << 20, 3: 100<<20 | 1, 4: 100 << 20, 5: 900 << 20,
		6: 0, 7: 0, 8: 0, // in streams that are not there; lost
		9: 9, 70: 70, // beyond all numbers
	} {
		t.Run(fmt.Sprint(num), func(t *testing.T) {
			if at := f.Position(object.Ref{Num: num}); at != want {
				t.Errorf("object %d is at %d, want %d", num, at, want)
			}
		})
	}
	f.entries[3].index = 1 << 30 // more than a stream has
	if f.Position(object.Ref{Num: 3}) >= 101<<20 {
		t.Error("an index moves an object out of its stream")
	}
	f.byPdfcpu, f.entries = &pdfcpuFile{}, nil
	if at := f.Position(object.Ref{Num: 1}); at != 1 {
		t.Errorf("in a file that pdfcpu has read object 1 is at %d", at)
	}
}

// TestDataOfStreams: Length counts if endstream follows the data; otherwise the data end before the next endstream.
func TestDataOfStreams(t *testing.T) {
	d := webcapturetest.Sets(1, webcapturetest.Options{})
	member := object.Ref{Num: uint32(d.Add("<</Length 4>> stream\nabcd\nendstream"))}
	r := opened(t, "members", d.Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 100}),
		"").NewReader()
	if data, err := DataOf(r.Stream(member)); err != nil || len(data) > 0 {
		t.Errorf("what stands in an object stream has the data %q, %v", data, err)
	}

	// qpdf writes an empty page like this.
	empty := object.Ref{Num: uint32(d.Add("<</Filter /FlateDecode /Length 0>> stream\n\nendstream"))}
	r = opened(t, "empty", d.Bytes(webcapturetest.Layout{}), "").NewReader()
	if data, err := DataOf(r.Data(empty)); err != nil || len(data) > 0 {
		t.Errorf("a stream without data decodes to %q, %v", data, err)
	}

	const length = "{len:}4 0 obj\n4\nendobj\n"
	for name, test := range map[string]struct{ stream, want string }{
		"as long as it says": {"3 0 obj\n<</Length 4>>\nstream\nabcd\nendstream\nendobj\n", "abcd"},
		"with endstream in it": {"3 0 obj\n<</Length 13>>\nstream\nabcdendstream\nendstream\nendobj\n",
			"abcdendstream"},
		"at once followed by endstream": {"3 0 obj\n<</Length 4>>\nstream\nabcdendstream\nendobj\n", "abcd"},
		"nothing":                       {"3 0 obj\n<</Length 0>>\nstream\nendstream\nendobj\n", ""},
		"after a carriage return":       {"3 0 obj\n<</Length 4>>\nstream\rabcd\nendstream\nendobj\n", "abcd"},
		"after both":                    {"3 0 obj\n<</Length 4>>\nstream\r\nabcd\nendstream\nendobj\n", "abcd"},
		"no length":                     {"3 0 obj\n<<>>\nstream\nabcd\nendstream\nendobj\n", "abcd\n"},
		"nothing, and no length":        {"3 0 obj\n<<>>\nstream\nendstream\nendobj\n", ""},
		"a negative length":             {"3 0 obj\n<</Length -4>>\nstream\nabcd\nendstream\nendobj\n", "abcd\n"},
		"a length that is too small":    {"3 0 obj\n<</Length 2>>\nstream\nabcd\nendstream\nendobj\n", "abcd\n"},
		"a length that is too large":    {"3 0 obj\n<</Length 9999>>\nstream\nabcd\nendstream\nendobj\n", "abcd\n"},
		"a length elsewhere":            {"3 0 obj\n<</Length 4 0 R>>\nstream\nabcd\nendstream\nendobj\n", "abcd"},
		"a length that is not there":    {"3 0 obj\n<</Length 9 0 R>>\nstream\nabcd\nendstream\nendobj\n", "abcd\n"},
		"a length that is a dictionary": {"3 0 obj\n<</Length 1 0 R>>\nstream\nabcd\nendstream\nendobj\n", "abcd\n"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, prefix := range prefixes {
				data, _ := placed(header+objects+"{str:}"+test.stream+length+strings.Replace(table, "0 3", "0 5",
					1)+"{str} 00000 n \n{len} 00000 n \n"+trailer+ending, "")
				f, err := New(context.Background(), []byte(prefix+data), nil)
				if err != nil || f.Repaired() {
					t.Errorf("%s: %v, %q", name, err, f.Notices())
					continue
				}
				if data, err := DataOf(f.NewReader().Stream(object.Ref{Num: 3})); err != nil || string(data) != test.want {
					t.Errorf("%s, after %q: %q, %v, want %q", name, prefix, data, err, test.want)
				}
				for _, ref := range []object.Ref{{Num: 2}, {Num: 3, Gen: 1}, {Num: 5}, {Num: 1 << 23}} {
					if data, err := DataOf(f.NewReader().Stream(ref)); err != nil || len(data) > 0 {
						t.Errorf("%s: %v, which is not a stream, has the data %q, %v", name, ref, data, err)
					}
				}
			}
		})
	}
}
