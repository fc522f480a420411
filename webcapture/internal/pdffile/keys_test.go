package pdffile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// TestLengthsThatAKeyMayHave: writers give Length in bits, in bytes, or not at all. If the right length is not tried,
// the password does not open the file.
func TestLengthsThatAKeyMayHave(t *testing.T) {
	for _, test := range []struct {
		version int64
		dict    string
		want    []int
	}{
		{1, "<</Length 128>>", []int{5}},
		{2, "<</Length 128>>", []int{16, 5}},
		{2, "<</Length 40>>", []int{5, 16}},
		{2, "<</Length 56>>", []int{7, 16, 5}},
		{2, "<</Length 16>>", []int{16, 5}},
		{2, "<</Length 5>>", []int{16, 5}},
		{2, "<</Length 10>>", []int{16, 5, 10}},
		{2, "<</Length 4>>", []int{16, 5}},
		{2, "<</Length 136>>", []int{16, 5}},
		{4, "<<>>", []int{16, 5}},
	} {
		t.Run(fmt.Sprint(test.version), func(t *testing.T) {
			if got := keyLengths(test.version, dict(test.dict)); !slices.Equal(got, test.want) {
				t.Errorf("V %d, %s: %v, want %v", test.version, test.dict, got, test.want)
			}
		})
	}
}

func dict(s string) object.Dict {
	d, _ := literal(s).Dict()
	return d
}

// TestWhatAPasswordMayStandFor: a password is tried as the standard encodes it, then as its plain bytes.
func TestWhatAPasswordMayStandFor(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, test := range []struct {
		revision int64
		password string
		want     []string
	}{
		{4, "plain", []string{"plain"}},
		{6, "plain", []string{"plain"}},
		{4, "", []string{""}},
		{4, "été", []string{"\xe9t\xe9", "été"}},
		{6, "e\u0301", []string{"é", "e\u0301"}},
		{4, "Ω", []string{"Ω"}},
		{4, long, []string{long[:32]}},
		{5, long, []string{long[:127]}},
		{4, "é" + long, []string{"\xe9" + long[:31], "é" + long[:30]}},
		{6, "\u00ad" + long, []string{long[:127], "\u00ad" + long[:125]}},
	} {
		t.Run(fmt.Sprint(test.revision), func(t *testing.T) {
			var got []string
			for _, form := range (&standardHandler{revision: test.revision}).forms(test.password) {
				got = append(got, string(form))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("R %d, %.20q: %q, want %q", test.revision, test.password, got, test.want)
			}
		})
	}
}

// TestPasswordsArePrepared: RFC 4013, 2.1 and 2.2.
func TestPasswordsArePrepared(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"a b", "a b"}, {"a\u00a0b", "a b"}, {"a\u3000b", "a b"}, {"a\u1680b", "a b"}, {"a\u200bb", "a b"},
		{"a\u00ad\u034f\u1806\u200c\u200d\u2060\ufeffb", "ab"}, {"a\u180b\u180c\u180db", "ab"},
		{"a\ufe00\ufe05\ufe0fb", "ab"},
		{"a\u180ab", "a\u180ab"}, {"a\ufe10b", "a,b"}, {"\u2168", "IX"}, {"ª", "a"},
	} {
		t.Run(test.in, func(t *testing.T) {
			if got := saslPrep(test.in); got != test.want {
				t.Errorf("%+q: %+q, want %+q", test.in, got, test.want)
			}
		})
	}
}

