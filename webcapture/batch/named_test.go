package batch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// zipped returns a zip file of files, in the order of names and data.
func zipped(t *testing.T, namesAndData ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(namesAndData); i += 2 {
		w, err := z.Create(namesAndData[i])
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(namesAndData[i+1]))
	}
	z.Close()
	return b.Bytes()
}

// tarred returns a tar file of n files of size bytes each, named from 0.pdf on.
func tarred(t *testing.T, n, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := range n {
		data := make([]byte, size)
		copy(data, fmt.Sprintf("%%PDF-1.4 %d", i))
		if err := w.WriteHeader(&tar.Header{Name: fmt.Sprintf("%d.pdf", i), Mode: 0o644,
			Size: int64(size)}); err != nil {
			t.Fatal(err)
		}
		w.Write(data)
	}
	w.Close()
	return b.Bytes()
}

// starts returns the name of each input with the beginning of its data, or why it has none.
func starts(t *testing.T, paths []string) (list []string) {
	t.Helper()
	for in := range Inputs(slices.Values(paths), PathOptions{}) {
		in.load()
		text := ""
		switch {
		case in.Err != nil:
			text = (&report.Record{Err: in.Err}).Reason()
		default:
			data := in.member.Data
			start := make([]byte, min(data.Size(), 20))
			data.ReadAt(start, 0)
			text = strings.TrimPrefix(strings.TrimRight(string(start), "\x00"), "%PDF-1.4 ")
		}
		list = append(list, filepath.Base(in.Name)+" "+text)
		in.Close()
	}
	return list
}

// A member that is named is found by its Name. Consecutive members of an archive come in its
// order, before those that it does not have.
func TestNamedMembers(t *testing.T) {
	inner := zipped(t, "b.pdf", "%PDF-1.4 1", "a!b.pdf", "%PDF-1.4 2")
	dir := write(t, map[string][]byte{
		"x.zip": zipped(t, "in.zip", string(inner), "other.zip", "PK\x03\x04 damaged", "c.pdf", "%PDF-1.4 3",
			"in.zip!b.pdf", "%PDF-1.4 4", "wow!.pdf", "%PDF-1.4 5", "in.7z", "7z\xbc\xaf\x27\x1c"),
		"y!.zip": zipped(t, "c.pdf", "%PDF-1.4 6"), "text": []byte("text"), "cut.zip": []byte("PK\x03\x04 damaged"),
	})
	const none = "no such PDF file in the archive"
	var paths, want []string
	for _, tt := range [][2]string{
		{"x.zip!in.zip!b.pdf", "x.zip!in.zip!b.pdf 1"},
		{"x.zip!c.pdf", "x.zip!c.pdf 3"},
		{"x.zip!c.pdf", "x.zip!c.pdf 3"},
		{"x.zip!in.zip%21b.pdf", "x.zip!in.zip%21b.pdf 4"},
		{"x.zip!wow%21.pdf", "x.zip!wow%21.pdf 5"},
		{"y!.zip!c.pdf", "y!.zip!c.pdf 6"},
		{"x.zip!in.zip!a%21b.pdf", "x.zip!in.zip!a%21b.pdf 2"},
		{"x.zip!in.7z", "x.zip!in.7z not an archive that webcap can read; unpack it, or make it a zip or tar file"},
		{"x.zip!d.pdf", "x.zip!d.pdf " + none},
		{"x.zip!in.zip", "x.zip!in.zip " + none},
		{"x.zip!in.7z!a.pdf", "x.zip!in.7z!a.pdf not an archive that webcap can read; unpack it, or make it a " +
			"zip or tar file"},
		{"x.zip!other.zip!a.pdf", "x.zip!other.zip!a.pdf the zip file is cut off or damaged: its directory is missing or wrong"},
		{"cut.zip!a.pdf", "cut.zip!a.pdf the zip file is cut off or damaged: its directory is missing or wrong"},
		{"text!a.pdf", "text!a.pdf " + "not an archive that webcap can read; unpack it, or make it a zip or tar file"},
	} {
		t.Run(tt[0], func(t *testing.T) {
			paths, want = append(paths, filepath.Join(dir, tt[0])), append(want, tt[1])
		})
	}
	if got := starts(t, paths); !slices.Equal(got, want) {
		t.Errorf("inputs\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for i, p := range paths { // and each alone
		if got := starts(t, []string{p}); !slices.Equal(got, want[i:i+1]) {
			t.Errorf("%s: %q, want %q", p, got, want[i])
		}
	}
}

// A list of members in any order gives those that the archive has in its order, and then errors for the others.
func TestNamedMembersInTheOrderOfTheArchive(t *testing.T) {
	const n = 20
	dir := write(t, map[string][]byte{"x.tar": tarred(t, n, 1000)})
	var paths, want, missing []string
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(n + 5) {
		name := fmt.Sprintf("x.tar!%d.pdf", i)
		if paths = append(paths, filepath.Join(dir, name)); i >= n {
			missing = append(missing, name+" no such PDF file in the archive")
		}
	}
	for i := range n {
		want = append(want, fmt.Sprintf("x.tar!%d.pdf %d", i, i))
	}
	if got := starts(t, paths); !slices.Equal(got, append(want, missing...)) {
		t.Errorf("inputs\n%q\nwant\n%q", got, append(want, missing...))
	}
}

// An archive is read once for all its members that are named, one after the other.
func TestNamedMembersAreReadOnce(t *testing.T) {
	for name, data := range map[string][]byte{"x.tar": tarred(t, 20, 100),
		"x.zip": zipped(t, "0.pdf", "%PDF-1.4 0", "1.pdf", "%PDF-1.4 1", "2.pdf", "%PDF-1.4 2")} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, map[string][]byte{name: data})
			path := filepath.Join(dir, name)
			n := 0
			for in := range Inputs(slices.Values([]string{path + "!2.pdf", path + "!0.pdf", path + "!1.pdf"}), PathOptions{}) {
				if n++; n == 1 && runtime.GOOS != "windows" { // where no open file can be removed
					if err := os.Remove(path); err != nil { // it can only be what is open already
						t.Fatal(err)
					}
				}
				if in.Err != nil {
					t.Errorf("%s: %v", in.Name, in.Err)
				}
				in.Close()
			}
			if n != 3 {
				t.Errorf("%s: %d inputs, want 3", name, n)
			}
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) { // on Windows if it is open
				t.Errorf("after the last member: %v", err)
			}
		})
	}
}

