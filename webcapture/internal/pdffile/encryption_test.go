package pdffile_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// encryptedFile is an encrypted copy of a document, and the passwords that open it.
type encryptedFile struct {
	name        string
	path        string
	user, owner string
}

// brokenSets returns a document in which a node lacks its Limits. A rewrite restores them. The document is signed, and
// Contents of the signature has a length that no encrypted string has: it is never encrypted (7.6.2).
func brokenSets(t *testing.T) *webcapturetest.Document {
	t.Helper()
	d := webcapturetest.Sets(20, webcapturetest.Options{Leaf: 8, Images: 4, IndirectKeys: true})
	signature := d.Add("<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 1 2 3]/Contents <" +
		strings.Repeat("30", 35) + ">>>")
	field := d.Add(fmt.Sprintf("<</Type/Annot/Subtype/Widget/Rect[0 0 0 0]/FT/Sig/T(signed)/V %d 0 R>>", signature))
	for num := 1; num < 1000; num++ {
		if body := d.Body(num); strings.Contains(body, "/Catalog") {
			d.Set(num, strings.Replace(body, "/Catalog",
				fmt.Sprintf("/Catalog/AcroForm<</SigFlags 1/Fields[%d 0 R]>>", field), 1))
		}
	}
	for num := 1; num < 1000; num++ {
		if body := d.Body(num); strings.Contains(body, "/Limits") {
			d.Set(num, strings.Replace(body, "/Limits", "/Limots", 1))
			return d
		}
	}
	t.Fatal("no node has Limits")
	return nil
}

// handMade encrypts doc in ways that the other writers lack, among them: every revision, empty owner passwords, keys
// of 40 bits with revision 3, and O and U padded to 127 bytes, as Acrobat does.
func handMade(t *testing.T, doc *webcapturetest.Document) []encryptedFile {
	t.Helper()
	var all []encryptedFile
	for _, e := range []webcapturetest.Encryption{
		{Revision: 2}, {Revision: 3}, {Revision: 3, Short: true}, {Revision: 4}, {Revision: 4, RC4: true},
		{Revision: 4, PlainMetadata: true}, {Revision: 5}, {Revision: 5, Padded: true}, {Revision: 6},
		{Revision: 6, Padded: true},
		{Revision: 6, PlainMetadata: true},
	} {
		for _, p := range []webcapturetest.Encryption{{User: "user", Owner: "owner"}, {User: "user", EmptyOwner: true},
			{Owner: "owner"}} {
			e.User, e.Owner, e.EmptyOwner = p.User, p.Owner, p.EmptyOwner
			for _, l := range []webcapturetest.Layout{{}, {XRef: webcapturetest.Stream, ObjectStreams: 20}} {
				l.Encryption = &e
				all = append(all, encryptedFile{
					name: fmt.Sprintf("by hand, %+v, %v", e, l.XRef),
					path: write(t, doc.Bytes(l)), user: p.User, owner: p.Owner,
				})
			}
		}
	}
	return all
}

func write(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.pdf")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// byQpdf returns copies of a file that qpdf encrypted, in all its ways.
func byQpdf(t *testing.T, path string) []encryptedFile {
	t.Helper()
	qpdf := webcapturetest.Program(t, "qpdf")
	var all []encryptedFile
	for _, how := range []string{
		"40", "128 --use-aes=n", "128 --use-aes=y", "128 --force-V4", "128 --use-aes=y --cleartext-metadata", "256",
		"256 --force-R5", "256 --cleartext-metadata",
	} {
		for _, passwords := range [][2]string{{"user", "owner"}, {"", "owner"}, {"user", ""}} {
			out := filepath.Join(t.TempDir(), "qpdf.pdf")
			args := append([]string{"--allow-weak-crypto", "--object-streams=generate", "--encrypt", passwords[0],
				passwords[1]}, strings.Fields(how)...)
			if passwords[1] == "" && strings.HasPrefix(how, "256") {
				args = append(args, "--allow-insecure")
			}
			cmd := exec.Command(qpdf, append(args, "--", path, out)...)
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("qpdf %v: %v: %s", args, err, text)
			}
			owner := passwords[1]
			if owner == "" && !strings.HasPrefix(how, "256") {
				owner = passwords[0] // without one, qpdf uses the user password
			}
			all = append(all, encryptedFile{name: fmt.Sprintf("qpdf %s %q", how, passwords), path: out, user: passwords[0],
				owner: owner})
		}
	}
	return all
}

