package batch

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/audittest"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// site returns a small PDF with a content database that is right.
func site() []byte {
	return webcapturetest.Sets(3, webcapturetest.Options{Images: 1}).Bytes(webcapturetest.Layout{})
}

// write makes files, and folders for them, below a new folder.
func write(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func pathsOf(paths ...string) []string {
	var got []string
	for in := range Inputs(slices.Values(paths), PathOptions{}) {
		got = append(got, in.Name)
		in.Close()
	}
	return got
}

func TestInputsOfFolders(t *testing.T) {
	dir := write(t, map[string][]byte{
		"b.pdf": nil, "A.PDF": nil, "a.txt": nil, "pdf": nil, ".pdf": nil,
		"sub.pdf/c.pdf": nil, "sub/x/d.Pdf": nil, "empty/readme": nil,
	})
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	if err := os.Symlink(in("sub"), in("link")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(in("sub"), in("dirlink.pdf")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(in("a.txt"), in("filelink.pdf")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(in("gone"), in("dangling.pdf")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		in, want []string
	}{
		{"order of names, folders at their place, links left alone", []string{dir},
			[]string{in(".pdf"), in("A.PDF"), in("b.pdf"), in("sub/x/d.Pdf"), in("sub.pdf/c.pdf")}},
		{"files as named, in that order, more than once", []string{in("b.pdf"), in("a.txt"), "-", in("b.pdf")},
			[]string{in("b.pdf"), in("a.txt"), "-", in("b.pdf")}},
		{"a link to a folder that is named", []string{in("link")}, []string{in("link/x/d.Pdf")}},
		{"an empty folder stands for itself", []string{in("empty")}, []string{in("empty")}},
		{"what is not there stands for itself", []string{in("gone")}, []string{in("gone")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := pathsOf(tt.in...); !slices.Equal(got, tt.want) {
				t.Errorf("inputs = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestInputsStopEarly(t *testing.T) {
	dir := write(t, map[string][]byte{"a.pdf": nil, "b/c.pdf": nil, "d.pdf": nil})
	for n := 1; n <= 4; n++ {
		i := 0
		for range Inputs(slices.Values([]string{dir, "-"}), PathOptions{}) {
			if i++; i == n {
				break
			}
		}
	}
}

// Pipes, sockets, and links that lead to themselves are not opened. Those with the name of a PDF have a record, others
// are counted.
func TestSpecialFilesInFolders(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := mkfifo(in("pipe.pdf")); err != nil {
		t.Skip(err)
	}
	if err := mkfifo(in("pipe")); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", in("socket.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for name, target := range map[string]string{"loop.pdf": "loop.pdf", "gone.pdf": "nothing", "link": "pipe"} {
		if err := os.Symlink(target, in(name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name    string
		links   bool
		want    []string
		skipped []string
	}{
		{"links are skipped", false, []string{
			"pipe.pdf: a pipe, socket, or device, which webcap does not read in folders",
			"socket.pdf: a pipe, socket, or device, which webcap does not read in folders",
		}, []string{"gone.pdf a symbolic link", "link a symbolic link", "loop.pdf a symbolic link",
			"pipe not a PDF or an archive"}},
		{"links are followed", true, []string{"gone.pdf: ", "loop.pdf: ",
			"pipe.pdf: a pipe, socket, or device, which webcap does not read in folders",
			"socket.pdf: a pipe, socket, or device, which webcap does not read in folders",
		}, []string{"link not a PDF or an archive", "pipe not a PDF or an archive"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got, skipped []string
			where := PathOptions{Links: tt.links, Skipped: func(name string, why Skip) {
				skipped = append(skipped, fmt.Sprint(filepath.Base(name), " ", why))
			}}
			for in := range Inputs(slices.Values([]string{dir}), where) {
				got = append(got, filepath.Base(in.Name)+": "+(&report.Record{Err: in.Err}).Reason())
				in.Close()
			}
			if !slices.Equal(got, tt.want) || !slices.Equal(skipped, tt.skipped) {
				t.Errorf("inputs %q, want %q; skipped %q, want %q", got, tt.want, skipped, tt.skipped)
			}
		})
	}
}

// A pattern does not open pipes either, and goes on after what it cannot read.
func TestPatterns(t *testing.T) {
	dir := write(t, map[string][]byte{"a.pdf": nil, "b.txt": nil, "sub/c.pdf": nil, "sub/deep/d.pdf": nil})
	if err := mkfifo(filepath.Join(dir, "p.pdf")); err != nil {
		t.Skip(err)
	}
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for pattern, want := range map[string][]string{
		"*.pdf": {in("a.pdf"), in("p.pdf")}, "*": {in("a.pdf"), in("b.txt"), in("p.pdf")},
		"**/*.pdf": {in("a.pdf"), in("p.pdf"), in("sub/c.pdf"), in("sub/deep/d.pdf")},
		"*/*.pdf":  {in("sub/c.pdf")}, "sub/**": {in("sub/c.pdf"), in("sub/deep/d.pdf")},
		"[ab].{pdf,txt}": {in("a.pdf"), in("b.txt")},
		"none*":          {in("none*")},
	} {
		t.Run(pattern, func(t *testing.T) {
			if got := pathsOf(in(pattern)); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", pattern, got, want)
			}
		})
	}
	literal := Inputs(slices.Values([]string{in("*.pdf"), Stdin}), PathOptions{Literal: true})
	for i := range literal {
		if f, err := i.open(t.Context(), webcapture.Options{}); err == nil {
			f.Close()
			t.Errorf("%s is taken for something else", i.Name)
		}
	}
}

func TestUnreadableFolder(t *testing.T) {
	dir := write(t, map[string][]byte{"a.pdf": site(), "locked/b.pdf": site(), "z.pdf": site()})
	locked := filepath.Join(dir, "locked")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(locked, 0o777) })
	if _, err := os.ReadDir(locked); err == nil {
		t.Skip("nothing is unreadable for this user")
	}
	got := slices.Collect(Run(t.Context(), Inputs(slices.Values([]string{dir}), PathOptions{}), Options{}))
	if len(got) != 3 || got[1].Path != locked || !errors.Is(got[1].Err, fs.ErrPermission) || got[0].Err != nil ||
		got[2].Err != nil {
		t.Errorf("records = %+v, want the folder's error between two files", got)
	}
}

// One bad file never stops the others.
func TestRunGoesOn(t *testing.T) {
	dir := write(t, map[string][]byte{
		"1-good.pdf": site(), "2-empty.pdf": {}, "3-text.pdf": []byte("hello"),
		"4-cut.pdf": site()[:40], "5-good.pdf": site(),
		"nothing/readme": nil,
	})
	paths := []string{dir, filepath.Join(dir, "gone.pdf"), "-", "-", filepath.Join(dir, "nothing")}
	want := []report.Outcome{
		report.Clean, report.Failed, report.Failed, report.Failed, report.Clean,
		report.Failed, report.Clean, report.Clean, report.Nothing,
	}
	var got []report.Outcome
	for rec := range Run(t.Context(), Inputs(slices.Values(paths), PathOptions{Stdin: bytes.NewReader(site())}),
		Options{}) {
		got = append(got, rec.Outcome())
		if (rec.Err == nil) == (rec.Report == nil) {
			t.Errorf("%s: report %v, error %v; want one of them", rec.Path, rec.Report, rec.Err)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("outcomes = %v, want %v", got, want)
	}
}

// numbered returns inputs whose names are numbers.
func numbered(n int) iter.Seq[*Input] {
	return func(yield func(*Input) bool) {
		for i := range n {
			if !yield(&Input{Name: fmt.Sprintf("%03d", i)}) {
				return
			}
		}
	}
}

func namesOf(inputs iter.Seq[*Input]) (list []string) {
	for in := range inputs {
		list = append(list, in.Name)
	}
	return list
}

// Records come in the order of inputs, for any order of completion.
func TestRunKeepsOrder(t *testing.T) {
	paths := namesOf(numbered(200))
	opt := Options{Workers: 8, Do: auditing(func(_ context.Context, in *Input) (*audit.Report, error) {
		path := in.Name
		for range int(path[2]-'0') * 50 {
			runtime.Gosched()
		}
		return &audit.Report{Path: path}, nil
	})}
	var got []string
	for rec := range Run(t.Context(), numbered(200), opt) {
		got = append(got, rec.Report.Path)
	}
	if !slices.Equal(got, paths) {
		t.Errorf("order = %q", got)
	}
}

func TestPanicIsTheFilesOwn(t *testing.T) {
	opt := Options{Do: auditing(func(_ context.Context, in *Input) (*audit.Report, error) {
		path := in.Name
		if path == "001" {
			panic("index out of range\nin line 7")
		}
		return &audit.Report{Facts: webcapture.Facts{Present: true}}, nil
	})}
	got := slices.Collect(Run(t.Context(), numbered(3), opt))
	if len(got) != 3 || got[0].Err != nil || got[2].Err != nil {
		t.Fatalf("records = %+v, want three, the second with an error", got)
	}
	p, ok := errors.AsType[*report.PanicError](got[1].Err)
	if !ok || got[1].Report != nil || !strings.Contains(string(p.Stack), "TestPanicIsTheFilesOwn") {
		t.Errorf("record = %+v, want a PanicError with the stack of the audit", got[1])
	}
	if want := `internal error, please report it: index out of range; in line 7`; got[1].Reason() != want {
		t.Errorf("Reason() = %q, want %q", got[1].Reason(), want)
	}
}

// While the first input is not done, only a few others are started.
func TestRunHoldsFewRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers = 4
		var started atomic.Int32
		first := make(chan bool)
		opt := Options{Workers: workers, Do: auditing(func(_ context.Context, in *Input) (*audit.Report, error) {
			path := in.Name
			started.Add(1)
			if path == "000" {
				<-first
			}
			return &audit.Report{}, nil
		})}
		n := 0
		go func() {
			synctest.Wait()
			if s := int(started.Load()); s > 3*workers+1 {
				t.Errorf("%d audits were started after the first one", s-1)
			}
			close(first)
		}()
		for range Run(t.Context(), numbered(100), opt) {
			n++
		}
		if n != 100 {
			t.Errorf("%d records, want 100", n)
		}
	})
}

// An interrupt ends the run although an audit is still running.
func TestRunStopsWhenInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		hang := make(chan bool)
		var started atomic.Int32
		opt := Options{Workers: 2, Do: auditing(func(_ context.Context, in *Input) (*audit.Report, error) {
			path := in.Name
			started.Add(1)
			if path == "002" {
				<-hang
			}
			return &audit.Report{Path: path}, nil
		})}
		go func() {
			synctest.Wait()
			cancel()
		}()
		var got []string
		for rec := range Run(ctx, numbered(100), opt) {
			got = append(got, rec.Path)
		}
		if !slices.Equal(got, []string{"000", "001"}) {
			t.Errorf("records of %q, want those before the one that hangs", got)
		}
		before := started.Load()
		close(hang)
		synctest.Wait()
		// A worker may have had one more input in its hands.
		if after := started.Load(); after > before+2 {
			t.Errorf("%d audits were started after the interrupt", after-before)
		}
	})
}

func TestRunStopsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opt := Options{Workers: 2, Do: auditing(func(context.Context, *Input) (*audit.Report,
			error) {
			return &audit.Report{}, nil
		})}
		for range Run(t.Context(), numbered(100), opt) {
			break
		}
		// The bubble fails if a goroutine is left behind.
	})
}

