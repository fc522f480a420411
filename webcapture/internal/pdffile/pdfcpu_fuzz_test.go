package pdffile

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// FuzzPdfcpu: a file that is read as it stands, by package pdffile and by pdfcpu, has the
// same pairs in all of its name trees, as either walks them by itself.
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
	small, _ := filepath.Glob("../../../../shared/corpus/*/*.pdf")
	for _, path := range small {
		if data, err := os.ReadFile(path); err == nil && len(data) < 4<<10 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			t.Skip()
		}
		file, err := New(context.Background(), data, Options{})
		if err != nil || file.Repaired() || len(file.Notices()) > 0 {
			return // where the file is damaged each may guess
		}
		got, ok := pairsOf(file)
		if !ok || differsByPdfcpu(file, data) {
			return
		}
		limited, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		ctx, notices, err := readAll(limited, data, nil, 16<<20)
		if err != nil || len(notices.notices) > 0 {
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

// spaced is a string in hexadecimal with white space in it.
var spaced = regexp.MustCompile(`<[0-9A-Fa-f]+[\x00\t\n\f\r ]`)

// differsByPdfcpu returns whether a file has something that pdfcpu is known to read in
// another way.
func differsByPdfcpu(f *File, data []byte) bool {
	switch {
	case bytes.Contains(data, []byte("/XRefStm")):
		return true // it does not find what a hybrid file hides behind entries that say free
	case f.Encrypted() && encryptedOtherwise(f):
		return true
	case f.Encrypted() && bytes.IndexByte(data, '\r') >= 0:
		return true // it decrypts ends of lines as they stand in strings
	case spaced.Match(data):
		return true // it takes white space in strings in hexadecimal for the end of a byte
	}
	places := map[uint64]bool{}
	for _, ref := range f.Refs() {
		if places[f.Position(ref)>>20] = true; ref.Gen != 0 { // below that is the place in an object stream
			return true // it takes no heed of generations
		}
	}
	return bytes.Count(data, []byte("endobj")) < len(places) // it drops objects without an end
}

// encryptedOtherwise returns whether pdfcpu does not see how a file is encrypted: it knows no direct encryption
// dictionary, and not the crypt filter Identity, which is also the one for what has none.
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

// maxPairs is how many pairs of a file are compared.
const maxPairs = 10_000

// pairsOf returns the pairs of each tree in the catalog's Names: the name of the tree, the
// key in hexadecimal, and the number of the object that the value is, or what kind it is of.
// If something cannot be read, it is false.
func pairsOf(f *File) (pairs []string, ok bool) {
	r := f.NewReader()
	ok = true
	get := func(o object.Object) object.Object {
		ref, _ := o.Ref()
		o, err := object.Resolve(r, o)
		ok = ok && err == nil && ref.Gen == 0 // pdfcpu takes no heed of generations
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

// lineEnds makes of each end of a line in a literal string what it stands for (7.3.4.2): pdfcpu leaves
// them as they are.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// pairsByPdfcpu is pairsOf by what pdfcpu has read.
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
				ok = false // so it takes strings with bytes that are not digits
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
