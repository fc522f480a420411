package cluster_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ownAddress returns an address of this machine that is not loopback.
func ownAddress(t *testing.T) string {
	t.Helper()
	list, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
			return n.IP.String()
		}
	}
	t.Skip("this machine has only loopback")
	return ""
}

// A client refuses a server that accepts connections without credentials. A server with only a system
// account is one.
func TestOpenServers(t *testing.T) {
	t.Parallel()
	const letsIn = "it accepts connections without credentials; set up a token or users in its configuration\n"
	dir := someFiles(t, 3)
	for name, tt := range map[string]struct {
		config string
		open   bool
	}{
		"nothing":        {"", true},
		"only $SYS":      {`accounts { $SYS { users: [ { user: admin, password: admin } ] } }`, true},
		"no_auth_user":   {`accounts { A { jetstream: enabled, users: [ { user: a, password: b } ] } }` + "\nno_auth_user: a", true},
		"users":          {`authorization { users: [ { user: webcap, password: b } ] }`, false},
		"users and $SYS": {`accounts { $SYS { users: [ { user: s, password: s } ] }, A { jetstream: enabled, users: [ { user: webcap, password: b } ] } }`, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, port, _ := net.SplitHostPort(freePorts(t, 1)[0])
			m := newMember(t, net.JoinHostPort(ownAddress(t), port), tt.config)
			for _, args := range [][]string{{"submit", "in"}, {"work", "a"}, {"results", "a"}, {"status"}, {"rm", "a"}} {
				q := queue{t, []*member{m}, []string{"--nats", m.url}, nil}
				p := q.begin(dir, args[0], args[1:]...)
				if tt.open {
					p.endsWith(failed, letsIn)
				} else {
					p.endsWith(failed, "it rejects the credentials; correct --credentials")
				}
			}
			if tt.open {
				return
			}
			q := queue{t, []*member{m}, []string{"--nats", "webcap:b@" + strings.TrimPrefix(m.url, "nats://")}, nil}
			id := q.submit(dir)
			q.begin(dir, "work", id).ends(0)
			q.results(dir, id, 0)
			sameRecords(t, filepath.Join(dir, "got.ndjson"), filepath.Join(dir, "want.ndjson"))
			os.Remove(filepath.Join(dir, "got.ndjson"))
		})
	}
}

// Credentials that no server takes, and servers that do not exist, are one line.
func TestWrongAccess(t *testing.T) {
	t.Parallel()
	q := oneServer(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "other"), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, want string }{
		{"--credentials gone", "webcap: open gone: "},
		{"--credentials other --nats " + q.members[0].url, "it rejects the credentials; correct --credentials"},
		{"--nats nats://user:secret@127.0.0.1:1", "cannot use the queue at nats://127.0.0.1:1: no server answers; start nats-server, or correct --nats"},
		{"--nats nats://[", "--nats is not a list of URLs such as nats://queue:4222"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			t.Parallel()
			begin(t, dir, append([]string{"cluster", "status"}, strings.Fields(tt.args)...)...).endsWith(failed, tt.want)
		})
	}
}
