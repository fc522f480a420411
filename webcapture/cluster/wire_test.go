package cluster_test

import (
	"bytes"
	"encoding/json"
	"net"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// wire forwards modified bytes to and from a server.
type wire struct {
	to    string
	there func([]byte) // modifies requests; nil for unmodified
	back  func([]byte) // modifies answers
}

func (w *wire) listen(t *testing.T) (url string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			a, err := l.Accept()
			if err != nil {
				return
			}
			b, err := net.Dial("tcp", w.to)
			if err != nil {
				a.Close()
				continue
			}
			go pass(a, b, w.there)
			go pass(b, a, w.back)
		}
	}()
	return "nats://" + l.Addr().String()
}

func pass(from, to net.Conn, change func([]byte)) {
	defer to.Close()
	for buf := make([]byte, 1<<16); ; {
		n, err := from.Read(buf)
		if change != nil {
			change(buf[:n])
		}
		if _, e := to.Write(buf[:n]); err != nil || e != nil {
			return
		}
	}
}

// byYears returns a function that shifts the times of a process by some years.
func byYears(n int) func([]byte) {
	now := time.Now().UTC().Year()
	from, to := strconv.Itoa(now)+"-", strconv.Itoa(now+n)+"-"
	return func(said []byte) { copy(said, bytes.ReplaceAll(said, []byte(from), []byte(to))) }
}

// Servers and workers with wrong clocks work normally, and the status shows right ages.
func TestWrongClocks(t *testing.T) {
	t.Parallel()
	for _, years := range []int{-5, 5} {
		for _, c := range []struct {
			whose        string
			server, work *wire
		}{
			{"server", &wire{back: byYears(years)}, &wire{back: byYears(years)}},
			{"worker", &wire{}, &wire{there: byYears(years)}},
		} {
			t.Run(c.whose+strconv.Itoa(years), func(t *testing.T) {
				m := single(t)
				c.server.to, c.work.to = strings.TrimPrefix(m.url, "nats://"), strings.TrimPrefix(m.url, "nats://")
				url, dir := c.server.listen(t), someFiles(t, 6)
				if said, code := webcap(t, dir, "audit", "in", "--output", "ndjson:want"); code != 0 {
					t.Fatalf("exit %d: %s", code, said)
				}
				job := submit(t, dir, url, "--chunk", "2")
				begin(t, dir, "cluster", "work", "--nats", c.work.listen(t))
				results(t, dir, url, job)
				sameRecords(t, filepath.Join(dir, "got"), filepath.Join(dir, "want"))
				said, code := webcap(t, dir, "cluster", "status", "--nats", url, "--format", "json")
				var s struct {
					Time    time.Time
					Workers []struct{ Since, Seen time.Time }
				}
				if err := json.Unmarshal([]byte(said), &s); err != nil || code != 0 || len(s.Workers) != 1 {
					t.Fatalf("exit %d: %v: %s", code, err, said)
				}
				if w := s.Workers[0]; w.Seen.After(s.Time) || s.Time.Sub(w.Since) > time.Hour {
					t.Errorf("at %v a worker was seen at %v, and began at %v", s.Time, w.Seen, w.Since)
				}
			})
		}
	}
}

// jumpingClock is set forward, back, and right again, each time that a worker has another result. Stored messages
// keep their time.
type jumpingClock struct{ results atomic.Int64 }

// years is the current error of the clock.
func (c *jumpingClock) years() int { return []int{0, 5, -5}[c.results.Load()%3] }

// counts looks for results in the requests of a worker.
func (c *jumpingClock) counts(said []byte) {
	c.results.Add(int64(bytes.Count(said, []byte("PUB webcap.results."))))
}

// stored matches the arrival time of a stored message.
var stored = regexp.MustCompile(`"(created|time)":"[^"]*"`)

// jumps shifts the times in messages to this clock, except arrival times of stored messages.
func (c *jumpingClock) jumps(said []byte) {
	kept, before := stored.FindAllIndex(said, -1), bytes.Clone(said)
	byYears(c.years())(said)
	for _, at := range kept {
		copy(said[at[0]:at[1]], before[at[0]:])
	}
}

// Clocks of servers or of a worker that are set while a job runs do not affect its results, and no worker seems to
// be in the future.
func TestJumpingClocks(t *testing.T) {
	t.Parallel()
	for _, whose := range []string{"server", "worker"} {
		t.Run(whose, func(t *testing.T) {
			m := single(t)
			to := strings.TrimPrefix(m.url, "nats://")
			var clock jumpingClock
			server, work := &wire{to: to, back: clock.jumps}, &wire{to: to, there: clock.counts, back: clock.jumps}
			if whose == "worker" {
				server, work = &wire{to: to}, &wire{to: to,
					there: func(said []byte) { clock.counts(said); clock.jumps(said) }}
			}
			url, dir := server.listen(t), someFiles(t, 12)
			if said, code := webcap(t, dir, "audit", "in", "--output", "ndjson:want"); code != 0 {
				t.Fatalf("exit %d: %s", code, said)
			}
			job := submit(t, dir, url, "--chunk", "1")
			begin(t, dir, "cluster", "work", "--nats", work.listen(t))
			results(t, dir, url, job)
			sameRecords(t, filepath.Join(dir, "got"), filepath.Join(dir, "want"))
			if n := clock.results.Load(); n < 12 {
				t.Errorf("the clock was set %d times, with 12 results", n)
			}
			for n := range int64(3) { // for each final state of the clock
				clock.results.Store(n)
				said, code := webcap(t, dir, "cluster", "status", "--nats", url, "--format", "json")
				var s struct {
					Time    time.Time
					Workers []struct{ Seen time.Time }
				}
				if err := json.Unmarshal([]byte(said), &s); err != nil || code != 0 || len(s.Workers) != 1 {
					t.Fatalf("exit %d: %v: %s", code, err, said)
				}
				if seen := s.Workers[0].Seen; seen.After(s.Time) {
					t.Errorf("with a clock that is %d years ahead, at %v a worker was seen at %v", clock.years(),
						s.Time, seen)
				}
			}
		})
	}
}