// Whoever stops early leaves nothing open.
func TestNamedMembersStopEarly(t *testing.T) {
	dir := write(t, map[string][]byte{"x.tar": tarred(t, 20, 2<<20)})
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	for in := range Inputs(slices.Values([]string{filepath.Join(dir, "x.tar!5.pdf"), filepath.Join(dir, "x.tar!3.pdf"),
		filepath.Join(dir, "x.tar!4.pdf")}), PathOptions{}) {
		in.Close()
		break
	}
	checkNothingHeld(t, dir)
}

// A name that is both that of a file and of a member of an archive next to it means the file; both are audited, and
// the record of the member names its archive.
func TestFileNamedLikeAMember(t *testing.T) {
	dir := write(t, map[string][]byte{"a": zipped(t, "b.pdf", "%PDF-1.4 member"), "a!b.pdf": []byte("%PDF-1.4 file")})
	name := filepath.Join(dir, "a!b.pdf")
	for in := range Inputs(slices.Values([]string{name}), PathOptions{}) {
		if in.member != nil || in.path != name {
			t.Error("the name means the member, want the file")
		}
		in.Close()
	}
	var got []string
	for rec := range Run(t.Context(), Inputs(slices.Values([]string{dir}), PathOptions{}), Options{}) {
		got = append(got, rec.Path+" "+rec.Archive)
	}
	if want := []string{name + " " + filepath.Join(dir, "a"), name + " "}; !slices.Equal(got, want) {
		t.Errorf("records of %q, want %q", got, want)
	}
}

func TestURLsAreNotInputs(t *testing.T) {
	const want = "URLs cannot be inputs; download the file, or mount the bucket, and name the file"
	for _, url := range []string{"http://a.example/x.pdf", "HTTPS://a.example/*.pdf?x[1]", "ftp://a.example/",
		"s3://bucket/a.zip!1.pdf", "gs://bucket/folder/", "file:///C|/a.pdf"} {
		t.Run(url, func(t *testing.T) {
			inputs := slices.Collect(Inputs(slices.Values([]string{url}), PathOptions{}))
			if len(inputs) != 1 {
				t.Fatalf("%d inputs, want 1", len(inputs))
			}
			if in := inputs[0]; in.Name != url || in.Err == nil || in.Err.Error() != want {
				t.Errorf("%q, %v", in.Name, in.Err)
			}
		})
	}
}