// TestWhichEncryptionIsMeant: newCrypt finds the methods of strings, streams, and embedded files. A wrong method would
// give bytes that look like strings.
func TestWhichEncryptionIsMeant(t *testing.T) {
	const filters = "/CF<</A<</CFM/AESV2>>/B<</CFM/AESV3>>/R<</CFM/V2>>/N<</CFM/None>>/E<<>>>>"
	for text, want := range map[string]crypt{
		"/V 1/StmF/A/StrF/A": {strings: rc4Key, streams: rc4Key, embedded: rc4Key,
			metadata: true},
		"/V 2/EncryptMetadata false": {strings: rc4Key, streams: rc4Key, embedded: rc4Key,
			metadata: true},
		"/V 4" + filters:                                    {metadata: true},
		"/V 4/StmF/A" + filters:                             {streams: aesKey, embedded: aesKey, metadata: true},
		"/V 4/StrF/A" + filters:                             {strings: aesKey, metadata: true},
		"/V 4/StmF/A/StrF/R/EFF/Identity" + filters:         {strings: rc4Key, streams: aesKey, metadata: true},
		"/V 4/EFF/R/EncryptMetadata false" + filters:        {embedded: rc4Key},
		"/V 5/StmF/B/StrF/N/EncryptMetadata true" + filters: {streams: aesFile, embedded: aesFile, metadata: true},
		"/V 5/StmF/E/StrF/B/EncryptMetadata 0" + filters:    {strings: aesFile, metadata: true},
	} {
		t.Run(text, func(t *testing.T) {
			c, err := newCrypt(dict("<<" + text + ">>"))
			if err != nil {
				t.Errorf("%s: %v", text, err)
				return
			}
			c.filters = object.Dict{}
			if !reflect.DeepEqual(*c, want) {
				t.Errorf("%s: %+v, want %+v", text, *c, want)
			}
		})
	}
	for text, want := range map[string]string{
		"/V 4/StmF/X" + filters:              "crypt filter X is missing",
		"/V 4/StrF/X" + filters:              "crypt filter X is missing",
		"/V 4/EFF/X" + filters:               "crypt filter X is missing",
		"/V 4/EFF/A/CF<</A 7>>":              "crypt filter A is of the type integer",
		"/V 4/StmF/A/CF<</A<</CFM/AESV4>>>>": "crypt filter method AESV4 is not supported",
	} {
		t.Run(text, func(t *testing.T) {
			if _, err := newCrypt(dict("<<" + text + ">>")); !errors.Is(err, ErrEncryption) ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", text, err, want)
			}
		})
	}
}

// TestEachStreamHasItsEncryption: a stream may name a crypt filter, and metadata and
// embedded files may have their own.
func TestEachStreamHasItsEncryption(t *testing.T) {
	c, err := newCrypt(dict("<</V 4/StmF/A/StrF/A/EFF/R/EncryptMetadata false/CF<</A<</CFM/AESV2>>/R<</CFM/V2>>>>>>"))
	if err != nil {
		t.Fatal(err)
	}
	f := &File{}
	for text, want := range map[string]method{
		"<<>>": aesKey, "<</Type/XObject>>": aesKey, "<</Type/EmbeddedFile>>": rc4Key, "<</Type/Metadata>>": identity,
		"<</Filter/Crypt>>":                        identity,
		"<</Filter/Crypt/DecodeParms<</Name/R>>>>": rc4Key,
		"<</Type/EmbeddedFile/Filter[/Crypt/FlateDecode]/DecodeParms[<</Name/A>>]>>": aesKey,
		"<</Filter[/FlateDecode/Crypt]/DecodeParms[null<</Name/R>>]>>":               rc4Key,
	} {
		t.Run(text, func(t *testing.T) {
			d := dict(text)
			filters, err := filtersOf(plainSource{f}, d)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := c.streamMethod(d, filters); err != nil || got != want {
				t.Errorf("%s: %v, %v, want %v", text, got, err, want)
			}
		})
	}
	c.metadata = true
	if got, _ := c.streamMethod(dict("<</Type/Metadata>>"), nil); got != aesKey {
		t.Errorf("metadata that are encrypted: %v", got)
	}
	if _, err := c.stream(object.Ref{Num: 1}, rawStream{dict: dict("<<>>"), data: []byte("secret")},
		nil); !errors.Is(err, ErrPassword) {
		t.Errorf("without a key: %v", err)
	}
	r, err := c.stream(object.Ref{Num: 1}, rawStream{dict: dict("<<>>"), data: []byte("plain")},
		[]streamFilter{{name: "Crypt"}})
	if err != nil {
		t.Fatalf("a stream that is not encrypted, without a key: %v", err)
	}
	if data, err := io.ReadAll(r); err != nil || string(data) != "plain" {
		t.Errorf("a stream that is not encrypted, without a key: %q, %v", data, err)
	}
}

