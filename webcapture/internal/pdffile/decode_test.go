package pdffile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/pdfcpu/pdfcpu/pkg/filter"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// decodeAll decodes the data of a stream with this dictionary.
func decodeAll(t *testing.T, f *File, dict string, data []byte, limit int64) ([]byte, bool, error) {
	t.Helper()
	o, _, err := object.Parse([]byte(dict), 0)
	if err != nil {
		t.Fatal(err)
	}
	d, _ := o.Dict()
	filters, err := filtersOf(plainSource{f}, d)
	if err != nil {
		return nil, false, err
	}
	r, err := f.decoded(filters, bytes.NewReader(data))
	if err != nil {
		return nil, false, err
	}
	defer r.close()
	return readUpTo(r, limit)
}

// TestFiltersUndoPdfcpus: what pdfcpu encodes is decoded.
func TestFiltersUndoPdfcpus(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, short := range map[string]string{"LZWDecode": "LZW", "RunLengthDecode": "RL", "ASCII85Decode": "A85",
		"ASCIIHexDecode": "AHx", "FlateDecode": "Fl"} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{0, 1, 2, 3, 4, 5, 129, 4000, meteredPiece, meteredPiece + 1} {
				want := make([]byte, n)
				for i := range want {
					if want[i] = byte(random.IntN(3)); i > n/2 {
						want[i] = byte(random.IntN(256))
					}
				}
				fl, err := filter.NewFilter(name, nil, -1)
				if err != nil {
					t.Fatal(err)
				}
				r, err := fl.Encode(bytes.NewReader(want))
				if err != nil {
					t.Fatal(err)
				}
				data, err := io.ReadAll(r)
				if err != nil {
					t.Fatal(err)
				}
				f := &File{fileBytes: fileBytes{meter: meter.New(0)}}
				for _, dict := range []string{"<</Filter/" + name + ">>", "<</Filter[/" + short + "]>>"} {
					got, whole, err := decodeAll(t, f, dict, data, int64(n))
					if !bytes.Equal(got, want) || !whole || err != nil {
						t.Errorf("%s of %d bytes: %d bytes, whole %v, %v", dict, n, len(got), whole, err)
					}
				}
				if n == 0 {
					continue
				}
				if _, _, err := decodeAll(t, f, "<</Filter/"+name+">>", data, int64(n)-1); err == nil ||
					!strings.Contains(err.Error(), "decodes to more than") {
					t.Errorf("%s of %d bytes, one less allowed: %v", name, n, err)
				}
				if got, _ := f.meter.Spent(); got < 3*int64(n)-1 || got > 3*int64(n) {
					t.Errorf("%s of %d bytes, three times: %d bytes are counted", name, n, got)
				}
			}
		})
	}
}

