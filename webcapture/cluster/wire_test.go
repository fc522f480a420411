package cluster_test

import (
	"bytes"
	"encoding/json"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A wire passes bytes on to a server, changed.
type wire struct {
	to    string
	there func([]byte) // changes what goes to the server; nil for nothing
	back  func([]byte) // changes what comes from there
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

// byYears returns what makes the clock of who says something wrong by some years.
func byYears(n int) func([]byte) {
	now := time.Now().UTC().Year()
	from, to := strconv.Itoa(now)+"-", strconv.Itoa(now+n)+"-"
	return func(said []byte) { copy(said, bytes.ReplaceAll(said, []byte(from), []byte(to))) }
}

// Servers and workers whose clocks are wrong do what others do, and the status knows how long ago what was.
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
