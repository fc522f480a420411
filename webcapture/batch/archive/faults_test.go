package archive

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// failingFile is a file in memory of which one read fails, or all from there on.
type failingFile struct {
	memoryFile
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
	both := pdf("both") + inner
	warc := capture()
	return map[string]string{
		"x.zip": zipOf(t, files...), "stored.zip": storedZip(t, files...), "x.tar": tarOf(t, files...),
		"x.tar.gz": gz(tarOf(t, files...)), "x.tar.zst": zst(tarOf(t, files...)), "x.tar.xz": xzOf(t, tarOf(t, files...)),
		"x.warc": warc, "x.warc.gz": gz(warc), "x.pdf.gz": gz(pdf("a")), "x.pdf.xz": xzOf(t, pdf("a")),
		"x.wacz":  storedZip(t, file{"archive/a.warc.gz", gz(warc)}, file{"pages/p.jsonl", "{}"}),
		"in.zip":  zipOf(t, file{"in.tar.gz", gz(tarOf(t, file{"in.zip", zipOf(t, files...)}))}, files[0]),
		"raw.zip": storedZip(t, file{"in.zip", storedZip(t, files...)}, file{"both", both}, files[0]),
		"in.tar":  tarOf(t, file{"in.zip", inner}, file{"both", both}, files[0], file{"7.7z", "7z\xbc\xaf\x27\x1c\x00\x04"}),
		"in.warc": reply("http://h/z", "", inner) + reply("http://h/both", "", both),
		"large.zip": zipOf(t, file{"large.pdf", large}, file{"in.tar", tarOf(t, file{"large.pdf", large})}, files[0],
			file{"too.pdf", pdf(strings.Repeat(" ", 1000))}),
		"large.tar.gz": gz(tarOf(t, file{"large.pdf", large}, files[0])), "both.pdf": both,
		"two.tar": tarOf(t, files...) + tarOf(t, files...), "two.zip": storedZip(t, files[0]) + storedZip(t, files[2]),
		"a.7z": "7z\xbc\xaf\x27\x1c\x00\x04", "program.zip": "MZ" + strings.Repeat("x", 5000) + zipOf(t, files...),
	}
}