// TestDataOfFilters: truncated or damaged data are decoded up to the damage, and are not whole.
func TestDataOfFilters(t *testing.T) {
	for _, row := range []struct {
		dict, data, want string
		whole            bool
	}{
		{"<<>>", "as it is", "as it is", true},
		{"<</Filter/Crypt>>", "as it is", "as it is", true},
		{"<</Filter/AHx>>", "61 62\n6>rest", "ab`", true},
		{"<</Filter/AHx>>", "6162", "ab", false},
		{"<</Filter/AHx>>", "61x2>", "a", false},
		{"<</Filter/AHx>>", "616x2>", "a`", false},
		{"<</Filter/A85>>", "z~>rest", "\x00\x00\x00\x00", true},
		{"<</Filter/A85>>", "zz", "\x00\x00\x00\x00\x00\x00\x00\x00", false},
		{"<</Filter/A85>>", "zz!~>", "\x00\x00\x00\x00\x00\x00\x00\x00", false},
		{"<</Filter/A85>>", "z!!~z", "\x00\x00\x00\x00\x00", true},
		{"<</Filter/A85>>", "87cUR\xbe~>", "Hell", false},
		{"<</Filter/A85>>", "9jq\no ^~>", "Man ", true}, // white space anywhere
		{"<</Filter/A85>>", "9jq{9jqo^~>", "Ma", false}, // three digits before the damage are two bytes
		{"<</Filter/RL>>", "\x01ab\xffc\x80rest", "abcc", true},
		{"<</Filter/RL>>", "\x01ab\xff", "ab", false},
		{"<</Filter/RL>>", "\x03ab", "ab", false},
		{"<</Filter/RL>>", "\x01ab", "ab", false},
		{"<</Filter[/AHx/RL]>>", "01 61 62 80>", "ab", true},
		{"<</Filter[/AHx/RL]>>", "01 61", "a", false},
		{"<</Filter[/AHx/RL]>>", "0041X4180>", "A", false}, // the damage is in place of a length
		{"<</Filter/LZW>>", "\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", "-----A---B", true},
		{"<</Filter/LZW>>", "\x80\x0b\x60\x50\x22\x0c\x0c\x85", "-----A---B", false},
		// without the end marker
		{"<</Filter[/Crypt/Crypt/Crypt/Crypt/Crypt/Crypt/Crypt/Crypt]>>", "as it is", "as it is", true}, // the maximum
		{"<</Filter/LZW/DecodeParms<</Predictor 1>>>>", "\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", "-----A---B",
			true}, // no predictor
	} {
		t.Run(row.dict, func(t *testing.T) {
			got, whole, err := decodeAll(t, &File{}, row.dict, []byte(row.data), 100)
			if string(got) != row.want || whole != row.whole || err != nil {
				t.Errorf("%s %q: %q, whole %v, %v, want %q, %v", row.dict, row.data, got, whole, err, row.want, row.whole)
			}
		})
	}
	for dict, want := range map[string]string{
		"<</Filter/DCTDecode>>":                                                     "does not decode this filter",
		"<</Filter[/AHx/AHx/AHx/AHx/AHx/AHx/AHx/AHx/AHx]>>":                         "more than 8 filters",
		"<</Filter/LZW/DecodeParms<</Predictor 3>>>>":                               "not defined",
		"<</Filter/LZW/DecodeParms<</Predictor 9>>>>":                               "predictor 9 is not defined",
		"<</Filter/LZW/DecodeParms<</Predictor 16>>>>":                              "predictor 16 is not defined",
		"<</Filter/LZW/DecodeParms<</Predictor 2/BitsPerComponent 4>>>>":            "not supported",
		"<</Filter/LZW/DecodeParms<</Predictor 12/Columns 2000000>>>>":              "longer than webcap accepts",
		"<</Filter/LZW/DecodeParms<</Predictor 12/Columns 100000/Colors 100000>>>>": "longer than webcap accepts",
		"<</Filter/LZW/DecodeParms<</Predictor 12/Columns 0>>>>":                    "are invalid",
	} {
		t.Run(dict, func(t *testing.T) {
			if _, _, err := decodeAll(t, &File{}, dict,
				[]byte("\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01"), 100); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", dict, err, want)
			}
		})
	}
}

// TestFiltersPassErrorsOn: an error of the previous filter is not taken for the end of the data.
func TestFiltersPassErrorsOn(t *testing.T) {
	for _, data := range []string{"", "\x01", "\x01a", "\xff", "\x01ab", "\xffa"} {
		t.Run(data, func(t *testing.T) {
			for _, cause := range []error{meter.Over{}, nil} {
				in := io.Reader(strings.NewReader(data))
				want := io.ErrUnexpectedEOF
				if cause != nil {
					in, want = io.MultiReader(in, iotest.ErrReader(cause)), cause
				}
				if _, err := io.ReadAll(&pieceReader{next: (&runLength{r: bufio.NewReader(in)}).next}); err != want {
					t.Errorf("%q, and then %v: %v, want %v", data, cause, err, want)
				}
			}
		})
	}
}

// withDefaults adds the defaults of absent parameters.
func withDefaults(parms map[string]int) map[string]int {
	for _, n := range numbers {
		if _, ok := parms[n.name]; !ok {
			parms[n.name] = n.absent
		}
	}
	return parms
}

// TestRowsThatArePossible: a predictor accepts rows up to the limits, and no larger ones.
func TestRowsThatArePossible(t *testing.T) {
	for i, parms := range []map[string]int{
		{"Predictor": 12, "Columns": maxRow}, {"Predictor": 12, "Columns": maxRow / 4, "Colors": 4},
		{"Predictor": 10, "BitsPerComponent": 1}, {"Predictor": 15, "BitsPerComponent": 16},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := newPredictor(strings.NewReader(""), withDefaults(parms)); err != nil {
				t.Errorf("%v: %v", parms, err)
			}
		})
	}
	for i, parms := range []map[string]int{
		{"Predictor": 12, "Columns": maxRow + 1}, {"Predictor": 12, "Colors": maxRow + 1},
		{"Predictor": 12, "Colors": 0},
		{"Predictor": 12, "BitsPerComponent": 0}, {"Predictor": 12, "BitsPerComponent": 17},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := newPredictor(strings.NewReader(""), withDefaults(parms)); err == nil {
				t.Errorf("%v: no error", parms)
			}
		})
	}
}

