package cluster_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nkeys"
)

// certificate writes a self-signed certificate for loopback, which is also its own authority, and its key.
func certificate(t *testing.T, dir string) {
	t.Helper()
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "webcap"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	check(err)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	check(err)
	write(t, filepath.Join(dir, "cert.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}))
	write(t, filepath.Join(dir, "key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// seed makes an NKey, and returns it with its public part. It writes the seed to path, unless path is empty.
func seed(t *testing.T, path string, make func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
	t.Helper()
	pair, err := make()
	if err != nil {
		t.Fatal(err)
	}
	secret, _ := pair.Seed()
	if path != "" {
		write(t, path, secret)
	}
	public, _ := pair.PublicKey()
	return pair, public
}

// A server with TLS and authentication accepts only clients with the right credentials.
func TestAccess(t *testing.T) {
	t.Parallel()
	dir := someFiles(t, 2)
	certificate(t, dir)
	write(t, filepath.Join(dir, "password"), []byte("alice:secret\n"))
	write(t, filepath.Join(dir, "wrong"), []byte("alice:guess\n"))
	write(t, filepath.Join(dir, "nonsense"), []byte("nonsense\n"))
	_, nkey := seed(t, filepath.Join(dir, "nkey"), nkeys.CreateUser)
	tls := "tls { cert_file: cert.pem, key_file: key.pem, ca_file: cert.pem, verify: true }\n"
	write(t, filepath.Join(dir, "users.conf"),
		[]byte(tls+fmt.Sprintf(`authorization { users: [ { user: alice, password: secret }, { nkey: %s } ] }`, nkey)))
	write(t, filepath.Join(dir, "jwt.conf"), []byte(tls+operator(t, filepath.Join(dir, "creds"))))
	shown := []string{"--tls-ca", "cert.pem", "--tls-cert", "cert.pem", "--tls-key", "key.pem"}
	for _, c := range []struct {
		config, credentials string
		in                  bool
	}{
		{"users.conf", "password", true}, {"users.conf", "nkey", true}, {"jwt.conf", "creds", true},
		{"users.conf", "wrong", false}, {"users.conf", "nonsense", false}, {"users.conf", "", false},
		{"jwt.conf", "nkey", false},
	} {
		t.Run(c.config, func(t *testing.T) {
			m := serve(t, dir, "--store", t.TempDir(), "--listen", "127.0.0.1:0", "--config", c.config)
			args := append([]string{"cluster", "submit", "in", "--nats", m.url, "--credentials", c.credentials},
				shown...)
			said, code := webcap(t, dir, args...)
			if (code == 0) != c.in {
				t.Errorf("%s at %s: exit %d: %s", c.credentials, c.config, code, said)
			}
			if said, code := webcap(t, dir, args[:len(args)-len(shown)]...); code == 0 {
				t.Errorf("%s at %s without a certificate: exit %d: %s", c.credentials, c.config, code, said)
			}
			m.kill()
		})
	}
}

// operator returns a configuration with an operator and an account, and writes the credentials of a user.
func operator(t *testing.T, creds string) string {
	t.Helper()
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	o, oPublic := seed(t, "", nkeys.CreateOperator)
	a, aPublic := seed(t, "", nkeys.CreateAccount)
	s, sPublic := seed(t, "", nkeys.CreateAccount)
	_ = s
	u, uPublic := seed(t, "", nkeys.CreateUser)
	claims := jwt.NewOperatorClaims(oPublic)
	claims.SystemAccount = sPublic
	oToken, err := claims.Encode(o)
	check(err)
	account := jwt.NewAccountClaims(aPublic)
	account.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
	aToken, err := account.Encode(o)
	check(err)
	sToken, err := jwt.NewAccountClaims(sPublic).Encode(o)
	check(err)
	uToken, err := jwt.NewUserClaims(uPublic).Encode(a)
	check(err)
	secret, _ := u.Seed()
	text, err := jwt.FormatUserConfig(uToken, secret)
	check(err)
	write(t, creds, text)
	return fmt.Sprintf("operator: %q\nsystem_account: %s\nresolver: MEMORY\nresolver_preload: { %s: %q, %s: %q }\n",
		oToken, sPublic, aPublic, aToken, sPublic, sToken)
}

// --listen does not open a server unless a configuration restricts access.
func TestOpenServerIsRefused(t *testing.T) {
	if said, code := webcap(t, t.TempDir(), "cluster", "serve", "--store", "store", "--listen",
		"0.0.0.0:0"); code != failed || !strings.Contains(said, "listen: 0.0.0.0:0 is not loopback") {
		t.Errorf("exit %d: %s", code, said)
	}
}

// Two servers never share a store.
func TestStoreIsLocked(t *testing.T) {
	dir := t.TempDir()
	serve(t, dir, "--store", "store", "--listen", "127.0.0.1:0")
	for i, args := range [][]string{{"cluster", "serve", "--store", "store", "--listen", "127.0.0.1:0"},
		{"cluster", "run", ".", "--store", "store"}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if said, code := webcap(t, dir, args...); code != failed ||
				!strings.Contains(said, "another process uses this store") {
				t.Errorf("%v: exit %d: %s", args, code, said)
			}
		})
	}
}

// Data that a server has acknowledged are on its disk, for any configuration.
func TestServerSyncs(t *testing.T) {
	t.Parallel()
	dir, monitor := t.TempDir(), freePorts(t, 1)[0]
	write(t, filepath.Join(dir, "nats.conf"), []byte("http: "+monitor+"\njetstream { sync_interval: \"2m\" }\n"))
	serve(t, dir, "--store", "store", "--listen", "127.0.0.1:0", "--config", "nats.conf")
	reply, err := http.Get("http://" + monitor + "/jsz")
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	var jsz struct {
		Config struct {
			SyncAlways bool `json:"sync_always"`
		}
	}
	if err := json.NewDecoder(reply.Body).Decode(&jsz); err != nil || !jsz.Config.SyncAlways {
		t.Errorf("%v: %+v", err, jsz)
	}
}

var metricsAt = regexp.MustCompile(`metrics at (http://\S+)`)

// scrape returns the metrics of a process.
func scrape(t *testing.T, p *process) string {
	t.Helper()
	var found []string
	waitFor(t, "there are metrics", func() bool {
		found = metricsAt.FindStringSubmatch(p.said.String())
		return found != nil
	})
	reply, err := http.Get(found[1])
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Servers and workers have metrics for Prometheus.
func TestMetrics(t *testing.T) {
	dir := someFiles(t, 30)
	write(t, filepath.Join(dir, "in", "not.pdf"), []byte("not a PDF"))
	m := serve(t, dir, "--store", "store", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0")
	job := submit(t, dir, m.url, "--chunk", "10")
	has := func(p *process, line string) {
		t.Helper()
		waitFor(t, line, func() bool { return strings.Contains(scrape(t, p), "\n"+line+"\n") })
	}
	has(m.process, `webcap_chunks_waiting{job="`+job+`"} 4`)
	w := begin(t, dir, "cluster", "work", "--nats", m.url, "--metrics", "127.0.0.1:0")
	has(w, `webcap_inputs_total{outcome="clean"} 30`)
	has(w, `webcap_inputs_total{outcome="error"} 1`)
	has(w, `webcap_input_seconds_count 31`)
	has(w, `webcap_bytes_total `+strconv.Itoa(30*len(read(t, filepath.Join(dir, "in", "aa.pdf")))+len("not a PDF")))
	has(m.process, `webcap_chunks_waiting{job="`+job+`"} 0`)
}

// With the configuration of docs/cluster, three servers with TLS keep a job. Only paths and names are those of this
// machine.
func TestDocumentedServers(t *testing.T) {
	ifAll(t)
	text, err := os.ReadFile("../../docs/cluster/nats-1.conf")
	if err != nil {
		t.Fatal(err)
	}
	dir := someFiles(t, 20)
	certificate(t, dir)
	write(t, filepath.Join(dir, "password"), []byte("webcap:change-me\n"))
	ports := freePorts(t, 6)
	var urls []string
	for i := range 3 {
		config := strings.NewReplacer(
			"server_name: queue-1", fmt.Sprintf("server_name: queue-%d", i+1),
			"0.0.0.0:4222", ports[i], "0.0.0.0:6222", ports[3+i],
			"queue-1:6222", ports[3], "queue-2:6222", ports[4], "queue-3:6222", ports[5],
			"/var/lib/webcap", t.TempDir(), "/etc/webcap/ca.pem", filepath.Join(dir, "cert.pem"), "/etc/webcap", dir,
		).Replace(string(text))
		name := fmt.Sprintf("nats-%d.conf", i+1)
		write(t, filepath.Join(dir, name), []byte(config))
		begin(t, dir, "cluster", "serve", "--config", name)
		urls = append(urls, "tls://"+ports[i])
	}
	to := []string{"--nats", strings.Join(urls, ","), "--credentials", "password", "--tls-ca", "cert.pem", "--tls-cert",
		"cert.pem", "--tls-key", "key.pem"}
	said, code := webcap(t, dir, append([]string{"cluster", "submit", "in", "--replicas", "3"}, to...)...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	job := jobOf(t, said)
	if said, code := webcap(t, dir, append([]string{"cluster", "work", job}, to...)...); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	if said, code := webcap(t, dir, append([]string{"cluster", "results", job}, to...)...); code != 0 ||
		!strings.Contains(said, "20 files: 20 clean") {
		t.Errorf("exit %d: %s", code, said)
	}
}

// If no server answers, the error says so, names the command that starts one, and hides passwords.
func TestNoServer(t *testing.T) {
	ifAll(t)
	t.Parallel()
	url := freePorts(t, 1)[0]
	said, code := webcap(t, t.TempDir(), "cluster", "status", "--nats", "nats://me:secret@"+url)
	if code != failed || !strings.Contains(said, "no server answers at nats://me:xxxxx@"+url) ||
		!strings.Contains(said, "cluster serve") {
		t.Errorf("exit %d: %s", code, said)
	}
}
