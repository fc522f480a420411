package cluster_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var listening = regexp.MustCompile(`listening on ((?:nats|tls)://\S+)`)

// member is a server that can be killed and restarted.
type member struct {
	*process
	dir  string
	args []string
	url  string
}

// serve starts a server, and waits until it listens.
func serve(t testing.TB, dir string, args ...string) *member {
	t.Helper()
	m := &member{dir: dir, args: append([]string{"cluster", "serve"}, args...)}
	m.begin(t)
	return m
}

func (m *member) begin(t testing.TB) {
	t.Helper()
	m.process = begin(t, m.dir, m.args...)
	waitFor(t, "a server listens", func() bool {
		found := listening.FindStringSubmatch(m.said.String())
		if found != nil {
			m.url = found[1]
		}
		select {
		case <-m.done:
			t.Fatalf("the server ends: %s", m.said.String())
		default:
		}
		return found != nil
	})
}

// single starts a server whose port stays the same.
func single(t testing.TB) *member {
	t.Helper()
	dir := t.TempDir()
	return serve(t, dir, "--store", "store", "--listen", freePorts(t, 1)[0])
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

// three starts a cluster of three servers, and returns them with their URLs.
func three(t testing.TB) (members []*member, urls string) {
	t.Helper()
	ports := freePorts(t, 6)
	var list []string
	for i := range 3 {
		dir := t.TempDir()
		config := fmt.Sprintf("server_name: n%d\nlisten: %q\ncluster { name: webcap, listen: %q, routes: [ %s ] }\n", i,
			ports[i], ports[3+i],
			"nats://"+ports[3]+", nats://"+ports[4]+", nats://"+ports[5])
		if err := os.WriteFile(filepath.Join(dir, "nats.conf"), []byte(config), 0o666); err != nil {
			t.Fatal(err)
		}
		m := &member{dir: dir, args: []string{"cluster", "serve", "--store", "store", "--config", "nats.conf"}}
		m.process = begin(t, m.dir, m.args...)
		members = append(members, m)
		list = append(list, "nats://"+ports[i])
	}
	return members, strings.Join(list, ",")
}