// TestPaeth: of equally near neighbors, the first counts, in the order left, up, corner (PNG, 9.4).
func TestPaeth(t *testing.T) {
	for _, row := range []struct{ left, up, corner, want int }{
		{5, 5, 5, 5}, {1, 9, 5, 5}, {1, 9, 9, 1}, {9, 1, 9, 1}, {4, 6, 6, 4}, {6, 4, 6, 4}, {10, 20, 15, 15},
		{10, 20, 20, 10},
		{10, 20, 12, 20}, {20, 10, 12, 20}, {0, 0, 255, 0}, {3, 5, 7, 3}, {8, 4, 5, 8}, {4, 8, 5, 8}, {0, 2, 1, 1},
		{4, 1, 2, 4}, {1, 4, 2, 4},
		{10, 13, 12, 10}, {13, 10, 12, 10},
	} {
		t.Run(fmt.Sprint(row.left), func(t *testing.T) {
			if got := paeth(row.left, row.up, row.corner); got != row.want {
				t.Errorf("left %d, up %d, corner %d: %d, want %d", row.left, row.up, row.corner, got, row.want)
			}
		})
	}
}

// TestNumbersOfFilters: only integers from 0 to 1<<31-1 count as numbers. Others have their defaults.
func TestNumbersOfFilters(t *testing.T) {
	sf := streamFilter{parms: literal("<</Predictor -1/Colors 2147483648/BitsPerComponent 2147483647/Columns 0" +
		"/EarlyChange/x/F 5>>")}
	got, err := sf.numbers()
	want := map[string]int{"Predictor": 1, "Colors": 1, "BitsPerComponent": 1<<31 - 1, "Columns": 0, "EarlyChange": 1}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestFewObjectStreamsAreHeld: a Reader keeps only the last object streams that fit into its cache, and decodes others
// again.
func TestFewObjectStreamsAreHeld(t *testing.T) {
	const large, n = 1 << 20, 12
	d := webcapturetest.Sets(1, webcapturetest.Options{})
	var refs []object.Ref
	for range n {
		refs = append(refs, object.Ref{Num: uint32(d.Add("(" + strings.Repeat("x", large) + ")"))})
	}
	f := opened(t, "large", d.Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 1,
		ObjectStreamFilter: webcapturetest.Flate}), "")
	r := f.NewReader()
	for range 2 {
		for _, ref := range refs {
			if o, err := r.Get(ref); err != nil || len(o.Raw()) != large+2 {
				t.Fatalf("%v: %d bytes, %v", ref, len(o.Raw()), err)
			}
			held := 0
			for _, s := range r.streams {
				held += len(s.body)
			}
			if held > cacheBytes || held != r.held {
				t.Fatalf("%d bytes are held, and %d are counted, of %d that may be", held, r.held, cacheBytes)
			}
		}
	}
}

// TestDecodingIsPaid: no stream is decoded after the meter of the file is exceeded.
func TestDecodingIsPaid(t *testing.T) {
	f := &File{fileBytes: fileBytes{meter: meter.New(0)}}
	f.meter.Limit(1, 0)
	if got, _, err := decodeAll(t, f, "<</Filter/AHx>>", []byte("6162>"), 100); err != (meter.Over{}) {
		t.Errorf("two bytes, paid for one: %q, %v", got, err)
	}
	if _, _, err := decodeAll(t, f, "<</Filter/AHx>>", []byte("6162>"), 100); err != (meter.Over{}) {
		t.Errorf("after: %v", err)
	}
	if _, _, err := decodeAll(t, f, "<</Filter/Fl>>", []byte("junk"), 100); object.IsMalformed(err) {
		t.Errorf("after, and damaged: %v", err)
	}
}

