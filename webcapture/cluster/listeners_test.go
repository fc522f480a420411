package cluster_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nkeys"

	"github.com/webcap-tools/webcap/webcapture/cluster"
)

// serveOnce starts a server with a configuration, stops it at once, and returns the error of the start.
func serveOnce(t *testing.T, dir, config string) error {
	t.Helper()
	path := filepath.Join(dir, strings.ReplaceAll(t.Name(), "/", "-")+".conf")
	slashed := filepath.ToSlash(dir) // a backslash begins an escape in a configuration
	config = strings.NewReplacer("cert.pem", slashed+"/cert.pem", "key.pem", slashed+"/key.pem").Replace(config)
	write(t, path, []byte(config))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return cluster.Serve(ctx, cluster.Server{Store: t.TempDir(), Config: path, Say: func(string, ...any) {}})
}

const (
	localMain  = "listen: \"127.0.0.1:-1\"\n"
	closedMain = "listen: \"0.0.0.0:-1\"\nauthorization { user: a, password: secret }\n"
	userMain   = "listen: \"0.0.0.0:-1\"\nauthorization { users: [ { user: a, password: secret } ] }\n"
	verify     = " tls { cert_file: cert.pem, key_file: key.pem, ca_file: cert.pem, verify: true } "
	oneWay     = " tls { cert_file: cert.pem, key_file: key.pem } "
	routed     = ", routes: [ \"nats://127.0.0.1:1\" ]"
)

// Each kind of listener that strangers could use is rejected by its name.
func TestOpenListenersAreRejected(t *testing.T) {
	dir := t.TempDir()
	certificate(t, dir)
	_, key := seed(t, "", nkeys.CreateUser)
	for _, row := range []struct{ name, config, want string }{
		{"main", "listen: \"0.0.0.0:-1\"\n", "listen: 0.0.0.0:0 is not loopback, and has no authentication"},
		{"main, default port", "host: 0.0.0.0\n", "listen: 0.0.0.0:4222 is not loopback"},
		{"main, IPv6", "listen: \"[::]:-1\"\n", "listen: [::]:0 is not loopback"},
		{"main, empty password", "listen: \"0.0.0.0:-1\"\nauthorization { user: a, password: \"\" }\n",
			`listen: 0.0.0.0:0 is not loopback, and user "a" has no password`},
		{"main, a user without a password", "listen: \"0.0.0.0:-1\"\nauthorization { users: [ " +
			"{ user: a, password: secret }, { user: b, password: \"\" } ] }\n", `user "b" has no password`},
		{"main, no_auth_user", "listen: \"0.0.0.0:-1\"\nno_auth_user: a\n" +
			"accounts { A { users: [ { user: a, password: secret } ] } }\n",
			"listen: 0.0.0.0:0 is not loopback, and no_auth_user"},
		{"main, TLS of the server only", "listen: \"0.0.0.0:-1\"\n" + oneWay, "listen: 0.0.0.0:0 is not loopback"},
		{"main, clients without TLS", "listen: \"0.0.0.0:-1\"\nallow_non_tls: true\n" + verify,
			"listen: 0.0.0.0:0 is not loopback"},
		{"main, any authority", "listen: \"0.0.0.0:-1\"\n" + strings.Replace(verify, "ca_file: cert.pem, ", "", 1),
			"listen: 0.0.0.0:0 is not loopback"},
		{"websocket", localMain + "websocket { port: -1, no_tls: true }\n",
			"websocket: 0.0.0.0:0 is not loopback, and has no authentication"},
		{"websocket, TLS of clients of the main listener only", "listen: \"0.0.0.0:-1\"\n" + verify +
			"\nwebsocket { port: -1, " + oneWay + " }\n", "websocket: 0.0.0.0:0"},
		{"websocket, no_auth_user", userMain + "websocket { port: -1, no_tls: true, no_auth_user: a }\n",
			"websocket: 0.0.0.0:0 is not loopback, and no_auth_user"},
		{"websocket, empty password",
			localMain + "websocket { port: -1, no_tls: true, authorization { user: a, password: \"\" } }\n",
			`websocket: 0.0.0.0:0 is not loopback, and user "a" has no password`},
		{"websocket, leaf nodes", localMain + "leafnodes { listen: \"127.0.0.1:-1\" }\n" +
			"websocket { port: -1, no_tls: true, authorization { user: a, password: secret } }\n", "websocket: 0.0.0.0:0"},
		{"leafnodes", localMain + "leafnodes { port: -1 }\n", "leafnodes: 0.0.0.0:0 is not loopback"},
		{"leafnodes, empty password",
			closedMain + "leafnodes { port: -1, authorization { user: a, password: \"\" } }\n", "leafnodes: 0.0.0.0:0"},
		{"leafnodes, a user without a password", closedMain +
			"leafnodes { port: -1, authorization { users: [ { user: a, password: \"\" } ] } }\n", "leafnodes: 0.0.0.0:0"},
		{"mqtt", localMain + "server_name: n\nmqtt { port: -1 }\n", "mqtt: 0.0.0.0:0 is not loopback"},
		{"mqtt, no_auth_user", userMain + "server_name: n\nmqtt { port: -1, no_auth_user: a }\n",
			"mqtt: 0.0.0.0:0 is not loopback, and no_auth_user"},
		{"mqtt with a token, a user of the main listener without a password",
			localMain + "server_name: n\nauthorization { users: [ { user: b, password: \"\" }, { nkey: " + key + " } ] }\n" +
				"mqtt { port: -1, authorization { token: secret } }\n",
			`mqtt: 0.0.0.0:0 is not loopback, and user "b" has no password`},
		{"cluster", closedMain + "server_name: n\ncluster { name: c, port: -1" + routed + " }\n",
			"cluster: 0.0.0.0:0 is not loopback, and has no authentication"},
		{"cluster, empty password", closedMain + "server_name: n\ncluster { name: c, port: -1, " +
			"authorization { user: a, password: \"\" }" + routed + " }\n", "cluster: 0.0.0.0:0"},
		{"gateway", closedMain + "server_name: n\ngateway { name: g, port: -1 }\n", "gateway: 0.0.0.0:0 is not loopback"},
		{"http", localMain + "http: \"0.0.0.0:-1\"\n", "http: 0.0.0.0:0 is not loopback, and monitoring has no"},
		{"http of a closed server", closedMain + "http: -1\n", "http: 0.0.0.0:0 is not loopback"},
		{"https", closedMain + verify + "\nhttps: -1\n", "https: 0.0.0.0:0 is not loopback"},
		{"profiling", closedMain + "prof_port: -1\n", "prof_port: 0.0.0.0:0 is not loopback, and profiling has no"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if err := serveOnce(t, dir, row.config); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%v, not %q", err, row.want)
			}
		})
	}
}

