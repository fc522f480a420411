package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// failingFile is a file in memory of which one read fails, or all from there on.
type failingFile struct {
	*strings.Reader
	reads int // number of reads so far
	fail  int // index of the read that fails; negative for none
	rest  bool
}

// errRead is an error of a disk, as package os returns it.
var errRead error = &fs.PathError{Op: "read", Path: "x", Err: errDisk}

func (f *failingFile) ReadAt(p []byte, at int64) (int, error) {
	f.reads++
	if f.reads-1 == f.fail || f.rest && f.fail >= 0 && f.reads > f.fail {
		return 0, errRead
	}
	return f.Reader.ReadAt(p, at)
}

// manyArchives returns an archive of each kind, by the name that it has to have.
func manyArchives(t *testing.T) map[string]string {
	t.Helper()
	large := pdf(random(inMemory))
	files := []file{{"a.pdf", pdf("a")}, {"b.txt", "text"}, {"c", pdf("c")}}
	inner := storedZip(t, file{"in.pdf", pdf("i")})
	both := "PK\x03\x04" + strings.Repeat("\x00", 22) + "\xff\x00\x00\x00\n" + pdf("both") + inner
	revisit := record("revisit", "http://h/r.pdf", "application/http",
		"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n")
	warc := capture()
	return map[string]string{
		"x.zip": zipOf(t, files...), "stored.zip": storedZip(t, files...), "x.tar": tarOf(t, files...),
		"x.tar.gz": gz(tarOf(t, files...)), "x.tar.zst": zst(tarOf(t, files...)),
		"x.warc": warc, "x.warc.gz": gz(warc), "x.pdf.gz": gz(pdf("a")),
		"x.wacz":  storedZip(t, file{"archive/a.warc.gz", gz(warc)}, file{"pages/p.jsonl", "{}"}),
		"in.zip":  zipOf(t, file{"in.tar.gz", gz(tarOf(t, file{"in.zip", zipOf(t, files...)}))}, files[0]),
		"raw.zip": storedZip(t, file{"in.zip", storedZip(t, files...)}, file{"both", both}, files[0]),
		"in.tar":  tarOf(t, file{"in.zip", inner}, file{"both", both}, files[0], file{"7.7z", "7z\xbc\xaf\x27\x1c\x00\x04"}),
		"in.warc": reply("http://h/z", "", inner) + reply("http://h/both", "", both),
		"large.zip": zipOf(t, file{"large.pdf", large}, file{"in.tar", tarOf(t, file{"large.pdf", large})}, files[0],
			file{"too.pdf", pdf(strings.Repeat(" ", 1000))}),
		"large.tar.gz": gz(tarOf(t, file{"large.pdf", large}, files[0])), "both.pdf": pdf("both") + inner,
		"revisits.warc": revisit + revisit + reply("http://h/a.pdf", "", pdf("a")) + revisit,
		"two.tar":       tarOf(t, files...) + tarOf(t, files...), "two.zip": storedZip(t, files[0]) + storedZip(t, files[2]),
		"a.7z": "7z\xbc\xaf\x27\x1c\x00\x04", "program.zip": "MZ" + strings.Repeat("x", 5000) + zipOf(t, files...),
	}
}

// membersOf returns the members of a file with their data, and their errors. It closes each immediately.
func membersOf(t *testing.T, name string, f io.ReaderAt, size int64) (list []string, errs []error) {
	t.Helper()
	for m := range Members(name, f, size, Options{}) {
		d, err := loaded(m)
		if err != nil {
			errs = append(errs, err)
		} else {
			text, _ := io.ReadAll(io.NewSectionReader(d, 0, d.Size()))
			list = append(list, m.Name+"="+string(text))
		}
		m.Close()
	}
	return list, errs
}

// dataOnly returns the data of members, without their names.
func dataOnly(members []string) (list []string) {
	for _, m := range members {
		_, data, _ := strings.Cut(m, "=")
		list = append(list, data)
	}
	return list
}

// If the disk fails, an error says so, unless all members were read before. If one read fails, no member gets other
// data.
func TestFailingDisk(t *testing.T) {
	for name, data := range manyArchives(t) {
		t.Run(name, func(t *testing.T) {
			whole := &failingFile{Reader: strings.NewReader(data), fail: -1}
			want, _ := membersOf(t, name, whole, int64(len(data)))
			for fail := range min(whole.reads, 60) {
				for _, rest := range []bool{false, true} {
					f := &failingFile{Reader: strings.NewReader(data), fail: fail, rest: rest}
					got, errs := membersOf(t, name, f, int64(len(data)))
					for _, d := range dataOnly(got) {
						if !slices.Contains(dataOnly(want), d) {
							t.Errorf("read %d fails: a member has the data %.100q", fail, d)
						}
					}
					told := slices.ContainsFunc(errs, func(err error) bool { return errors.Is(err, errRead) })
					if rest && !told || len(errs) == 0 && len(got) < len(want) {
						t.Errorf("read %d fails: %d of %d members, errors %v", fail, len(got), len(want), errs)
					}
				}
			}
		})
	}
}

