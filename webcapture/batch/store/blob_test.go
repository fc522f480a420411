//go:build cloud

package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/batch/store"
	"github.com/webcap-tools/webcap/webcapture/command"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// samples are PDF files, whole and damaged, small and large, by their names.
func samples(t *testing.T) map[string][]byte {
	t.Helper()
	site := webcapturetest.Site([]webcapturetest.Resource{{URL: "http://h/", MediaType: "text/html",
		Body: []byte("<p>x")}}, webcapturetest.SiteOptions{})
	sets := webcapturetest.Sets(200, webcapturetest.Options{Leaf: 3, Images: 2})
	large := webcapturetest.Sets(200, webcapturetest.Options{Leaf: 3, Images: 2})
	large.AddStream("", make([]byte, 2<<20))
	all := map[string][]byte{"not.pdf": []byte("not a PDF")}
	for name, d := range map[string]*webcapturetest.Document{"site": site, "sets": sets, "large": large} {
		for layout, l := range map[string]webcapturetest.Layout{
			"table":  {},
			"stream": {XRef: webcapturetest.Stream, ObjectStreams: 50},
		} {
			data := d.Bytes(l)
			name := name + " " + layout
			all[name+".pdf"] = data
			all["below/"+name+" cut.pdf"] = data[:len(data)*2/3]
			all["below/"+name+" broken#1?.pdf"] = bytes.Replace(data, []byte("startxref"), []byte("startxxxx"), 1)
			zeroed := bytes.Clone(data)
			clear(zeroed[len(data)*3/4 : len(data)*4/5])
			all["below/"+name+" 100% zeroed.pdf"] = zeroed
		}
	}
	paths := webcapturetest.Corpus("real", "negative")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all["corpus/"+filepath.Base(path)] = data
	}
	return all
}

// put stores files as objects of the file driver and of the mem driver. It returns the folder of the file driver, and
// the prefix of the names for each driver.
func put(t *testing.T, files map[string][]byte) (folder, file, mem string) {
	t.Helper()
	folder, mem = t.TempDir(), "mem://"+strings.ReplaceAll(t.Name(), "/", "-")+"/"
	b, err := store.Bucket(t.Context(), strings.TrimSuffix(mem, "/"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		at := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o777), os.WriteFile(at, data, 0o666),
			b.WriteAll(t.Context(), name, data, nil)); err != nil {
			t.Fatal(err)
		}
	}
	return folder + "/", "file://" + filepath.ToSlash(folder) + "/", mem
}