// Listeners on loopback or with authentication are accepted.
func TestClosedListenersOpen(t *testing.T) {
	dir := t.TempDir()
	certificate(t, dir)
	_, key := seed(t, "", nkeys.CreateUser)
	for _, row := range []struct{ name, config string }{
		{"loopback", localMain + "http: -1\nwebsocket { listen: \"localhost:-1\", no_tls: true }\n" +
			"leafnodes { listen: \"[::1]:-1\" }\nserver_name: n\nmqtt { host: 127.0.0.1, port: -1 }\n"},
		{"user", closedMain},
		{"token", "listen: \"0.0.0.0:-1\"\nauthorization { token: secret }\n"},
		{"NKey", "listen: \"0.0.0.0:-1\"\nauthorization { users: [ { nkey: " + key + " } ] }\n"},
		{"user and NKey", "listen: \"0.0.0.0:-1\"\nauthorization { users: [ { user: a, password: secret }, { nkey: " + key +
			" } ] }\n"},
		{"operator", "listen: \"0.0.0.0:-1\"\n" + operator(t, filepath.Join(dir, "creds"))},
		{"certificates of clients", "listen: \"0.0.0.0:-1\"\n" + verify},
		{"users at the top level", closedMain + "server_name: n\nwebsocket { port: -1, no_tls: true }\n" +
			"mqtt { port: -1 }\nleafnodes { port: -1 }\n"},
		{"users of their own", localMain + "server_name: n\n" +
			"websocket { port: -1, no_tls: true, authorization { user: a, password: secret } }\n" +
			"mqtt { port: -1, authorization { token: secret } }\n"},
		{"leaf nodes with users", localMain + "leafnodes { port: -1, authorization { users: [ " +
			"{ user: a, password: secret } ] } }\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if err := serveOnce(t, dir, row.config); err != nil {
				t.Error(err)
			}
		})
	}
}

// A cluster without routes is an error, and not a server that never starts.
func TestClusterWithoutRoutes(t *testing.T) {
	for _, row := range []struct{ name, config, want string }{
		{"cluster", localMain + "server_name: n\ncluster { name: c, listen: \"127.0.0.1:-1\" }\n",
			`cluster "c" has no routes; name the other servers in routes, or remove the cluster block`},
		{"gateway", localMain + "server_name: n\ngateway { name: g, listen: \"127.0.0.1:-1\" }\n",
			"the queue server does not start: Can't start JetStream"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if err := serveOnce(t, t.TempDir(), row.config); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%v, not %q", err, row.want)
			}
		})
	}
}

// Metrics are on loopback unless --metrics names an address.
func TestMetricsOnLoopback(t *testing.T) {
	m := serve(t, t.TempDir(), "--store", "store", "--listen", "127.0.0.1:0", "--metrics", ":0")
	waitFor(t, "there are metrics", func() bool { return metricsAt.MatchString(m.said.String()) })
	said := m.said.String()
	if !strings.Contains(said, "metrics at http://127.0.0.1:") || !strings.Contains(said, "for this machine only") {
		t.Error(said)
	}
}