// byPdfcpuEncrypt returns copies of a file that pdfcpu encrypted, in all its ways.
func byPdfcpuEncrypt(t *testing.T, path string) []encryptedFile {
	t.Helper()
	api.DisableConfigDir()
	var all []encryptedFile
	for _, how := range []struct {
		aes  bool
		bits int
	}{{false, 40}, {false, 128}, {true, 128}, {true, 256}} {
		for _, user := range []string{"user", ""} {
			conf := model.NewDefaultConfiguration()
			conf.UserPW, conf.OwnerPW = user, "owner"
			conf.EncryptUsingAES, conf.EncryptKeyLength = how.aes, how.bits
			out := filepath.Join(t.TempDir(), "pdfcpu.pdf")
			if err := api.EncryptFile(path, out, conf); err != nil {
				t.Fatalf("pdfcpu %+v: %v", how, err)
			}
			all = append(all, encryptedFile{name: fmt.Sprintf("pdfcpu %+v %q", how, user), path: out, user: user,
				owner: "owner"})
		}
	}
	return all
}

// TestEveryEncryptionIsReadAuditedAndRewritten: each password of an encrypted file opens it, and no other. The audit
// has the findings of the file before encryption, and a rewrite repairs it.
func TestEveryEncryptionIsReadAuditedAndRewritten(t *testing.T) {
	doc := brokenSets(t)
	plain := write(t, doc.Bytes(webcapturetest.Layout{}))
	want := findings(t, plain, "")
	if len(want) == 0 {
		t.Fatal("nothing is wrong with the sample")
	}
	files := handMade(t, doc)
	for _, e := range webcapturetest.Sample(8, files) {
		t.Run(e.name, func(t *testing.T) { isReadAndRepaired(t, e, plain, want) })
	}
	t.Run("qpdf", func(t *testing.T) {
		for _, e := range webcapturetest.Sample(8, byQpdf(t, plain)) {
			t.Run(e.name, func(t *testing.T) { isReadAndRepaired(t, e, plain, want) })
		}
	})
	// pdfcpu writes keys as text, with or without encryption, so its files are compared with its own unencrypted
	// output.
	optimized := filepath.Join(t.TempDir(), "optimized.pdf")
	if !optimize(t, plain, optimized, "") {
		t.Fatal("pdfcpu refuses it")
	}
	for _, e := range byPdfcpuEncrypt(t, optimized) {
		t.Run(e.name, func(t *testing.T) { isReadAndRepaired(t, e, optimized, findings(t, optimized, "")) })
	}
}

