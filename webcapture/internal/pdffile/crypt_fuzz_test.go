package pdffile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A secret is a small encrypted document in which a string and a stream contain the same text, with its encryption.
type secret struct {
	layout      webcapturetest.Layout
	encryption  webcapturetest.Encryption
	str, stream object.Ref
	file        []byte
}

// newSecret encrypts plain. The bits of shape select the kind of encryption. The result is nil if webcapturetest
// cannot write that kind.
func newSecret(shape uint16, user, owner, plain string) *secret {
	bit := func(k int) bool { return shape>>k&1 == 1 }
	s := &secret{encryption: webcapturetest.Encryption{
		Revision: 2 + int(shape&7)%5, User: user, Owner: owner, EmptyOwner: bit(3), RC4: bit(4), Short: bit(5),
		Padded:       bit(6),
		PlainStrings: bit(7), PlainStreams: bit(8), EmbeddedFiles: bit(9), PlainMetadata: bit(10), Direct: bit(11),
		Hex: bit(12),
	}}
	if bit(13) {
		s.layout = webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 2}
	}
	s.layout.Encryption = &s.encryption
	d := new(webcapturetest.Document)
	d.Root = d.Add("<</Type/Catalog/Pages 2 0 R>>")
	d.Add("<</Type/Pages/Count 0/Kids[]>>")
	s.str = object.Ref{Num: uint32(d.Add("[" + webcapturetest.Literal(plain) + "]"))}
	s.stream = object.Ref{Num: uint32(d.AddStream([]string{"", "/Type/EmbeddedFile", "/Type/Metadata"}[shape>>14%3],
		[]byte(plain)))}
	var b bytes.Buffer
	if d.Encode(&b, s.layout) != nil {
		return nil
	}
	s.file = b.Bytes()
	return s
}

// block returns the number of bytes that are decrypted together: 16 if the file uses AES, otherwise 1.
func (s *secret) block() int {
	if s.encryption.Revision > 4 || s.encryption.Revision == 4 && !s.encryption.RC4 {
		return 16
	}
	return 1
}

// read returns the decrypted string and stream.
func (s *secret) read(t *testing.T, password string) (str, stream []byte, err error) {
	f, err := New(context.Background(), s.file, []string{password})
	if err != nil {
		return nil, nil, err
	}
	if f.Repaired() {
		t.Fatalf("the file is not read as it stands: %q", f.Notices())
	}
	r := f.NewReader()
	o, err := r.Get(s.str)
	if err != nil {
		return nil, nil, err
	}
	list, _ := o.Array()
	for e := range list.All() {
		str, _ = e.AppendString(nil)
	}
	stream, err = DataOf(r.Data(s.stream))
	return str, stream, err
}

// FuzzDecrypt: a file of a writer that shares no code with the reader opens with each of its passwords, and with no
// other. The string and the stream are as before encryption. A changed byte of the stream changes only its own block
// and, with AES, the next.
func FuzzDecrypt(f *testing.F) {
	for shape := range uint16(5) {
		for flags := range uint16(11) {
			if (shape+flags)%2 == 1 {
				continue // the next revision tests the other half
			}
			const plain = "some plain text\x00\xff of two blocks"
			if newSecret(shape|8<<flags, "user", "owner", plain) == nil {
				continue // such a file cannot be written
			}
			f.Add(shape|8<<flags, "user", "owner", plain, shape*flags, byte(flags))
		}
	}
	f.Add(uint16(4), "", "ówner", "", uint16(0), byte(1))
	f.Fuzz(func(t *testing.T, shape uint16, user, owner, plain string, at uint16, change byte) {
		if len(user) > 32 || len(owner) > 32 { // writers cut longer passwords, but not at the same place
			t.Skip()
		}
		s := newSecret(shape, user, owner, plain)
		if s == nil {
			t.Skip()
		}
		if owner == "" && !s.encryption.EmptyOwner {
			owner = user
		}
		for _, password := range []string{user, owner} {
			str, stream, err := s.read(t, password)
			if err != nil || string(str) != plain || string(stream) != plain {
				t.Fatalf("%+v, password %q: %q, %q, %v, want %q", s.encryption, password, str, stream, err, plain)
			}
		}
		const other = "neither of them"
		if str, stream, err := s.read(t, other); user != "" && owner != "" && user != other && owner != other &&
			!errors.Is(err, ErrPassword) &&
			!(s.encryption.PlainStrings && s.encryption.PlainStreams) {
			t.Errorf("%+v, another password: %q, %q, %v", s.encryption, str, stream, err)
		}
		s.changed(t, user, plain, int(at), change)
	})
}

