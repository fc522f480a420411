package cluster_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writeCertificate writes a certificate of this machine, its key, and the certificate that a client trusts.
func writeCertificate(t *testing.T, dir string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.ParseIP("127.0.0.1"), net.ParseIP(ownAddress(t))}}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: certificate},
		"ca.pem": {Type: "CERTIFICATE", Bytes: certificate}, "key.pem": {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// documented returns a configuration in docs/cluster with the paths and addresses of a test.
func documented(t *testing.T, name, certificates, host string, changes ...string) *member {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../docs/cluster", name))
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(freePorts(t, 1)[0])
	address := net.JoinHostPort(host, port)
	dir := t.TempDir()
	m := &member{config: filepath.Join(dir, "nats.conf"), url: "nats://" + address}
	changes = append(changes, "0.0.0.0:4222", address, "/etc/webcap", certificates, "/var/lib/webcap", filepath.Join(dir, "js"))
	if err := os.WriteFile(m.config, []byte(strings.NewReplacer(changes...).Replace(string(text))), 0o666); err != nil {
		t.Fatal(err)
	}
	m.begin(t)
	return m
}

// The configurations in docs/cluster work, with TLS, and refuse clients without the token.
func TestDocumentedServers(t *testing.T) {
	t.Parallel()
	dir := someFiles(t, 3)
	host := ownAddress(t)
	certificates := t.TempDir()
	writeCertificate(t, certificates)
	use := func(members ...*member) {
		t.Helper()
		var urls []string
		for _, m := range members {
			urls = append(urls, strings.Replace(m.url, "nats:", "tls:", 1))
		}
		q := queueOf(t, members...)
		if err := os.WriteFile(q.access[3], []byte("change-me"), 0o600); err != nil {
			t.Fatal(err)
		}
		q.access[1] = strings.Join(urls, ",")
		q.begin(dir, "status").endsWith(failed, "; SSL_CERT_FILE may name trusted certificates")
		q.env = []string{"SSL_CERT_FILE=" + filepath.Join(certificates, "ca.pem")}
		start(t, dir, append(q.env, asWebcap+"=1"), "cluster", "status", "--nats", q.access[1]).
			endsWith(failed, "it rejects the credentials; correct --credentials")
		id := q.submit(dir)
		q.begin(dir, "work", id).ends(0)
		q.results(dir, id, 0)
		sameRecords(t, filepath.Join(dir, "got.ndjson"), filepath.Join(dir, "want.ndjson"))
	}
	use(documented(t, "nats.conf", certificates, host))
	var members []*member
	ports := freePorts(t, 3)
	for i, name := range []string{"queue-1", "queue-2", "queue-3"} {
		members = append(members, documented(t, "nats-1.conf", certificates, host, "server_name: queue-1",
			"server_name: "+name, "queue-1:6222", ports[0], "queue-2:6222", ports[1], "queue-3:6222", ports[2],
			"0.0.0.0:6222", ports[i]))
	}
	use(members...)
}