// TestWhatIsSealedIsOpened: encrypted data of any length can be decrypted. With a key for each object, that needs the
// number and generation of the object.
func TestWhatIsSealedIsOpened(t *testing.T) {
	for m, size := range map[method]int{identity: 5, rc4Key: 5, aesKey: 16, aesFile: 32} {
		t.Run(fmt.Sprint(m), func(t *testing.T) {
			c := &crypt{key: bytes.Repeat([]byte{7}, size)}
			ref := object.Ref{Num: 0x123456, Gen: 0x789}
			for n := range 50 {
				plain := bytes.Repeat([]byte("p"), n)
				sealed, err := c.seal(m, ref, bytes.Clone(plain), bytes.NewReader(make([]byte, 16)))
				if err != nil {
					t.Fatal(err)
				}
				if opened, err := c.open(m, ref, bytes.Clone(sealed)); err != nil || !bytes.Equal(opened, plain) {
					t.Errorf("method %d, %d bytes: %q, %v", m, n, opened, err)
				}
				if n < 8 || m != rc4Key && m != aesKey {
					continue
				}
				for _, other := range []object.Ref{{Num: 0x123457, Gen: 0x789}, {Num: 0x123556, Gen: 0x789},
					{Num: 0x133456, Gen: 0x789}, {Num: 0x123456, Gen: 0x788}, {Num: 0x123456, Gen: 0x689}} {
					if opened, err := c.open(m, other, bytes.Clone(sealed)); err == nil && bytes.Equal(opened, plain) {
						t.Errorf("method %d: what is sealed for %v is opened for %v", m, ref, other)
					}
				}
			}
		})
	}
	if _, err := sealAES(make([]byte, 16), []byte("x"), strings.NewReader("short")); err == nil {
		t.Error("sealed with half an initialization vector")
	}
	for n, want := range map[int]string{0: "", 15: "", 31: ""} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if out, err := openAES(make([]byte, 16), make([]byte, n)); err != nil || string(out) != want {
				t.Errorf("%d bytes: %q, %v", n, out, err)
			}
		})
	}
}

// TestNestingOfEncryptionDictionaries: nested references are followed, up to a limit.
func TestNestingOfEncryptionDictionaries(t *testing.T) {
	nested := func(n int) string {
		text := "{e0:}10 0 obj\n(end)\nendobj\n"
		entries := "10 1\n{e0} 00000 n \n"
		for i := range n {
			text += "{" + name(i+1) + ":}" + num(i+1) + " 0 obj\n[" + num(i) + " 0 R]\nendobj\n"
			entries += num(i+1) + " 1\n{" + name(i+1) + "} 00000 n \n"
		}
		data, _ := placed(header+objects+text+table+entries+trailer+ending, "")
		return data
	}
	for n, ok := range map[int]bool{0: true, 1: true, 200: true, 2 * object.MaxDepth: false} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			f, err := New(context.Background(), []byte(nested(n)), nil)
			if err != nil || f.Repaired() {
				t.Fatal(err, f.Notices())
			}
			o, err := inlined(f.NewReader(), literal("<</A "+num(n)+" 0 R>>"))
			if ok && (err != nil || strings.Count(string(o.Raw()), "[") != n ||
				!strings.Contains(text(o), text(literal("(end)")))) || !ok && !errors.Is(err, ErrEncryption) {
				t.Errorf("%d references in each other: %s, %v", n, o.Raw(), err)
			}
		})
	}
}

func name(i int) string { return "e" + strconv.Itoa(i) }
func num(i int) string  { return strconv.Itoa(10 + i) }
