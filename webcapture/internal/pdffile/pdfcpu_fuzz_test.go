package pdffile

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/log"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// FuzzPdfcpu: if package pdffile and pdfcpu both read a file without repairs, they find the same pairs in all of its
// name trees.
func FuzzPdfcpu(f *testing.F) {
	for _, l := range []webcapturetest.Layout{
		{}, {SubSections: 3}, {IndirectLength: true}, {Linearized: true}, {XRef: webcapturetest.Stream},
		{XRef: webcapturetest.Stream, ObjectStreams: 7},
		{XRef: webcapturetest.Hybrid, ObjectStreams: 5}, {Encryption: &webcapturetest.Encryption{Revision: 2}},
		{Encryption: &webcapturetest.Encryption{Revision: 4}},
	} {
		f.Add(webcapturetest.Sets(2, webcapturetest.Options{Leaf: 2, Images: 1, IndirectKeys: true}).Bytes(l))
	}
	escaped := new(webcapturetest.Document)
	escaped.Root = escaped.Add(`<</Type/Catalog/Pages 2 0 R/Names<</URLS<</Names[(a\(b\)\\\101\n\0612(c)) 2 0 R<61 62 7> 2 0 R 3 0 R null]>>>>>>`)
	escaped.Add("<</Type/Pages/Count 0/Kids[]>>")
	escaped.Add("(\xfe\xff\x00a)")
	f.Add(escaped.Bytes(webcapturetest.Layout{}))
	for _, path := range webcapturetest.Corpus("real", "negative") {
		if data, err := os.ReadFile(path); err == nil && len(data) < 4<<10 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			t.Skip()
		}
		file, err := New(context.Background(), data, nil)
		if err != nil || file.Repaired() || len(file.Notices()) > 0 {
			return // each may repair a damaged file in its own way
		}
		got, ok := pairsOf(file)
		if !ok || differsByPdfcpu(file, data) {
			return
		}
		limited, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		var repairs noticeLog
		log.SetCLILogger(&repairs)
		defer log.SetCLILogger(nil)
		ctx, err := (&File{fileBytes: fileBytes{data: data, ctx: limited}}).readByPdfcpu()
		if err != nil || repairs {
			return
		}
		want, ok := pairsByPdfcpu(ctx)
		if ok && !slices.Equal(got, want) {
			both := func(s string) bool { return slices.Contains(got, s) && slices.Contains(want, s) }
			t.Errorf("%q\nby pdfcpu %q", slices.DeleteFunc(slices.Clone(got), both),
				slices.DeleteFunc(slices.Clone(want), both))
		}
	})
}

// A noticeLog is true after pdfcpu has repaired or skipped something, which it only logs.
type noticeLog bool

func (l *noticeLog) Printf(format string, args ...any) { l.Println(fmt.Sprintf(format, args...)) }
func (l *noticeLog) Fatalf(format string, args ...any) { l.Println(fmt.Sprintf(format, args...)) }
func (l *noticeLog) Fatalln(args ...any)               { l.Println(args...) }
func (l *noticeLog) Println(args ...any) {
	s := strings.TrimSpace(fmt.Sprint(args...))
	if strings.HasPrefix(s, "pdfcpu repaired:") || strings.HasPrefix(s, "pdfcpu skipped:") {
		*l = true
	}
}

// spaced is a string in hexadecimal with white space in it.
var spaced = regexp.MustCompile(`<[0-9A-Fa-f]+[\x00\t\n\f\r ]`)

// differsByPdfcpu reports whether a file has a feature that pdfcpu is known to read differently.
func differsByPdfcpu(f *File, data []byte) bool {
	switch {
	case bytes.Contains(data, []byte("/XRefStm")):
		return true // pdfcpu does not find objects that the table of a hybrid file marks as free
	case f.Encrypted() && encryptedOtherwise(f):
		return true
	case f.Encrypted() && bytes.IndexByte(data, '\r') >= 0:
		return true // pdfcpu does not convert line ends in encrypted strings
	case spaced.Match(data):
		return true // in hexadecimal strings, white space ends a byte for pdfcpu
	}
	places := map[uint64]bool{}
	for _, ref := range f.Refs() {
		if places[f.Position(ref)>>20] = true; ref.Gen != 0 { // the lower bits are the index in an object stream
			return true // pdfcpu ignores generations
		}
	}
	return bytes.Count(data, []byte("endobj")) < len(places) // pdfcpu drops objects without endobj
}