func isReadAndRepaired(t *testing.T, e encryptedFile, plain string, want map[string]int) {
	for _, password := range []string{e.user, e.owner} {
		got := findings(t, e.path, password)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("with password %q the audit finds %v, want %v", password, got, want)
		}
	}
	if e.user != "" && e.owner != "" {
		for _, password := range []string{"", "User", "user ", "x"} {
			if _, err := webcapture.Open(context.Background(), e.path,
				webcapture.Options{Passwords: []string{password}}); !errors.Is(err, webcapture.ErrPassword) {
				t.Errorf("with password %q: %v, want ErrPassword", password, err)
			}
		}
	}
	if changes := differences(t, plain, e.path, e.user); len(changes) > 0 {
		t.Errorf("encrypted it differs: %v", changes)
	}
	p, err := rewrite.Open(t.Context(), e.path, rewrite.Options{Passwords: []string{e.owner}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	repaired := filepath.Join(t.TempDir(), "repaired.pdf")
	if _, err := p.Install(context.Background(), rewrite.Target{Path: repaired}); err != nil {
		t.Fatal(err)
	}
	rep, err := audit.File(t.Context(), repaired, audit.Options{Passwords: []string{e.user}})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Worst() >= rule.Warning || !rep.Encrypted {
		t.Errorf("repaired: encrypted %v, findings %v", rep.Encrypted, rep.Findings)
	}
}

// findings counts the findings of a file by rule.
func findings(t *testing.T, path, password string) map[string]int {
	t.Helper()
	rep, err := audit.File(t.Context(), path, audit.Options{Passwords: []string{password}})
	if err != nil {
		t.Fatalf("password %q: %v", password, err)
	}
	if len(rep.Unread) > 0 || rep.WithoutXRef {
		t.Fatalf("not read as it is: %v %v", rep.Unread, rep.Notices)
	}
	count := map[string]int{}
	for _, f := range rep.Findings {
		if f.Level() > rule.Note { // some notes are about the version, which encryption raises
			count[f.Rule.ID]++
		}
	}
	return count
}

// TestPlainFilesWithEncryptedAttachmentsNeedNoPassword: strings and other streams of such a file are not encrypted,
// but its attachments are. Without a password, reading an attachment is an error.
func TestPlainFilesWithEncryptedAttachmentsNeedNoPassword(t *testing.T) {
	const text = "the text of an attachment"
	for _, revision := range []int{4, 6} {
		doc := webcapturetest.Sets(3, webcapturetest.Options{})
		num := doc.AddStream("/Type/EmbeddedFile", []byte(text))
		path := write(t, doc.Bytes(webcapturetest.Layout{Encryption: &webcapturetest.Encryption{
			Revision: revision, User: "user", PlainStrings: true, PlainStreams: true, EmbeddedFiles: true,
		}}))
		for _, password := range []string{"", "user"} {
			if rep, err := audit.File(t.Context(), path, audit.Options{Passwords: []string{password}}); err != nil ||
				rep.Worst() > rule.Note || len(rep.Unread) > 0 || rep.URLS != 3 {
				t.Errorf("R %d, password %q: %v, %+v", revision, password, err, rep)
			}
			f, err := webcapture.Open(context.Background(), path, webcapture.Options{Passwords: []string{password}})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var data []byte
			stored, err := f.NewReader().Data(object.Ref{Num: uint32(num)})
			if err == nil {
				data, err = io.ReadAll(stored)
			}
			switch {
			case password != "" && string(data) != text:
				t.Errorf("R %d: the attachment is %q, %v", revision, data, err)
			case password == "" && (!object.IsMalformed(err) || data != nil):
				t.Errorf("R %d: the attachment is %q, %v, without a password", revision, data, err)
			}
		}
	}
}

// TestHalfPlainFilesNeedThePassword: without it, encrypted strings or streams would be read as plain.
func TestHalfPlainFilesNeedThePassword(t *testing.T) {
	for _, e := range []webcapturetest.Encryption{{PlainStrings: true}, {PlainStreams: true}} {
		t.Run(fmt.Sprint(e.Revision), func(t *testing.T) {
			e.Revision, e.User = 4, "user"
			path := write(t, webcapturetest.Sets(3, webcapturetest.Options{}).Bytes(webcapturetest.Layout{Encryption: &e}))
			for password, want := range map[string]error{"": webcapture.ErrPassword, "user": nil} {
				f, err := webcapture.Open(context.Background(), path, webcapture.Options{Passwords: []string{password}})
				if !errors.Is(err, want) {
					t.Errorf("%+v, password %q: %v, want %v", e, password, err, want)
				}
				if err == nil {
					f.Close()
				}
			}
		})
	}
}

// TestBrokenEncryptionIsNamed: if a file cannot be decrypted, the error names the cause. The file is never read as
// plain.
func TestBrokenEncryptionIsNamed(t *testing.T) {
	for _, tt := range []struct{ was, is, want string }{
		{"/Filter/Standard", "/Filter/Adobe.PubSec", "the security handler Adobe.PubSec is not supported"},
		{"/V 4", "/V 6", "AES-GCM (crypt filter method AESV4) is not supported"},
		{"/CFM/AESV2", "/CFM/AESV9", "crypt filter method AESV9 is not supported"},
		{"/V 4", "/V 3", "V 3 with R 4 is not supported"},
		{"/V 4", "/W 4", "the encryption dictionary is broken: V is missing"},
		{"/R 4", "/R(4)", "the encryption dictionary is broken: R is of the type string"},
		{"/P -4", "/Q -4", "the encryption dictionary is broken: P is missing"},
		{"/StmF/StdCF", "/StmF/Other", "the encryption dictionary is broken: crypt filter Other is missing"},
		{"/O<", "/M<", "the encryption dictionary is broken: O is missing"},
		{"/U<", "/U<>/M<", "the encryption dictionary is broken: U has 0 bytes, not 32"},
		{"/Filter/Standard", "/Folter/Standard", "the encryption dictionary is broken: Filter is missing"},
	} {
		t.Run(tt.was, func(t *testing.T) {
			data := webcapturetest.Sets(2,
				webcapturetest.Options{}).Bytes(webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 4,
				Direct: true}})
			broken := strings.Replace(string(data), tt.was, tt.is, 1)
			if broken == string(data) {
				t.Fatalf("%s is not in the file", tt.was)
			}
			_, err := webcapture.New(context.Background(), []byte(broken), webcapture.Options{})
			if !errors.Is(err, webcapture.ErrEncryption) || !strings.Contains(fmt.Sprint(err), tt.want) {
				t.Errorf("%s for %s: %v, want %s", tt.is, tt.was, err, tt.want)
			}
		})
	}
}

