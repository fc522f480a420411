package cluster

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The name of a job is part of subjects, in which dots and spaces are separators.
func TestJobNames(t *testing.T) {
	for _, name := range []string{"a", "09-azAZ_", strings.Repeat("a", 64)} {
		t.Run(name, func(t *testing.T) {
			if err := checkName(name); err != nil {
				t.Error(err)
			}
		})
	}
	for _, name := range []string{"", "a.b", "a b", "a*", "a>", "a/b", "a:b", "a@", "[a", "a`", "{a", "é", "a\n",
		strings.Repeat("a", 65)} {
		t.Run(name, func(t *testing.T) {
			if checkName(name) == nil {
				t.Errorf("%q is the name of a job", name)
			}
		})
	}
}

// A job that another version submitted in another format is an error that names the job.
func TestForeignJobs(t *testing.T) {
	var noHead bytes.Buffer
	if err := gob.NewEncoder(&noHead).Encode(storedJob{Head: []byte("no line of results")}); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"empty": "", "text": "no job", "no head": noHead.String()} {
		t.Run(name, func(t *testing.T) {
			var j job
			if err := j.decode("nightly", &jetstream.RawStreamMsg{Data: []byte(data)}); err == nil ||
				!strings.HasPrefix(err.Error(), "job nightly: ") {
				t.Errorf("%q: %v", data, err)
			}
		})
	}
}

// A server listens at the given address, on a free port for port 0, and on loopback by default.
func TestWhereServersListen(t *testing.T) {
	for address, want := range map[string]server.Options{
		"":               {Host: "127.0.0.1"},
		":4222":          {Host: "127.0.0.1", Port: 4222},
		"127.0.0.1:4222": {Host: "127.0.0.1", Port: 4222},
		"localhost:0":    {Host: "localhost", Port: server.RANDOM_PORT},
	} {
		t.Run(address, func(t *testing.T) {
			var opts server.Options
			if err := listen(&opts, address); err != nil || opts.Host != want.Host || opts.Port != want.Port {
				t.Errorf("%q: %s:%d, %v", address, opts.Host, opts.Port, err)
			}
		})
	}
	for _, address := range []string{"localhost", "localhost:x", "0.0.0.0:0", "192.0.2.1:4222"} {
		t.Run(address, func(t *testing.T) {
			if listen(new(server.Options), address) == nil {
				t.Errorf("%s is taken", address)
			}
		})
	}
}

// The kind of credentials is recognized by the text of the file.
func TestKindsOfCredentials(t *testing.T) {
	for text, want := range map[string]bool{
		"user:password\n":                    true,
		"-----BEGIN NATS USER JWT-----\nx\n": true,
		"SUAMLK2ZNL35WSMW37E7UD4VZ7ELPKW7DHC3BWBSD2GCZ7IUQQXZIORRBU\n": true,
		"SU, but no seed": false,
		"something else":  false,
	} {
		t.Run(text, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "credentials")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if opts, err := access(Access{Credentials: file}); (err == nil) != want || want && len(opts) != 1 {
				t.Errorf("%q: %d options, %v", text, len(opts), err)
			}
		})
	}
	if _, err := access(Access{Credentials: filepath.Join(t.TempDir(), "gone")}); err == nil {
		t.Error("a file that is not there is credentials")
	}
}

// Errors of servers that are unreachable, full, or electing are temporary. Errors about the request are permanent.
func TestLastingErrors(t *testing.T) {
	for i, err := range []error{nats.ErrPermissionViolation, nats.ErrMaxPayload, jetstream.ErrObjectNotFound,
		jetstream.ErrStreamNotFound, jetstream.ErrConsumerNotFound} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if !isLasting(fmt.Errorf("asked: %w", err)) {
				t.Errorf("%v passes", err)
			}
		})
	}
	for i, err := range []error{nats.ErrTimeout, nats.ErrNoResponders, context.DeadlineExceeded,
		errors.New("something else")} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if isLasting(fmt.Errorf("asked: %w", err)) {
				t.Errorf("%v lasts", err)
			}
		})
	}
}
