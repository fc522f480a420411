package batch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch/archive"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func sha(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// A record has the size and digest of the bytes, also of those that are not a PDF. Without digests, it has the size of
// PDF files only.
func TestSizesAndDigestsOfRecords(t *testing.T) {
	pdf, text := site(), []byte("text")
	dir := write(t, map[string][]byte{"a.pdf": pdf, "b": pdf, "c.pdf": text, "d.pdf": nil,
		"e.zip": zipped(t, "1.pdf", string(pdf), "2.pdf", string(text)), "f/g.txt": nil,
		"h.zip": zipped(t, "in.7z", "7z\xbc\xaf\x27\x1c")})
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, tt := range []struct {
		name   string
		input  *Input // nil for a path
		stdin  []byte
		data   []byte // nil if the size and digest are unknown
		failed bool
	}{
		{in("a.pdf"), nil, nil, pdf, false}, {in("b"), nil, nil, pdf, false}, {in("c.pdf"), nil, nil, text, true},
		{in("d.pdf"), nil, nil, []byte{}, true}, {in("gone.pdf"), nil, nil, nil, true}, {in("f"), nil, nil, nil, true},
		{in("e.zip!1.pdf"), nil, nil, pdf, false}, {in("e.zip!2.pdf"), nil, nil, text, true},
		{in("h.zip!in.7z"), nil, nil, nil, true}, {Stdin, nil, pdf, pdf, false}, {Stdin, nil, text, text, true},
		{Stdin, nil, nil, []byte{}, true},
		{"folder", &Input{Name: "folder", path: dir}, nil, nil, true},
	} {
		t.Run(filepath.Base(tt.name), func(t *testing.T) {
			for _, noHash := range []bool{false, true} {
				inputs := Inputs(slices.Values([]string{tt.name}), PathOptions{Stdin: bytes.NewReader(tt.stdin)})
				if in := tt.input; in != nil {
					inputs = slices.Values([]*Input{{Name: tt.name, path: in.path}})
				}
				got := slices.Collect(Run(t.Context(), inputs, Options{NoHash: noHash}))
				if len(got) != 1 || got[0].Path != tt.name || (got[0].Err != nil) != tt.failed {
					t.Fatalf("records %+v, want one of %q", got, tt.name)
				}
				want := report.Record{Size: int64(len(tt.data)), SHA256: sha(tt.data)}
				if tt.data == nil || noHash {
					want.SHA256 = ""
				}
				if noHash && tt.failed {
					want.Size = 0
				}
				if got[0].Size != want.Size || got[0].SHA256 != want.SHA256 {
					t.Errorf("no hash %v: size %d, SHA-256 %q; want %d, %q", noHash, got[0].Size, got[0].SHA256,
						want.Size, want.SHA256)
				}
			}
		})
	}
}

// A huge file that is not a PDF has a size, but no digest.
func TestSizeWithoutDigest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, maxHashed+1)); err != nil {
		t.Fatal(err)
	}
	if size, sum := (&Input{path: path}).digest(t.Context()); size != maxHashed+1 || sum != "" {
		t.Errorf("size %d, digest %q; want %d, none", size, sum, int64(maxHashed+1))
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if size, sum := (&Input{data: []byte("x")}).digest(ended); size != 0 || sum != "" {
		t.Errorf("in a run that has ended: size %d, digest %q; want none", size, sum)
	}
}

// Size is known before an input is opened if it is stored somewhere.
func TestInputSize(t *testing.T) {
	dir := write(t, map[string][]byte{"a": []byte("four")})
	for _, tt := range []struct {
		name string
		in   Input
		want int64
	}{
		{"a file", Input{path: filepath.Join(dir, "a")}, 4}, {"no file", Input{path: filepath.Join(dir, "b")}, 0},
		{"a folder", Input{path: dir}, 0},
		{"a member", Input{member: &archive.Member{Size: 5}}, 5},
		{"a member of unknown size", Input{member: &archive.Member{Size: -1}}, 0},
		{"standard input", Input{data: []byte("x")}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.in.Size(); got != tt.want {
				t.Errorf("Size() = %d, want %d", got, tt.want)
			}
		})
	}
}

// An input that was released is opened again by its path.
func TestInputOpensAgain(t *testing.T) {
	dir := write(t, map[string][]byte{"a": site()})
	for in := range Inputs(slices.Values([]string{filepath.Join(dir, "a")}), PathOptions{}) {
		for range 2 {
			f, err := in.open(t.Context(), webcapture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
			in.Close()
		}
	}
}

// Look decides about the record, which has the name of the input.
func TestLook(t *testing.T) {
	dir := write(t, map[string][]byte{"a.zip": zipped(t, "1.pdf", string(site()))})
	path := filepath.Join(dir, "a.zip")
	wrong := errors.New("wrong")
	for _, tt := range []struct {
		name string
		opt  Options
		want error
	}{
		{"an audit", Options{}, nil},
		{"Look", Options{Look: func(*webcapture.File) (*audit.Report, error) { return &audit.Report{}, nil }}, nil},
		{"Look fails", Options{Look: func(*webcapture.File) (*audit.Report, error) { return &audit.Report{}, wrong }},
			wrong},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for rec := range Run(t.Context(), Inputs(slices.Values([]string{path}), PathOptions{}), tt.opt) {
				switch {
				case rec.Err != tt.want || (rec.Report == nil) != (tt.want != nil):
					t.Errorf("report %v, error %v; want error %v", rec.Report, rec.Err, tt.want)
				case rec.Report != nil && rec.Report.Path != path+"!1.pdf":
					t.Errorf("path of the report %q, want %q", rec.Report.Path, path+"!1.pdf")
				}
				if rec.Path != path+"!1.pdf" || rec.Archive != path || rec.Seconds != 0 {
					t.Errorf("record %+v, want that of the member, without its duration", rec)
				}
			}
		})
	}
}

// A record of a file that was written before the time limit ended the work says so. Other late results are dropped.
func TestLateRecords(t *testing.T) {
	dir := write(t, map[string][]byte{"a.pdf": site()})
	inputs := Inputs(slices.Values([]string{filepath.Join(dir, "a.pdf")}), PathOptions{})
	for _, isWritten := range []bool{false, true} {
		opt := Options{Timeout: time.Millisecond, Do: func(ctx context.Context, _ *Input, rec *report.Record) {
			<-ctx.Done()
			rec.Report, rec.Rewrite = &audit.Report{}, &report.Rewrite{Written: isWritten}
		}}
		for rec := range Run(t.Context(), inputs, opt) {
			if (rec.Err == nil) != isWritten || (rec.Rewrite != nil) != isWritten {
				t.Errorf("written %v: rewrite %v, error %v", isWritten, rec.Rewrite, rec.Err)
			}
		}
	}
}