// changed changes a stored byte of the stream, and checks which decrypted bytes change.
func (s *secret) changed(t *testing.T, user, plain string, at int, change byte) {
	i := bytes.Index(s.file, fmt.Appendf(nil, "\n%d 0 obj", s.stream.Num))
	start := i + bytes.Index(s.file[i:], []byte("stream\n")) + len("stream\n")
	end := bytes.LastIndex(s.file, []byte("\nendstream"))
	if s.layout.XRef != webcapturetest.Table {
		end = start + bytes.Index(s.file[start:], []byte("\nendstream"))
	}
	if start >= end {
		return
	}
	at = start + at%(end-start)
	s.file[at] ^= change
	if bytes.Contains(s.file[start:end], []byte("endstream")) {
		return
	}
	str, stream, err := s.read(t, user)
	if string(str) != plain {
		t.Errorf("%+v: the string is %q, %v", s.encryption, str, err)
	}
	block, lead := s.block(), 0
	if block > 1 && end-start >= len(plain)+block {
		lead = block // the initialization vector
	}
	from := (at - start) / block * block
	for j := range plain {
		k := j + lead // where the byte comes from
		if k >= from && k < from+2*block || j >= len(stream) && from+2*block >= end-start {
			continue // the byte may have changed, or broken padding may have removed it
		}
		if j >= len(stream) || stream[j] != plain[j] {
			t.Fatalf("%+v: byte %d of %d is changed by %#x: %q, %v, was %q", s.encryption, at-start, end-start, change,
				stream, err, plain)
		}
	}
}

// FuzzEncryption opens files with any text as encryption dictionary. They open, or the error is about encryption. No
// stream of an open file is larger than the file.
func FuzzEncryption(f *testing.F) {
	const plain = "some plain text of two blocks"
	direct := func(shape uint16) *secret { return newSecret(shape&^(1<<13)|1<<11, "", "", plain) }
	split := func(s *secret) (before, dict, after string) {
		before, rest, _ := strings.Cut(string(s.file), "/Encrypt")
		i := strings.LastIndex(rest, ">>")
		return before, rest[:i], rest[i:]
	}
	for shape := range uint16(5) {
		for flags := range uint16(3) {
			if s := direct(shape | 8<<flags); s != nil {
				_, dict, _ := split(s)
				f.Add(shape|8<<flags, dict)
				for _, entry := range []string{"/Filter", "/V ", "/R ", "/P", "/O<", "/U<", "/UE<", "/StmF", "/CFM"} {
					f.Add(shape|8<<flags, strings.Replace(dict, entry, "/Other", 1))
					f.Add(shape|8<<flags, strings.Replace(dict, entry, entry+">/Other<", 1))
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, shape uint16, dict string) {
		s := direct(shape)
		if s == nil || len(dict) > 1<<12 {
			t.Skip()
		}
		before, _, after := split(s)
		data := []byte(before + "/Encrypt " + dict + after)
		file, err := New(context.Background(), data, nil)
		if err != nil {
			o, end, broken := object.Parse([]byte(dict), 0)
			if broken == nil && end == len(dict) && !o.IsNull() && !errors.Is(err, ErrEncryption) &&
				!errors.Is(err, ErrPassword) {
				t.Errorf("%q: %v", dict, err)
			}
			return
		}
		r := file.NewReader()
		for _, ref := range file.Refs() {
			stored, err := DataOf(r.Stream(ref))
			if len(stored) > len(data) {
				t.Errorf("%q: %v has %d bytes, %v", dict, ref, len(stored), err)
			}
		}
		everything(file)
	})
}