// encryptedOtherwise reports whether pdfcpu misreads how a file is encrypted. It does not know direct encryption
// dictionaries, nor the crypt filter Identity, which is also the default.
func encryptedOtherwise(f *File) bool {
	encrypt := f.Trailer().Lookup("Encrypt")
	if _, isRef := encrypt.Ref(); !isRef {
		return true
	}
	encrypt, err := object.Resolve(f.NewReader(), encrypt)
	d, _ := encrypt.Dict()
	if v, _ := d.Lookup("V").Int(); err != nil || v < 4 {
		return err != nil
	}
	return !d.Lookup("StmF").IsName("StdCF") || !d.Lookup("StrF").IsName("StdCF")
}

// maxPairs is the maximum number of pairs in a file that is compared.
const maxPairs = 10_000

// pairsOf returns the pairs of each tree in the catalog's Names: the name of the tree, the key in hexadecimal, and the
// object number of the value, or 0 for a direct value. ok is false if something cannot be read, or there are too many
// pairs.
func pairsOf(f *File) (pairs []string, ok bool) {
	r := f.NewReader()
	ok = true
	get := func(o object.Object) object.Object {
		ref, _ := o.Ref()
		o, err := object.Resolve(r, o)
		ok = ok && err == nil && ref.Gen == 0 // pdfcpu ignores generations
		return o
	}
	lookup := func(o object.Object, key string) object.Object {
		d, _ := o.Dict()
		return d.Lookup(key)
	}
	seen := map[object.Ref]bool{}
	var node func(tree string, o object.Object)
	node = func(tree string, o object.Object) {
		if ref, isRef := o.Ref(); isRef {
			if seen[ref] {
				return
			}
			seen[ref] = true
		}
		o = get(o)
		kids, _ := get(lookup(o, "Kids")).Array()
		for kid := range kids.All() {
			node(tree, kid)
		}
		names, _ := get(lookup(o, "Names")).Array()
		key, i := "", 0
		for e := range names.All() {
			if i++; i%2 == 1 {
				s, isString := get(e).AppendString(nil)
				if key = fmt.Sprintf("%x", s); !isString {
					key = "not a string"
				}
				continue
			}
			ref, _ := e.Ref()
			if pairs = append(pairs, fmt.Sprintf("%s %s %d", tree, key, ref.Num)); len(pairs) > maxPairs {
				ok = false
				return
			}
		}
	}
	names, _ := get(lookup(get(f.Trailer().Lookup("Root")), "Names")).Dict()
	for k, v := range names.All() {
		clear(seen)
		node(string(k), v)
	}
	slices.Sort(pairs)
	return pairs, ok
}

// lineEnds converts the line ends in a literal string as the standard demands (7.3.4.2): pdfcpu does not.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// pairsByPdfcpu returns the same as pairsOf, from the objects that pdfcpu has read.
func pairsByPdfcpu(ctx *model.Context) (pairs []string, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	ok = true
	get := func(o types.Object) types.Object {
		o, err := ctx.Dereference(o)
		ok = ok && err == nil
		return o
	}
	lookup := func(o types.Object, key string) types.Object {
		d, _ := o.(types.Dict)
		return d[key]
	}
	seen := map[int]bool{}
	var node func(tree string, o types.Object)
	node = func(tree string, o types.Object) {
		if ref, isRef := o.(types.IndirectRef); isRef {
			if seen[int(ref.ObjectNumber)] {
				return
			}
			seen[int(ref.ObjectNumber)] = true
		}
		o = get(o)
		kids, _ := get(lookup(o, "Kids")).(types.Array)
		for _, kid := range kids {
			node(tree, kid)
		}
		names, _ := get(lookup(o, "Names")).(types.Array)
		for i := 0; i+1 < len(names); i += 2 {
			var b []byte
			var err error
			switch s := get(names[i]).(type) {
			case types.StringLiteral:
				b, err = types.Unescape(lineEnds.Replace(string(s)))
			case types.HexLiteral:
				b, err = s.Bytes()
			default:
				ok = false // pdfcpu reads hexadecimal strings with other bytes like this
			}
			ok = ok && err == nil
			ref, _ := names[i+1].(types.IndirectRef)
			if pairs = append(pairs, fmt.Sprintf("%s %x %d", tree, b, ref.ObjectNumber)); len(pairs) > maxPairs {
				ok = false
				return
			}
		}
	}
	names, _ := get(lookup(get(*ctx.Root), "Names")).(types.Dict)
	for k, v := range names {
		clear(seen)
		node(k, v)
	}
	slices.Sort(pairs)
	return pairs, ok
}