func run(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = command.Run(append([]string{"webcap"}, args...), strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

var unescape = strings.NewReplacer("%20", " ", "%23", "#", "%3F", "?", "%25", "%")

// TestSameAsFiles: commands print the same for objects as for files, by name and by prefix.
func TestSameAsFiles(t *testing.T) {
	files := samples(t)
	folder, file, mem := put(t, files)
	args := []string{"audit", "--no-config", "--format", "json"}
	code, want, stderr := run(append(args, folder)...)
	if n := strings.Count(want, `"path":`); n < len(files) {
		t.Fatalf("%d of %d files: exit %d: %s", n, len(files), code, stderr)
	}
	for _, at := range []string{file, mem} {
		gotCode, got, gotErr := run(append(args, at)...)
		same(t, at, strings.ReplaceAll(unescape.Replace(got), at, folder), want)
		same(t, at, strings.ReplaceAll(unescape.Replace(gotErr), at, folder), stderr)
		if gotCode != code {
			t.Errorf("%s: exit %d, want %d", at, gotCode, code)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, args := range [][]string{{"audit", "--no-config"}, {"list"}, {"name", "find"}, {"rewrite"},
			{"digest"}} {
			if strings.HasPrefix(name, "corpus/") && args[0] != "list" {
				continue // to be quick
			}
			code, want, stderr := run(append(args, folder+name)...)
			object := mem + strings.NewReplacer("%", "%25", " ", "%20", "#", "%23", "?", "%3F").Replace(name)
			gotCode, got, gotErr := run(append(args, object)...)
			same(t, object, strings.ReplaceAll(got, object, folder+name), want)
			same(t, object, strings.ReplaceAll(gotErr, object, folder+name), stderr)
			if gotCode != code {
				t.Errorf("%s: exit %d, want %d", object, gotCode, code)
			}
		}
	}
}

// next matches the suggested command in a table. It differs, because it quotes a file name with spaces for a shell, and
// the name of an object has none.
var next = regexp.MustCompile(`webcap rewrite .*`)

func same(t *testing.T, how, got, want string) {
	t.Helper()
	g, w := strings.Split(next.ReplaceAllString(got, ""), "\n"), strings.Split(next.ReplaceAllString(want, ""), "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Errorf("%s: line %d is %.400q, want %.400q", how, i+1, g[min(i, len(g)-1)], w[min(i, len(w)-1)])
			return
		}
	}
}

// counted counts the bytes that are fetched while do runs.
func counted(do func()) int64 {
	var n atomic.Int64
	defer store.Watch(func(_ context.Context, bytes int) error { n.Add(int64(bytes)); return nil })()
	do()
	return n.Load()
}

// TestDigests: objects have a digest as files have, and are fetched once.
func TestDigests(t *testing.T) {
	all := samples(t)
	data := all["large table.pdf"]
	_, _, mem := put(t, map[string][]byte{"large.pdf": data, "not.pdf": all["not.pdf"]})
	for _, tt := range []struct {
		name string
		args []string
		sums int
	}{
		{"large.pdf", nil, 1},
		{"large.pdf", []string{"--dedupe"}, 1},
		{"not.pdf", nil, 1},
	} {
		t.Run(fmt.Sprint(tt.name, tt.args), func(t *testing.T) {
			n := counted(func() {
				_, out, _ := run(slices.Concat([]string{"audit", "--no-config", "--format", "json"}, tt.args,
					[]string{mem + tt.name})...)
				if got := strings.Count(out, `"sha256":`); got != tt.sums {
					t.Errorf("%d digests, want %d", got, tt.sums)
				}
			})
			if most := int64(len(all[strings.Replace(tt.name, "large", "large table", 1)])) + 8<<10; n > most {
				t.Errorf("%d bytes were fetched, want at most %d", n, most)
			}
		})
	}
}

// TestArchives: what is in an archive in a store is found there, and by its name.
func TestArchives(t *testing.T) {
	data, err := os.ReadFile("../../../testdata/site.pdf")
	if err != nil {
		t.Fatal(err)
	}
	_, file, mem := put(t, map[string][]byte{"a/b.zip": zipOf(t, "in/x.pdf", data), "a/plain.txt": []byte("text")})
	for _, at := range []string{file, mem} {
		for _, name := range []string{"a/b.zip", "a/b.zip!in/x.pdf", "a/", ""} {
			code, out, stderr := run("audit", "--no-config", at+name)
			if code != 0 || !strings.HasPrefix(out, at+"a/b.zip!in/x.pdf: 6 URLS") {
				t.Errorf("%s: exit %d: %s%s", at+name, code, out, stderr)
			}
		}
		for name, says := range map[string]string{
			"a/b.zip!in/y.pdf": "no such PDF file in the archive",
			"a/c.zip!in/x.pdf": "no such object",
			"a/c.pdf":          "no such object",
			"c/":               "no PDF file",
		} {
			if code, _, stderr := run("audit", "--no-config", at+name); code < 3 || !strings.Contains(stderr, says) ||
				strings.Count(stderr, "\n") != 1 {
				t.Errorf("%s: exit %d: %s", at+name, code, stderr)
			}
		}
	}
}

// TestEachRequestFails: whichever request of an audit fails, the code is 3 and the line says why.
func TestEachRequestFails(t *testing.T) {
	_, file, _ := put(t, map[string][]byte{"a/large.pdf": samples(t)["large table.pdf"]})
	for _, name := range []string{file + "a/large.pdf", file + "a/"} {
		for _, args := range [][]string{{"audit", "--no-config", "-j", "1"}, {"audit", "--no-config", "--dedupe"},
			{"list"}, {"rewrite"}} {
			if name == file+"a/" && args[0] != "audit" {
				continue
			}
			for n := int64(1); ; n++ {
				var calls atomic.Int64
				stop := store.Watch(func(context.Context, int) error {
					if calls.Add(1) == n {
						return errors.New("the wire is cut")
					}
					return nil
				})
				code, out, stderr := run(append(args, name)...)
				stop()
				if calls.Load() < n {
					if n < 5 || code == 3 {
						t.Errorf("%q %s: exit %d after %d calls: %s", args, name, code, n, stderr)
					}
					break
				}
				if code != 3 || !strings.Contains(stderr, "the wire is cut") || strings.Count(stderr, "\n") != 1 {
					t.Errorf("%q %s: call %d failed: exit %d: %s%s", args, name, n, code, stderr, out)
				}
			}
		}
	}
}

// one returns the object of a name.
func one(t *testing.T, name string) store.Object {
	t.Helper()
	for o, err := range store.Find(t.Context(), name) {
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	t.Fatal("nothing")
	return nil
}

// TestContextEndsRequests: a request that nothing answers ends with the context of the file.
func TestContextEndsRequests(t *testing.T) {
	_, _, mem := put(t, map[string][]byte{"large.pdf": samples(t)["large table.pdf"]})
	o := one(t, mem+"large.pdf")
	errEnd := errors.New("no more time")
	for n := int64(1); ; n++ {
		ctx, cancel := context.WithCancelCause(t.Context())
		var calls atomic.Int64
		stop := store.Watch(func(request context.Context, _ int) error {
			if calls.Add(1) == n {
				cancel(errEnd)
				<-request.Done()
				return request.Err()
			}
			return nil
		})
		f, err := store.Download(ctx, o)
		if err == nil {
			f.Close()
		}
		stop()
		if calls.Load() < n {
			break
		}
		if err != errEnd {
			t.Errorf("at call %d: %v", n, err)
		}
	}
}

// TestTimeout: an audit of an object ends at its time limit if the store does not answer.
func TestTimeout(t *testing.T) {
	_, _, mem := put(t, map[string][]byte{"large.pdf": samples(t)["large table.pdf"]})
	o := mem + "large.pdf"
	one(t, o) // opens the bucket
	synctest.Test(t, func(t *testing.T) {
		var inputs []*batch.Input
		for in := range batch.Inputs(slices.Values([]string{o}), batch.PathOptions{}) {
			inputs = append(inputs, in)
		}
		defer store.Watch(func(ctx context.Context, _ int) error { <-ctx.Done(); return ctx.Err() })()
		for rec := range batch.Run(t.Context(), slices.Values(inputs), batch.Options{Timeout: time.Second}) {
			if rec.Err == nil || rec.Err.Error() != "time limit of 1s exceeded; see --timeout" {
				t.Errorf("%v", rec.Err)
			}
		}
	})
}

// TestSilentStore: a store that says nothing is given up.
func TestSilentStore(t *testing.T) {
	_, _, mem := put(t, map[string][]byte{"x.pdf": []byte("x")})
	o := one(t, mem+"x.pdf")
	const want = "the store sent no data for 1m0s"
	synctest.Test(t, func(t *testing.T) {
		silent := 1
		defer store.Watch(func(ctx context.Context, _ int) error {
			if silent--; silent < 0 {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		})()
		r, err := o.Range(t.Context(), 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(r); err == nil || err.Error() != want {
			t.Errorf("while it is read: %v", err)
		}
		r.Close()
		if _, err := o.Range(t.Context(), 0, 1); err == nil || err.Error() != want {
			t.Errorf("when it is asked for: %v", err)
		}
	})
}

// TestChanged: an object that was replaced by one of another size before it is fetched is an error.
func TestChanged(t *testing.T) {
	data := samples(t)["large table.pdf"]
	_, _, mem := put(t, map[string][]byte{"x.pdf": data})
	o := one(t, mem+"x.pdf")
	b, err := store.Bucket(t.Context(), strings.TrimSuffix(mem, "/"))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.WriteAll(t.Context(), "x.pdf", data[1:], nil); err != nil {
		t.Fatal(err)
	}
	f, err := store.Download(t.Context(), o)
	if err == nil {
		f.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "the file changed while it was read") {
		t.Errorf("%v", err)
	}
}
