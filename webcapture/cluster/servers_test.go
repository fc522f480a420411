package cluster_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// member is a server that can be killed and started again.
type member struct {
	*process
	config string // path
	url    string
}

// queue is the access of clients to servers.
type queue struct {
	t       testing.TB
	members []*member
	access  []string // options
	env     []string // of clients
}

const token = "s3cret"

// newMember starts a server with a configuration.
func newMember(t testing.TB, address, config string) *member {
	t.Helper()
	dir := t.TempDir()
	m := &member{config: filepath.Join(dir, "nats.conf"), url: "nats://" + address}
	text := fmt.Sprintf("listen: %q\njetstream { store_dir: %q }\n%s", address, filepath.Join(dir, "js"), config)
	if err := os.WriteFile(m.config, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	m.begin(t)
	return m
}

// begin starts the server, and waits until it listens.
func (m *member) begin(t testing.TB) {
	t.Helper()
	m.process = start(t, filepath.Dir(m.config), []string{asServer + "=" + m.config, "GOMEMLIMIT=500MiB"})
	waitFor(t, "a server listens", func() bool {
		if m.isOver() {
			t.Fatalf("the server ends: %s", m.said.String())
		}
		c, err := net.Dial("tcp", strings.TrimPrefix(m.url, "nats://"))
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

// again kills the server and starts it.
func (m *member) again(t testing.TB) {
	t.Helper()
	m.kill()
	m.begin(t)
}

// oneServer starts a server with a token on loopback.
func oneServer(t testing.TB) *queue {
	t.Helper()
	return queueOf(t, newMember(t, freePorts(t, 1)[0], "authorization { token: "+token+" }"))
}

// threeServers starts a cluster.
func threeServers(t testing.TB) *queue {
	t.Helper()
	ports := freePorts(t, 6)
	var members []*member
	for i := range 3 {
		members = append(members, newMember(t, ports[i], fmt.Sprintf("server_name: n%d\nauthorization { token: %s }\n"+
			"cluster { name: webcap, listen: %q, routes: [ nats://%s, nats://%s, nats://%s ] }\n", i, token, ports[3+i],
			ports[3], ports[4], ports[5])))
	}
	return queueOf(t, members...)
}

func queueOf(t testing.TB, members ...*member) *queue {
	t.Helper()
	credentials := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(credentials, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var urls []string
	for _, m := range members {
		urls = append(urls, m.url)
	}
	return &queue{t, members, []string{"--nats", strings.Join(urls, ","), "--credentials", credentials}, nil}
}

// freePorts returns unused addresses on loopback.
func freePorts(t testing.TB, n int) (list []string) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		list = append(list, l.Addr().String())
	}
	return list
}

// begin starts a command of the group cluster.
func (q *queue) begin(dir, name string, args ...string) *process {
	q.t.Helper()
	args = append(append([]string{"cluster", name}, q.access...), args...)
	return start(q.t, dir, append(q.env, asWebcap+"=1"), args...)
}

// submit submits the folder in, and returns the ID of the job.
func (q *queue) submit(dir string, args ...string) string {
	q.t.Helper()
	p := q.begin(dir, "submit", append(args, "in")...)
	p.ends(0)
	id := idOf(p)
	if id == "" {
		q.t.Fatalf("no ID of a job: %q", p.said.String())
	}
	return id
}

// idOf returns the ID that a submitter has printed, or "". It may also have said that it waits for servers.
func idOf(p *process) string {
	for line := range strings.Lines(p.said.String()) {
		if id, whole := strings.CutSuffix(line, "\n"); whole && !strings.Contains(id, " ") {
			return id
		}
	}
	return ""
}

// results writes the results of a job to the file got.
func (q *queue) results(dir, id string, code int) string {
	q.t.Helper()
	return q.begin(dir, "results", id, "-o", "got.ndjson").ends(code)
}

// jetStream connects to the servers as another program.
func (q *queue) jetStream() jetstream.JetStream {
	q.t.Helper()
	nc, err := nats.Connect(q.access[1], nats.Token(token), nats.MaxReconnects(-1))
	if err != nil {
		q.t.Fatal(err)
	}
	q.t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		q.t.Fatal(err)
	}
	return js
}

// put publishes a message of a job.
func (q *queue) put(js jetstream.JetStream, id, subject string, data []byte) {
	q.t.Helper()
	ctx, cancel := context.WithTimeout(q.t.Context(), 10*time.Second)
	defer cancel()
	if _, err := js.Publish(ctx, "webcap.job."+id+"."+subject, data); err != nil {
		q.t.Fatalf("%s: %v", subject, err)
	}
}