// TestFiltersPassErrorsOnToo: the error of the previous filter is the error of the next one.
func TestFiltersPassErrorsOnToo(t *testing.T) {
	for _, name := range []string{"FlateDecode", "LZWDecode", "ASCII85Decode", "ASCIIHexDecode", "RunLengthDecode"} {
		t.Run(name, func(t *testing.T) {
			chain := filterChain{Reader: iotest.ErrReader(meter.Over{})}
			err := chain.add(streamFilter{name: name})
			if err == nil {
				_, err = io.ReadAll(chain)
			}
			if err != (meter.Over{}) {
				t.Errorf("%v, want %v", err, meter.Over{})
			}
		})
	}
}

// TestDataWithoutMeaning: codes and functions that the formats do not define are errors.
func TestDataWithoutMeaning(t *testing.T) {
	rows, err := newPredictor(strings.NewReader("\x00a\x05b"), withDefaults(map[string]int{"Predictor": 12}))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(rows); string(got) != "a" || err == nil {
		t.Errorf("a row with the function 5: %q, %v", got, err)
	}
	codes := &pieceReader{next: newLZWDecoder(strings.NewReader("\x80\x40\x80"), 1).next}
	if got, err := io.ReadAll(codes); err == nil || !strings.Contains(err.Error(), "LZW code 258 is not defined") {
		t.Errorf("the first code after the table was cleared is new: %q, %v", got, err)
	}
}

// entryLayouts are layouts in which objects are outside of object streams, and in them.
var entryLayouts = []webcapturetest.Layout{{}, {XRef: webcapturetest.Stream, ObjectStreams: 100}}

// TestFiltersElsewhere: names and parameters of filters may be references, also to members of object streams (7.3.10).
// Without its filters, a stream has other data, so an unreadable filter is an error. Parameters that no filter needs
// are not read.
func TestFiltersElsewhere(t *testing.T) {
	const failed = "stream cannot be decoded: "
	for _, row := range []struct{ dict, a, b, data, err string }{
		{"/Filter $a/DecodeParms[null $b]", "[/AHx/LZW]", "<</Predictor 12/Columns 1>>", "a", ""},
		{"/Filter[$a/LZW]/DecodeParms[null<</Predictor $b/Columns 1>>]", "/AHx", "12", "a", ""},
		{"/Filter[/AHx $a]/DecodeParms $b", "/LZW", "[null<</Predictor 12>>]", "a", ""},
		{"/Filter[/AHx 99 0 R]", "1", "2", "", failed + "an element of Filter is not a name"},
		{"/Filter $a", "[/AHx", "2", "", failed},
		{"/Filter[/AHx $a]", "<</A", "2", "", failed},
		{"/Filter[/AHx $a]/DecodeParms[null $b]", strings.Repeat(" ", 1024) + "/LZW", "<</Predictor 12>>", "a", ""},
		{"/Filter[/AHx/LZW]/DecodeParms[null $a]", "<</A", "2", "", failed},
		{"/Filter[/AHx/LZW]/DecodeParms $a", "[", "2", "", failed},
		{"/Filter[/AHx/LZW]/DecodeParms[null<</Columns $a>>]", "(", "2", "", failed},
		{"/Filter/AHx/DecodeParms $a", "<</A", "2", "\x80\x00\x0c\x30\x10", ""},
		{"/DecodeParms $a", "<</A", "2", "80 00 0C 30 10>", ""},
	} {
		for _, l := range entryLayouts {
			t.Run(fmt.Sprintf("%.50s, %.9s, %d in a stream", row.dict, row.a, l.ObjectStreams), func(t *testing.T) {
				d := sample(false)
				a, b, num := d.Add(row.a), d.Add(row.b), d.Reserve()
				refs := strings.NewReplacer("$a", fmt.Sprint(a, " 0 R"), "$b", fmt.Sprint(b, " 0 R"))
				stored := []byte("80 00 0C 30 10>") // 256, 0, 97, 257: a row with the function 0
				d.SetStream(num, refs.Replace(row.dict), stored)
				f, ref := opened(t, "sample", d.Bytes(l), ""), object.Ref{Num: uint32(num)}
				got, err := DataOf(f.NewReader().Data(ref))
				if string(got) != row.data || err == nil != (row.err == "") || !strings.Contains(fmt.Sprint(err), row.err) {
					t.Errorf("%q, %v, want %q, %s", got, err, row.data, row.err)
				}
				if got, err = DataOf(f.NewReader().Stream(ref)); err != nil || !bytes.Equal(got, stored) {
					t.Errorf("stored: %q, %v", got, err)
				}
			})
		}
	}
}

