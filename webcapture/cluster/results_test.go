package cluster

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// TestMessageOfAResult: a result names its worker, its number of inputs, and its digest. A result in parts also names
// the parts. Their lines together are the lines of the result.
func TestMessageOfAResult(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	for most, parts := range map[int]int{30: 0, 29: 1, 10: 2, 9: 3} {
		chunk := fmt.Sprintf("000000002.%d", most)
		r := j.newResult(chunk, "w-1")
		r.most = most
		for range 3 {
			if err := r.add(t.Context(), []byte("123456789\n")); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		m, err := j.results.GetLastMsgForSubject(t.Context(), resultSubject("job", chunk))
		if err != nil {
			t.Fatal(err)
		}
		// the digest is that of sha256sum
		const sum = "0c6b6f620c7d5fe6d0ad5f28394f8500e55affe85f88bf2f69c5e7a2da610c54"
		want := map[string]string{byHeader: "w-1", inputsHeader: "3", sumHeader: sum, partsHeader: ""}
		var lines string
		if parts > 0 {
			prefix := partSubject("job", chunk, "w-1")
			want[partsHeader] = fmt.Sprintf("%s %d", prefix, parts)
			for i := range parts {
				part, err := j.results.GetLastMsgForSubject(t.Context(), fmt.Sprintf("%s.%d", prefix, i))
				if err != nil {
					t.Fatal(err)
				}
				if by := part.Header.Get(byHeader); by != "w-1" || len(part.Data) != most {
					t.Errorf("at most %d bytes: a part by %q with %d", most, by, len(part.Data))
				}
				lines += string(part.Data)
			}
		}
		lines += string(m.Data)
		if lines != strings.Repeat("123456789\n", 3) {
			t.Errorf("at most %d bytes: lines %q", most, lines)
		}
		for key, value := range want {
			if got := m.Header.Get(key); got != value {
				t.Errorf("at most %d bytes: %s is %q, want %q", most, key, got, value)
			}
		}
	}
}

// readAll reads to the end, or to an error, with a small buffer. Each Read must return bytes or an error.
func readAll(t *testing.T, r io.Reader) (string, error) {
	t.Helper()
	var text []byte
	for buf := make([]byte, 7); ; {
		n, err := r.Read(buf)
		text = append(text, buf[:n]...)
		if err != nil {
			return string(text), err
		}
		if n == 0 {
			t.Fatalf("after %q: neither bytes nor an error", text)
		}
	}
}

// TestResultReader: a reader reads the results of all chunks, with their parts, in the order of the chunks. A part that
// is lost or damaged is an error with the number of the chunk. The end stays, and so does an error.
func TestResultReader(t *testing.T) {
	texts := []string{"first\n", "a text in three parts\n", "last\n"} // of chunks 2, 3, and 4
	const again = "; purge the job, and submit it again"
	for name, row := range map[string]struct {
		part string // the second part of the second result afterwards; empty if it is lost
		want string
	}{
		"sound":   {" in th", "EOF"},
		"damaged": {" in t#", "the result of chunk 3 is damaged: its digest has changed" + again},
		"lost":    {"", "the servers have lost a part of the result of chunk 3" + again},
	} {
		t.Run(name, func(t *testing.T) {
			q, _ := remote(t)
			j := begun(t, q)
			submitted(t, q, "a", "b", "c")
			for i, text := range texts {
				finishWith(t, j, firstChunk+uint64(i), []byte(text), 6)
			}
			m, err := q.message(t.Context(), j.chunks, firstChunk+1)
			if err != nil {
				t.Fatal(err)
			}
			part := partSubject("job", chunkName(firstChunk+1, m.Data), "w") + ".1"
			if err := j.results.Purge(t.Context(), jetstream.WithPurgeSubject(part)); err != nil {
				t.Fatal(err)
			}
			if row.part != "" {
				if _, err := q.js.Publish(t.Context(), part, []byte(row.part)); err != nil {
					t.Fatal(err)
				}
			}
			r := &resultReader{ctx: t.Context(), job: j, next: firstChunk}
			got, err := readAll(t, r)
			if name == "sound" && got != strings.Join(texts, "") || !strings.HasPrefix(got, texts[0]) ||
				fmt.Sprint(err) != row.want {
				t.Errorf("read %q, %v, want %s", got, err, row.want)
			}
			if more, again := readAll(t, r); more != "" || fmt.Sprint(again) != row.want {
				t.Errorf("then read %q, %v", more, again)
			}
		})
	}
}

// TestReaderWaits: while a chunk has not been submitted, a reader looks for nothing else than this chunk.
func TestReaderWaits(t *testing.T) {
	q, l := remote(t)
	j := begun(t, q)
	r := &resultReader{ctx: t.Context(), job: j, next: firstChunk}
	before := l.count()
	if m, err := r.ask(); m != nil || err != nil || l.count() != before+2 {
		t.Errorf("no chunk: %v, %v, %d requests", m, err, l.count()-before)
	}
	submitted(t, q, "a")
	if m, err := r.ask(); m != nil || err != nil || r.next != firstChunk {
		t.Errorf("no result: %v, %v, next %d", m, err, r.next)
	}
	finish(t, j, firstChunk)
	if m, err := r.ask(); m == nil || err != nil || r.next != firstChunk+1 {
		t.Errorf("a result: %v, %v, next %d", m, err, r.next)
	}
	if m, err := r.ask(); m != nil || err != io.EOF {
		t.Errorf("the end: %v, %v", m, err)
	}
}

// TestResultsAreCutShort: the error of the server ends the records, not the error of a reader of NDJSON, and canceled
// jobs have their own error.
func TestResultsAreCutShort(t *testing.T) {
	q, l := remote(t)
	j := begun(t, q)
	submitted(t, q, "a", "b")
	finishAs(t, j, 2, "a", partSize)
	l.kind, l.at = refused, l.n+6 // the result of the second chunk
	if paths, err := recordsOf(t.Context(), q); !errors.Is(err, nats.ErrPermissionViolation) ||
		!strings.HasPrefix(err.Error(), l.what) || !slices.Equal(paths, []string{"a"}) {
		t.Errorf("%s was refused: %q, %v", l.what, paths, err)
	}
	if err := q.Cancel(t.Context(), "job"); err != nil {
		t.Fatal(err)
	}
	if paths, err := recordsOf(t.Context(), q); !errors.Is(err, ErrCancelled) || !slices.Equal(paths, []string{"a"}) {
		t.Errorf("canceled: %q, %v", paths, err)
	}
	finishAs(t, j, 3, "b", partSize)
	if paths, err := recordsOf(t.Context(), q); !errors.Is(err, ErrCancelled) || !slices.Equal(paths, []string{"a", "b"}) {
		t.Errorf("canceled with all results: %q, %v", paths, err)
	}
}

// TestCanceledBeforeTheEnd: a job that was canceled while inputs were submitted is not complete, even if each of its
// chunks has a result.
func TestCanceledBeforeTheEnd(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	adding(t, j, "a")
	finishAs(t, j, 2, "a", partSize)
	if err := q.Cancel(t.Context(), "job"); err != nil {
		t.Fatal(err)
	}
	if paths, err := recordsOf(t.Context(), q); !errors.Is(err, ErrCancelled) || !slices.Equal(paths, []string{"a"}) {
		t.Errorf("%q, %v", paths, err)
	}
}

// TestStates: the state of a job is that of its inputs and chunks.
func TestStates(t *testing.T) {
	for want, list := range map[string][]JobStatus{
		"being submitted": {{}, {Chunks: 2, Done: 2}, {Chunks: 2, Done: 1}},
		"waiting":         {{Submitted: true, Chunks: 2, Done: 1, Taken: 1}, {Submitted: true, Chunks: 1}},
		"done":            {{Submitted: true, Chunks: 2, Done: 2}, {Submitted: true}},
		"cancelled":       {{Cancelled: true}, {Cancelled: true, Submitted: true, Chunks: 2, Done: 2}},
	} {
		for _, s := range list {
			if got := s.State(); got != want {
				t.Errorf("%+v: %s, want %s", s, got, want)
			}
		}
	}
}

// TestRecordsStop: a reader of records may stop before the last one.
func TestRecordsStop(t *testing.T) {
	q, _ := remote(t)
	fullJob(t, q)
	_, records, err := q.Results(t.Context(), "job")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for rec, err := range records {
		if err != nil {
			t.Fatal(err)
		}
		if paths = append(paths, rec.Path); len(paths) == 2 {
			break
		}
	}
	if !slices.Equal(paths, []string{"a", "b"}) {
		t.Errorf("read %q", paths)
	}
}