// TestLostEncryptionDictionary: a file whose trailer refers to an encryption
// dictionary that is gone is not read as a plain one, which would make every key
// wrong.
func TestLostEncryptionDictionary(t *testing.T) {
	data := string(webcapturetest.Sets(2,
		webcapturetest.Options{}).Bytes(webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 4}}))
	i := strings.Index(data, "/Filter/Standard")
	start := strings.LastIndex(data[:i], " obj")
	broken := data[:start] + " 0bj" + data[start+4:]
	_, err := webcapture.New(context.Background(), []byte(broken), webcapture.Options{})
	if !errors.Is(err, webcapture.ErrEncryption) || !strings.Contains(fmt.Sprint(err), "is not in the file") {
		t.Errorf("got %v", err)
	}
}

// TestPasswordsOutsideASCII: a password that is typed in UTF-8 opens files whose
// writer encoded or composed it as the standard says, and those of writers that did not.
func TestPasswordsOutsideASCII(t *testing.T) {
	for _, tt := range []struct {
		revision      int
		stored, typed string
	}{
		{3, "\xe9t\xe9\xa0", "été€"},
		{4, "été", "été"},
		{6, "IX IX", "I\u00adX\u00a0\u2168"},
		{6, "e\u0301", "e\u0301"},
	} {
		t.Run(fmt.Sprint(tt.revision), func(t *testing.T) {
			data := webcapturetest.Sets(2,
				webcapturetest.Options{}).Bytes(webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: tt.revision, User: tt.stored}})
			if _, err := webcapture.New(context.Background(), data,
				webcapture.Options{Passwords: []string{tt.typed}}); err != nil {
				t.Errorf("R %d, %q typed as %q: %v", tt.revision, tt.stored, tt.typed, err)
			}
		})
	}
}