// TestLengthElsewhere: the length of a stream may be a reference. Without a valid length, the data end at the first
// endstream.
func TestLengthElsewhere(t *testing.T) {
	const data = "one endstream two"
	blanks := strings.Repeat(" ", 1024)
	for length, want := range map[string]string{"17": data, "(": "one ", "/A": "one ", "17" + blanks: data,
		blanks + "17": data} {
		d := sample(false)
		n, num := d.Add(length), d.Reserve()
		d.SetStream(num, fmt.Sprintf("/Length %d 0 R", n), []byte(data))
		got, err := DataOf(opened(t, "sample", d.Bytes(webcapturetest.Layout{}), "").NewReader().
			Stream(object.Ref{Num: uint32(num)}))
		if err != nil || string(got) != want {
			t.Errorf("%d bytes, %.9q: %q, %v, want %q", len(length), length, got, err, want)
		}
	}
}

// TestErrorsOfFilters: if a filter or a parameter cannot be read, the error of the stream says whether it is damaged,
// the cross-reference data are, or the meter is exceeded.
func TestErrorsOfFilters(t *testing.T) {
	for _, dict := range []string{"/Filter %d 0 R", "/Filter[/Fl %d 0 R]", "/Filter/Fl/DecodeParms %d 0 R",
		"/Filter/LZW/DecodeParms<</Columns %d 0 R>>"} {
		for _, l := range entryLayouts {
			d := sample(false)
			of, num := d.Add("/AHx"), d.Reserve()
			d.SetStream(num, fmt.Sprintf(dict, of), []byte("80>"))
			f, ref := opened(t, "sample", d.Bytes(l), ""), object.Ref{Num: uint32(num)}
			if l.ObjectStreams == 0 {
				f.entries[of].at += 3
				_, err := f.NewReader().Data(ref)
				if _, ok := errors.AsType[*Damage](err); !ok {
					t.Errorf("%s, another place: %v", dict, err)
				}
				f.entries[of] = entry{kind: lost}
				if _, err := f.NewReader().Data(ref); !object.IsMalformed(err) {
					t.Errorf("%s, lost: %v", dict, err)
				}
				continue
			}
			f.meter.Pay(1 << 60)
			if _, err := f.NewReader().Data(ref); err != (meter.Over{}) {
				t.Errorf("%s, over the meter: %v", dict, err)
			}
		}
	}
}

// TestNewStreamHasNoData: the dictionary of a stream that the file does not have cannot be read.
func TestNewStreamHasNoData(t *testing.T) {
	f := opened(t, "sample", sample(false).Bytes(webcapturetest.Layout{}), "")
	u, ref := f.NewUpdate(), object.Ref{Num: uint32(len(f.entries)) + 5}
	u.PutDict(ref, []byte("<</Filter/Fl>>"))
	for name, read := range map[string]func(object.Ref) (*Stream, error){"Stream": u.Preview().NewReader().Stream,
		"Data": u.Preview().NewReader().Data} {
		if got, err := DataOf(read(ref)); err == nil || !strings.Contains(err.Error(), "is not a stream") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestFailedObjectStreamsAreNotReadAgain: reading one may take long, and many objects may be in it.
func TestFailedObjectStreamsAreNotReadAgain(t *testing.T) {
	f := opened(t, "sample", sample(false).Bytes(entryLayouts[1]), "")
	r := f.NewReader()
	_, first := r.stream(1)
	if _, again := r.stream(1); first == nil || again != first {
		t.Errorf("%v, then %v", first, again)
	}
}

// TestObjectStreamsThatAreCut: a member of a whole stream is not cut, even if it is malformed. Searched bytes count.
func TestObjectStreamsThatAreCut(t *testing.T) {
	f := &File{fileBytes: fileBytes{data: make([]byte, 800)}}
	s := &objectStream{body: []byte("(a)(b"), starts: []int{0, 3}, whole: true}
	if f.isCut(s, 1) {
		t.Error("a whole stream is cut")
	}
	s.whole = false
	if !f.isCut(s, 1) {
		t.Error("not cut")
	}
	if got := f.Piece(); got != 16<<20+100 {
		t.Errorf("an object stream may have %d bytes", got)
	}
}