// The caller may stop at any member. No temporary file is open then.
func TestStopAtAnyMember(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	for name, data := range manyArchives(t) {
		t.Run(name, func(t *testing.T) {
			for n, more := 1, true; more; n++ {
				more = false
				h, i := strings.NewReader(data), 0
				for m := range Members(name, h, int64(len(data)), Options{}) {
					m.Close()
					if i++; i == n {
						more = true
						break
					}
				}
			}
			fds, _ := filepath.Glob("/proc/self/fd/*")
			for _, fd := range fds {
				if to, _ := os.Readlink(fd); strings.HasPrefix(to, dir) {
					t.Errorf("%s is open", to)
				}
			}
		})
	}
}

// Files that are skipped are told once each, also if the caller wants no archive in the archive.
func TestUnwantedArchivesAreClosed(t *testing.T) {
	for name, data := range manyArchives(t) {
		t.Run(name, func(t *testing.T) {
			h := strings.NewReader(data)
			for m := range Members(name, h, int64(len(data)), Options{Wanted: func(string) bool { return false }}) {
				if m.Err == nil && (strings.Contains(name, ".tar") || strings.Count(m.Name, Separator) > 1) {
					t.Errorf("%s is not wanted", m.Name)
				}
				m.Close()
			}
		})
	}
}

// Data up to inMemory bytes are in memory, others in a file.
func TestDataOf(t *testing.T) {
	for _, n := range []int{0, 1, inMemory, inMemory + 1, 2 * inMemory} {
		want := strings.Repeat("0123456789abcde\n", n/16+1)[:n]
		d, err := dataOf(strings.NewReader(want))
		if err != nil {
			t.Fatal(err)
		}
		if (d.File != nil) != (n > inMemory) || d.Size() != int64(n) {
			t.Errorf("%d bytes: file %v, size %d", n, d.File != nil, d.Size())
		}
		if got, err := io.ReadAll(io.NewSectionReader(d, 0, d.Size())); err != nil || string(got) != want {
			t.Errorf("%d bytes: other bytes, %v", n, err)
		}
		if d.File != nil {
			if start := make([]byte, 5); !readsStart(d.File, start) || string(start) != want[:5] {
				t.Errorf("the file is not at its start: %q", start)
			}
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, start := range []string{"", strings.Repeat("x", inMemory+1)} {
		r := io.MultiReader(strings.NewReader(start), iotest.ErrReader(fs.ErrPermission))
		if d, err := dataOf(r); d != nil || !errors.Is(err, fs.ErrPermission) {
			t.Errorf("after %d bytes, %v, %v; want only the error", len(start), d, err)
		}
	}
	t.Setenv("TMPDIR", "gone")
	t.Setenv("TMP", "gone")
	if d, err := dataOf(strings.NewReader(strings.Repeat("x", inMemory+1))); d != nil || err == nil {
		t.Errorf("without a folder for temporary files: %v, %v", d, err)
	}
}

func readsStart(r io.Reader, p []byte) bool {
	_, err := io.ReadFull(r, p)
	return err == nil
}

// latePanic panics when it reads beyond a position.
type latePanic struct {
	*strings.Reader
	at int64
}

func (p *latePanic) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) > p.at && at > startSize {
		panic("late")
	}
	return p.Reader.ReadAt(b, at)
}

// A panic after the first member is an error of the archive, too.
func TestPanicAfterAMember(t *testing.T) {
	data := tarOf(t, file{"a.pdf", pdf("a")}, file{"b.pdf", pdf(random(3 << 20))})
	f := &latePanic{strings.NewReader(data), 2 << 20}
	var got []string
	for m := range Members("x", f, int64(len(data)), Options{}) {
		_, panicked := errors.AsType[*report.PanicError](m.Load())
		got = append(got, fmt.Sprint(m.Name, " ", panicked))
		m.Close()
	}
	if want := []string{"x!a.pdf false", "x!b.pdf true", "x true"}; !slices.Equal(got, want) {
		t.Errorf("members %q, want %q", got, want)
	}
}

// An archive that is stored in a zip file is read in place: it needs no room for temporary files.
func TestStoredArchiveIsReadInPlace(t *testing.T) {
	t.Setenv("TMPDIR", "gone")
	t.Setenv("TMP", "gone")
	in := storedZip(t, file{"large", random(inMemory)}, file{"a.pdf", pdf("a")})
	if got, want := contents(t, "x", storedZip(t, file{"in.zip", in})),
		[]string{"x!in.zip!a.pdf=a"}; !slices.Equal(got, want) {
		t.Errorf("members %q, want %q", got, want)
	}
}
