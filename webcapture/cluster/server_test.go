package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// served starts a server, and returns its URL when it listens. The server ends with the test; its error must be nil.
func served(t *testing.T, told Server) (url string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	listening, ended := make(chan string, 1), make(chan error, 1)
	told.Listen = "127.0.0.1:0"
	told.Say = func(format string, args ...any) {
		if url, ok := strings.CutPrefix(fmt.Sprintf(format, args...), "listening on "); ok {
			listening <- url
		}
	}
	go func() { ended <- Serve(ctx, told) }()
	select {
	case url = <-listening:
	case err := <-ended:
		t.Fatalf("the server ends: %v", err)
	}
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the server ends: %v", err)
		}
	})
	return url
}

// configured writes a configuration, and returns its path.
func configured(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMessagesOfServer: a server accepts messages of 8 MB, unless its configuration has another limit. The store may
// also be in the configuration.
func TestMessagesOfServer(t *testing.T) {
	for config, want := range map[string]int64{"": 8 << 20, "max_payload: 2097152\n": 2 << 20} {
		t.Run(config, func(t *testing.T) {
			store := fmt.Sprintf("jetstream { store_dir: %q }\n", filepath.ToSlash(t.TempDir()))
			q, err := Dial(t.Context(), Access{URL: served(t, Server{Config: configured(t, store+config)})})
			if err != nil {
				t.Fatal(err)
			}
			defer q.Close()
			if got := q.nc.MaxPayload(); got != want {
				t.Errorf("%d bytes, want %d", got, want)
			}
		})
	}
}

// inProcess starts a server in this process and connects to it.
func inProcess(t *testing.T) (*server.Server, *Queue) {
	t.Helper()
	s, _, err := start(&server.Options{StoreDir: t.TempDir(), DontListen: true}, func(string, ...any) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Shutdown)
	q, err := connect(t.Context(), "", nil, nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { q.Close() })
	return s, q
}

// TestConnection: a connection has a name, for administrators, and never gives up. Its errors are not written to
// standard error, because callers get them.
func TestConnection(t *testing.T) {
	s, q := inProcess(t)
	list, err := s.Connz(nil)
	if err != nil || len(list.Conns) != 1 || list.Conns[0].Name != "webcap" {
		t.Errorf("%+v, %v", list, err)
	}
	if o := q.nc.Opts; o.MaxReconnect != -1 || o.Timeout != patience || o.AsyncErrorCB == nil {
		t.Errorf("%d reconnections, after %v", o.MaxReconnect, o.Timeout)
	}
}

// TestLogOfServer: a server writes its log to the file in its configuration.
func TestLogOfServer(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	served(t, Server{Store: t.TempDir(), Config: configured(t, fmt.Sprintf("log_file: %q\n", filepath.ToSlash(log)))})
	text, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(text), "Starting nats-server") {
		t.Errorf("the log is %q, %v", text, err)
	}
}

// serveWithMonitor runs a server with this name that does not start, and returns its error and the address of its
// monitor. Another process may take a free port before the server does: then it tries another port.
func serveWithMonitor(t *testing.T, told Server, name string) (monitor string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), sayAfter)
	defer cancel()
	config := told.Config
	for range 10 {
		free, listening := net.Listen("tcp", "127.0.0.1:0")
		if listening != nil {
			t.Fatal(listening)
		}
		monitor = free.Addr().String()
		free.Close()
		if config != "/none" {
			told.Config = configured(t, fmt.Sprintf("server_name: %s\nhttp: %q\n", name, monitor)+config)
		}
		if err = Serve(ctx, told); err == nil || !strings.Contains(err.Error(), monitor) {
			return monitor, err
		}
	}
	return monitor, err
}

// isMonitor reports whether the monitor of the server with this name answers at an address. Another process may have
// taken the port of a server that has ended.
func isMonitor(t *testing.T, address, name string) bool {
	t.Helper()
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Get("http://" + address + "/varz")
	if err != nil {
		return false
	}
	defer r.Body.Close()
	text, _ := io.ReadAll(r.Body)
	return strings.Contains(string(text), name)
}

