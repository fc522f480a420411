package command

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/digest/source"
)

// warcFile writes a WARC file with records and returns its path. A record is its type, its URL, the rest of its header
// with CRLF after each field, and its block.
func warcFile(t *testing.T, records ...[4]string) string {
	t.Helper()
	var b bytes.Buffer
	for _, r := range records {
		fmt.Fprintf(&b, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"+
			"%sContent-Length: %d\r\n\r\n%s\r\n\r\n", r[0], r[1], r[2], len(r[3]), r[3])
	}
	path := filepath.Join(t.TempDir(), "a.warc")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// An interrupt ends the search for captures of URLs.
func TestDigestOfURLsIsInterrupted(t *testing.T) {
	warc := warcFile(t, [4]string{"resource", "http://h/a", "Content-Type: image/gif\r\n", "gif"})
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errInterrupted)
	var out bytes.Buffer
	p := &program{stdout: bufio.NewWriter(&out), stderr: io.Discard}
	err := p.run(ctx, []string{"webcap", "digest", "--source", warc, "http://h/a"})
	if p.stdout.Flush(); err != errInterrupted || out.Len() > 0 {
		t.Errorf("%v, output %q", err, out.String())
	}
}

// A capture with a content coding has one identifier, that of the decoded data.
func TestDigestOfACodedCapture(t *testing.T) {
	var coded bytes.Buffer
	z := gzip.NewWriter(&coded)
	z.Write([]byte("gif"))
	z.Close()
	warc := warcFile(t, [4]string{"response", "http://h/a", "Content-Type: application/http\r\n",
		"HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\nContent-Encoding: gzip\r\n\r\n" + coded.String()})
	id, err := digest.Image(strings.NewReader("gif"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	code, stderr := run(nil, &out, "digest", "--source", warc, "http://h/a")
	if want := id.String() + "  http://h/a\n"; code != exitClean || out.String() != want {
		t.Errorf("exit %d, it says %q, output %q, want %q", code, stderr, out.String(), want)
	}
}

// A capture of a page that is too large to be searched is reported, and has no identifier.
func TestDigestOfALargePage(t *testing.T) {
	large := page.File{Where: "w", MediaType: "text/html", Readable: true}
	large.Sums.Size[source.Decoded] = page.MaxSource + 1
	var out bytes.Buffer
	p := &program{stdout: bufio.NewWriter(&out), stderr: new(strings.Builder)}
	d := &digester{p: p, search: page.FromSource(source.Join())}
	err := d.add("http://h/", &large)
	p.stdout.Flush()
	if err != nil || !p.partial || out.Len() > 0 ||
		!strings.HasPrefix(said(p), "webcap: http://h/: w: the body has more than") {
		t.Errorf("%v, it says %q, output %q", err, said(p), out.String())
	}
}

// Of many errors of a source, the first twenty are printed, and the others counted.
func TestDigestSourceErrorsAreCounted(t *testing.T) {
	for _, tt := range []struct {
		n, shown int
		more     string
	}{{1, 1, ""}, {20, 20, ""}, {21, 20, "webcap: … and 1 more error\n"}, {25, 20, "webcap: … and 5 more errors\n"}} {
		var records [][4]string
		args := []string{"digest", "--source", ""}
		for i := range tt.n {
			url := fmt.Sprint("http://h/", i)
			records = append(records, [4]string{"revisit", url, "WARC-Payload-Digest: sha1:GONE\r\n", ""})
			args = append(args, url)
		}
		args[2] = warcFile(t, records...)
		code, stderr := run(nil, io.Discard, args...)
		errs := stderr[strings.LastIndex(stderr, "no source has a readable capture of the URL\n"):]
		if code != exitFailed || strings.Count(errs, ": a revisit of a record that") != tt.shown ||
			!strings.HasSuffix(errs, tt.more) ||
			strings.Contains(errs, "more error") != (tt.more != "") {
			t.Errorf("%d errors: exit %d, it says\n%s", tt.n, code, errs)
		}
	}
}

// A source whose data exceed its budget is partial, and the limit is reported once.
func TestDigestOfASourceOverBudget(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 400 {
		z.Write(make([]byte, 1<<20))
	}
	z.Close()
	path := warcFile(t, [4]string{"response", "http://h/a", "Content-Type: application/http\r\n",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + bomb.String()})
	code, stderr := run(nil, io.Discard, "digest", "--source", path, "http://h/a")
	if code != exitFailed || strings.Count(stderr, (meter.Over{}).Error()) != 1 {
		t.Errorf("exit %d, it says %q", code, stderr)
	}
}

// A page with more references than are followed is reported, and the exit code says that the result is partial.
func TestDigestOfACappedPage(t *testing.T) {
	for n, capped := range map[int]bool{1: false, 70_000: true} {
		var html strings.Builder
		for i := range n {
			fmt.Fprintf(&html, "<img src=%d>", i)
		}
		warc := warcFile(t, [4]string{"resource", "http://h/", "Content-Type: text/html\r\n", html.String()})
		code, stderr := run(nil, io.Discard, "digest", "--source", warc, "http://h/")
		want := "webcap: http://h/: " + page.ErrCapped.Error() + "\n"
		if strings.Contains(stderr, want) != capped || (code == exitFailed) != capped {
			t.Errorf("%d references: exit %d, it says %q", n, code, stderr)
		}
	}
}

// No bytes of a URL that could move the cursor reach a terminal.
func TestDigestOnTerminal(t *testing.T) {
	const url = "http://h/a\x1b[31m"
	warc := warcFile(t, [4]string{"resource", url, "Content-Type: image/gif\r\n", "gif"})
	var out bytes.Buffer
	p := &program{stderr: io.Discard, stdout: bufio.NewWriter(&out), width: 80}
	if err := p.run(t.Context(), []string{"webcap", "digest", "--source", warc, url}); err != nil {
		t.Fatal(err)
	}
	p.stdout.Flush()
	if !strings.HasSuffix(out.String(), "  http://h/a\\x1b[31m\n") {
		t.Errorf("output %q", out.String())
	}
}
