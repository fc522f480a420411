//go:build unix

package cluster_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

// forgeries are messages that no webcap publishes.
func forgeries() (list [][]byte) {
	deep := strings.Repeat("[", 100_000)
	for _, text := range []string{
		"", "\n", "{", "}", "null", "[]", "{}", "{}\n", "[{}]", `[{"n":""}]`, `[{"n":"YQ==","o":"clean"}]`,
		`[{"n":"YQ==","i":-5,"a":"YQ=="}]`, `{"open":true,"chunks":-1}`, `{"chunks":2000000000,"inputs":2000000000}`,
		`{"chunks":1,"inputs":-7}`, `{"token":7,"parts":-7}` + "\n", `{"split":true}` + "\n", `{"parts":2000000000}` + "\n",
		`{"token":7,"parts":2000000000}` + "\n", `{"parts":-1}` + "\n", `{"token":"*.>","parts":1}` + "\n", `{"token":7}` + "\ngarbage\n",
		deep, `{"head":` + deep, "[" + strings.Repeat("{},", 300_000) + "{}]",
	} {
		list = append(list, []byte(text))
	}
	return list
}

func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}

// maxForged is the memory limit of processes that read forged messages.
const maxForged = 400 << 20

// endsSmall waits until a process ends with one of the exit codes, and checks its memory and its output.
func endsSmall(t *testing.T, p *process, codes ...int) {
	t.Helper()
	waitFor(t, fmt.Sprintf("%q ends", p.Args), p.isOver)
	code := p.ProcessState.ExitCode()
	if !bytes.Contains([]byte{byte(codes[0]), byte(codes[len(codes)-1])}, []byte{byte(code)}) || code < 0 {
		t.Errorf("%q: exit %d: %.2000s", p.Args, code, p.said.String())
	}
	var own syscall.Rusage // before it starts its program, a process has the memory of this one
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		t.Fatal(err)
	}
	if most := p.ProcessState.SysUsage().(*syscall.Rusage).Maxrss; most<<10 > maxForged && most > own.Maxrss {
		t.Errorf("%q takes %d MB", p.Args, most>>10)
	}
	if n := len(p.said.String()); n > 100*10*len(forgeries()) { // a line for each input
		t.Errorf("%q says %d bytes", p.Args, n)
	}
}

// chunksOf returns the chunks of a job with one input each, by key.
func chunksOf(t *testing.T, js jetstream.JetStream, id string, n int) map[string][]byte {
	t.Helper()
	stream, err := js.Stream(t.Context(), "WEBCAP_JOB_"+id)
	if err != nil {
		t.Fatal(err)
	}
	chunks := map[string][]byte{}
	for i := range n {
		m, err := stream.GetLastMsgForSubject(t.Context(), fmt.Sprintf("webcap.job.%s.in.%d", id, i+1))
		if err != nil {
			t.Fatal(err)
		}
		chunks[fmt.Sprint(i+1)] = m.Data
	}
	return chunks
}

// Forged messages on each subject neither end a process nor take much memory. Records are missing, damaged, or right,
// and results are complete only if each input has a record.
func TestForgedMessages(t *testing.T) {
	t.Parallel()
	forged := forgeries()
	n := len(forged)
	dir := someFiles(t, n*testInputs) // n chunks
	want := records(t, filepath.Join(dir, "want.ndjson"))
	q := oneServer(t)
	js := q.jetStream()
	for _, tt := range []struct {
		subject string
		before  bool // before the submission
		right   int  // least number of records that are right
	}{
		{"in", true, n * testInputs}, // the submitter uses other numbers
		{"plan", true, n * testInputs},
		{"out", false, 0},
		{"part", false, 0},
		{"in.N-I", false, n * testInputs},
		{"other", false, n * testInputs},
	} {
		t.Run(tt.subject, func(t *testing.T) {
			q := *q
			q.t = t
			var id string
			if tt.before {
				p := q.begin(dir, "submit", "gone") // a job without inputs
				p.ends(0)
				id = idOf(p)
			} else {
				id = q.submit(dir)
			}
			var chunks map[string][]byte
			if !tt.before {
				chunks = chunksOf(t, js, id, n)
			}
			for i, data := range forged {
				key := fmt.Sprint(i + 1)
				out := "out." + key + "." + sum(string(chunks[key]))[:32]
				switch tt.subject {
				case "in":
					q.put(js, id, fmt.Sprintf("in.%d", i+2), data) // 1 is the file gone
				case "plan":
					q.put(js, id, fmt.Sprintf("plan.%d", i+3), data)
				case "out":
					q.put(js, id, out, data)
				case "part":
					q.put(js, id, fmt.Sprintf("part.%s.7.0", key), data)
					q.put(js, id, out, []byte(`{"token":7,"parts":1}`+"\n"))
				case "in.N-I":
					q.put(js, id, fmt.Sprintf("in.%s-1", key), data)
				case "other":
					q.put(js, id, fmt.Sprintf("in.x%d", i), data)
					q.put(js, id, fmt.Sprintf("in.99999999999999999999%d", i), data)
					q.put(js, id, fmt.Sprintf("x.%d.y", i), data)
				}
			}
			if tt.before {
				endsSmall(t, q.begin(dir, "submit", "--job", id, "in"), 0)
			}
			endsSmall(t, q.begin(dir, "work", id), 0)
			endsSmall(t, q.begin(dir, "status"), 0)
			reader := q.begin(dir, "results", id, "-o", "got.ndjson")
			endsSmall(t, reader, 0, failed)
			got := records(t, filepath.Join(dir, "got.ndjson"))
			right := 0
			for _, l := range want[:len(want)-1] {
				for _, g := range got {
					if g == l {
						right++
						break
					}
				}
			}
			complete := strings.Contains(got[len(got)-1], `"complete":true`)
			if right < tt.right || complete && len(got) < len(want) {
				t.Errorf("%d records are right, complete: %v", right, complete)
			}
			t.Logf("%d of %d records are right, complete: %v", right, n*testInputs, complete)
		})
	}
}

// Commands for jobs without a head that they can read end with one line.
func TestForgedJob(t *testing.T) {
	t.Parallel()
	q := oneServer(t)
	js := q.jetStream()
	dir := addFiles(t, t.TempDir(), 0, 2)
	for i, data := range forgeries() {
		id := fmt.Sprintf("forged%d", i)
		_, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "WEBCAP_JOB_" + id,
			Subjects: []string{"webcap.job." + id + ".>"}, Metadata: map[string]string{"head": string(data)}})
		if err != nil && len(data) < 128<<10 { // more is refused
			t.Fatal(err)
		}
		if err != nil {
			continue
		}
		for _, args := range [][]string{{"results", id}, {"work", id}, {"submit", "--job", id, "in"}} {
			if said := q.begin(dir, args[0], args[1:]...).ends(2); !strings.Contains(said, "by another version of webcap") {
				t.Errorf("%q says %q", args, said)
			}
		}
	}
	endsSmall(t, q.begin(dir, "status"), 0)
}