// TestServerDoesNotStart: the error says why. The server leaves neither a port open nor its store locked.
func TestServerDoesNotStart(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	const gateway = "gateway { name: g, listen: \"127.0.0.1:-1\" }\n" // needs a system account
	for name, row := range map[string]struct {
		told Server
		want string
	}{
		"no store":      {Server{}, "neither --store nor the configuration names a store"},
		"no file":       {Server{Store: "s", Config: "/none"}, "/none"},
		"no address":    {Server{Store: "s", Listen: "x"}, "x is not HOST:PORT"},
		"bad limits":    {Server{Store: "s", Config: "max_pending: 1024\n"}, "cannot be higher than max_pending"},
		"no JetStream":  {Server{Store: "s", Config: gateway}, "the queue server does not start: Can't start JetStream"},
		"bad metrics":   {Server{Store: "s", Metrics: "x"}, "--metrics: x is not HOST:PORT"},
		"taken metrics": {Server{Store: "s", Metrics: taken.Addr().String()}, "bind: "},
	} {
		t.Run(name, func(t *testing.T) {
			told, name := row.told, rand.Text()
			told.Say = func(string, ...any) {}
			if told.Store != "" {
				told.Store = t.TempDir()
			}
			if told.Listen == "" {
				told.Listen = "127.0.0.1:0"
			}
			monitor, err := serveWithMonitor(t, told, name)
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("the error is %v, want %s", err, row.want)
			}
			if isMonitor(t, monitor, name) {
				t.Fatalf("the monitor at %s still answers", monitor)
			}
			if told.Store == "" {
				return
			}
			lock, err := lockStore(told.Store)
			if err != nil {
				t.Fatal(err)
			}
			lock.Close()
		})
	}
}

// TestOpenFails: a folder that cannot be a store is an error.
func TestOpenFails(t *testing.T) {
	file := configured(t, "")
	if q, err := Open(t.Context(), filepath.Join(file, "store")); q != nil || err == nil {
		t.Errorf("a folder in a file: %v, %v", q, err)
	}
	locked := t.TempDir()
	if err := os.Mkdir(filepath.Join(locked, lockName), 0o777); err != nil {
		t.Fatal(err)
	}
	if q, err := Open(t.Context(), locked); q != nil || err == nil {
		t.Errorf("a folder instead of a lock: %v, %v", q, err)
	}
	broken := t.TempDir() // JetStream cannot make its folder
	if err := os.WriteFile(filepath.Join(broken, "jetstream"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if q, err := Open(t.Context(), broken); q != nil || err == nil {
		t.Errorf("a file instead of a folder: %v, %v", q, err)
	}
	lock, err := lockStore(broken)
	if err != nil {
		t.Fatalf("after a failure: %v", err)
	}
	lock.Close()
}

// TestNoServerAnswers: the error names all servers, without passwords, and the command that starts one. When the
// command ends, it does not try again.
func TestNoServerAnswers(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free.Close()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = Dial(ctx, Access{URL: "nats://me:secret@" + free.Addr().String()})
	want := "cannot reach the queue: no server answers at nats://me:xxxxx@" + free.Addr().String() +
		"; start one with webcap cluster serve"
	if fmt.Sprint(err) != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	for urls, want := range map[string]string{
		"nats://a:1":                           "nats://a:1",
		"nats://u:p@a:1, tls://b":              "nats://u:xxxxx@a:1, tls://b",
		"nats://u:p@[::1,tls://token@b:2,c":    "an invalid URL, tls://token@b:2, c",
		" nats://u:p@a ,nats://u:p@b/?x=%zz#p": "nats://u:xxxxx@a, nats://u:xxxxx@b/?x=%zz#p",
	} {
		if got := withoutPasswords(urls); got != want {
			t.Errorf("%s: %s, want %s", urls, got, want)
		}
	}
}

// lateServer is a dialer to a server that does not listen yet at the first attempt.
type lateServer struct{ attempts int }

func (d *lateServer) Dial(network, address string) (net.Conn, error) {
	d.attempts++
	if d.attempts == 1 {
		return nil, errors.New("connection refused")
	}
	return net.Dial(network, address)
}

// TestServerStartsLate: a process that is started together with its server waits for the server.
func TestServerStartsLate(t *testing.T) {
	t.Parallel()
	d := &lateServer{}
	q, err := connect(t.Context(), served(t, Server{Store: t.TempDir()}), nil, nats.SetCustomDialer(d))
	if err != nil || d.attempts != 2 {
		t.Fatalf("%d attempts, %v", d.attempts, err)
	}
	q.Close()
}

// TestSizeOfLog: a server begins a new log file when the log has the size in its configuration.
func TestSizeOfLog(t *testing.T) {
	dir := t.TempDir()
	l := logOf(&server.Options{LogFile: filepath.Join(dir, "log"), LogSizeLimit: 1000})
	for range 100 {
		l.Noticef("a line of %d bytes", 40)
	}
	if err := l.(io.Closer).Close(); err != nil {
		t.Error(err)
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) < 2 {
		t.Errorf("%d files, %v", len(list), err)
	}
}