// membersOf returns the members of a file with their data, and their errors. It closes each immediately.
func membersOf(t *testing.T, name string, f File, size int64) (list []string, errs []error) {
	t.Helper()
	for m := range Members(name, f, size) {
		d, err := m.Data()
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

// If the disk fails, an error says so, unless all members were read before. If one read fails, no member gets other data.
func TestFailingDisk(t *testing.T) {
	for name, data := range manyArchives(t) {
		t.Run(name, func(t *testing.T) {
			whole := &failingFile{memoryFile: memoryFile{Reader: strings.NewReader(data)}, fail: -1}
			want, _ := membersOf(t, name, whole, int64(len(data)))
			for fail := range min(whole.reads, 60) {
				for _, rest := range []bool{false, true} {
					f := &failingFile{memoryFile: memoryFile{Reader: strings.NewReader(data)}, fail: fail, rest: rest}
					got, errs := membersOf(t, name, f, int64(len(data)))
					for _, d := range dataOnly(got) {
						if !slices.Contains(dataOnly(want), d) {
							t.Errorf("read %d fails: a member has the data %.100q", fail, d)
						}
					}
					// The audit of a PDF that is also an archive reports the error.
					told := slices.ContainsFunc(errs, func(err error) bool { return errors.Is(err, errRead) })
					if rest && !told && name != "both.pdf" || len(errs) == 0 && len(got) < len(want) && name != "both.pdf" {
						t.Errorf("read %d fails: %d of %d members, errors %v", fail, len(got), len(want), errs)
					}
					if f.closed != 1 {
						t.Errorf("read %d fails: closed %d times", fail, f.closed)
					}
				}
			}
		})
	}
}

// The caller may stop at any member. The archive is closed then, and no temporary file is open.
func TestStopAtAnyMember(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	for name, data := range manyArchives(t) {
		t.Run(name, func(t *testing.T) {
			for n, more := 1, true; more; n++ {
				more = false
				h, i := &memoryFile{Reader: strings.NewReader(data)}, 0
				for m := range Members(name, h, int64(len(data))) {
					m.Close()
					if i++; i == n {
						more = true
						break
					}
				}
				if h.closed != 1 {
					t.Errorf("after %d members, the archive was closed %d times", n, h.closed)
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
			h := &memoryFile{Reader: strings.NewReader(data)}
			for m := range Select(name, h, int64(len(data)), Options{Wanted: func(string) bool { return false }}) {
				if m.Err == nil && strings.Contains(name, ".tar") {
					t.Errorf("%s is not wanted", m.Name)
				}
				m.Close()
			}
			if h.closed != 1 {
				t.Errorf("closed %d times", h.closed)
			}
		})
	}
}

// Data that were closed twice do not share memory with others.
func TestDataClosedTwice(t *testing.T) {
	d, err := dataOf(strings.NewReader("text"), -1)
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
	d.Close()
	a, _ := dataOf(strings.NewReader("aaaa"), 4)
	b, _ := dataOf(strings.NewReader("bbbb"), 4)
	if string(a.Bytes)+string(b.Bytes) != "aaaabbbb" {
		t.Errorf("data %q and %q", a.Bytes, b.Bytes)
	}
}

// Data up to inMemory bytes are in memory, others in a file, whatever the archive says about the size.
func TestDataOf(t *testing.T) {
	for _, n := range []int{0, 1, inMemory, inMemory + 1, 2 * inMemory} {
		for _, size := range []int64{-1, 0, int64(n), 3 * inMemory} {
			want := strings.Repeat("0123456789abcde\n", n/16+1)[:n]
			d, err := dataOf(strings.NewReader(want), size)
			if err != nil {
				t.Fatal(err)
			}
			if (d.File != nil) != (n > inMemory) || (d.Bytes == nil) != (n > inMemory) || d.Size() != int64(n) {
				t.Errorf("%d bytes, said to be %d: file %v, size %d", n, size, d.File != nil, d.Size())
			}
			if got, err := io.ReadAll(io.NewSectionReader(d, 0, d.Size())); err != nil || string(got) != want {
				t.Errorf("%d bytes, said to be %d: other bytes, %v", n, size, err)
			}
			if d.File != nil {
				if start := make([]byte, 5); !readsStart(d.File, start) || string(start) != want[:5] {
					t.Errorf("the file is not at its start: %q", start)
				}
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
			if err := d.Close(); (err != nil) != (n > inMemory) {
				t.Errorf("closed twice: %v", err)
			}
		}
	}
	for _, start := range []string{"", strings.Repeat("x", inMemory+1)} {
		r := io.MultiReader(strings.NewReader(start), failedReader{fs.ErrPermission})
		if d, err := dataOf(r, -1); d != nil || !errors.Is(err, fs.ErrPermission) {
			t.Errorf("after %d bytes, %v, %v; want only the error", len(start), d, err)
		}
	}
}

func readsStart(r io.Reader, p []byte) bool {
	_, err := io.ReadFull(r, p)
	return err == nil
}

// Held is the memory of a member: none before it is read, and a part of it if it is in a file.
func TestHeld(t *testing.T) {
	for name, want := range map[string]int64{"small.pdf": int64(len(pdf("s"))), "large.pdf": inMemory} {
		t.Run(name, func(t *testing.T) {
			text := pdf("s")
			if name == "large.pdf" {
				text = pdf(random(2 * inMemory))
			}
			data := storedZip(t, file{name, text})
			for m := range Members("x", &memoryFile{Reader: strings.NewReader(data)}, int64(len(data))) {
				if m.Held() != 0 {
					t.Errorf("before Data, %d bytes", m.Held())
				}
				if _, err := m.Data(); err != nil || m.Held() != want {
					t.Errorf("%d bytes, want %d; %v", m.Held(), want, err)
				}
				m.Close()
			}
		})
	}
}