// auditing returns an Options.Do that sets what f returns.
func auditing(f func(context.Context, *Input) (*audit.Report, error)) func(context.Context, *Input, *report.Record) {
	return func(ctx context.Context, in *Input, rec *report.Record) { rec.Report, rec.Err = f(ctx, in) }
}

// TestRecordsKeepNothingOfFiles: records do not change when later files or members reuse the memory.
func TestRecordsKeepNothingOfFiles(t *testing.T) {
	files := map[string][]byte{}
	bases := audittest.Generated(t)
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	for i, op := range audittest.Mutations {
		data, ok := bases[i%len(bases)].Break(op)
		if !ok {
			continue
		}
		name := fmt.Sprintf("%03d.pdf", i)
		files[name] = data
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(data)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	text := func(rep *audit.Report) string {
		var b bytes.Buffer
		if err := report.NDJSON.New(&b, report.Options{}).Add(&report.Record{Report: rep}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	dir := write(t, files)
	archive := filepath.Join(write(t, map[string][]byte{"a.zip": zipped.Bytes()}), "a.zip")
	list := slices.Collect(Run(t.Context(), Inputs(slices.Values([]string{dir, archive}), PathOptions{}),
		Options{Workers: 1}))
	if len(list) != 2*len(files) || len(files) < 50 {
		t.Fatalf("%d records of %d files", len(list), len(files))
	}
	for _, rec := range list {
		alone, err := audit.Bytes(t.Context(), rec.Path, files[rec.Path[len(rec.Path)-len("000.pdf"):]], audit.Options{})
		if err != nil || rec.Err != nil {
			t.Fatalf("%s: %v; %v", rec.Path, err, rec.Err)
		}
		if got, want := text(rec.Report), text(alone); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", rec.Path, got, want)
		}
	}
}
