package cluster_test

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// ownNetwork in the environment marks a process in its own network.
const ownNetwork = "WEBCAP_TEST_OWN_NETWORK"

// inOwnNetwork runs a test again in a process with its own network, which has only loopback. It reports whether
// this is that process.
func inOwnNetwork(t *testing.T) bool {
	t.Helper()
	if os.Getenv(ownNetwork) != "" {
		request(t, unix.SIOCSIFFLAGS, "lo", func(lo *unix.Ifreq) { lo.SetUint16(unix.IFF_UP) })
		return true
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe, "-test.run", "^"+t.Name()+"$", "-test.v")
	c.Env = append(os.Environ(), ownNetwork+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	said, err := c.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) {
		t.Skip("needs network namespaces: ", err)
	}
	if err != nil || !strings.Contains(string(said), "--- PASS: "+t.Name()) {
		t.Errorf("%v: %s", err, said)
	}
	return false
}

// request asks the system to change a network interface.
func request(t *testing.T, what uint, name string, how func(*unix.Ifreq)) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	r, err := unix.NewIfreq(name)
	if err != nil {
		t.Fatal(err)
	}
	how(r)
	if err := unix.IoctlIfreq(fd, what, r); err != nil {
		t.Fatal(err)
	}
}

// lower takes a network interface down. Packets are lost without an error, as with a cut cable.
func lower(t *testing.T, name string) {
	t.Helper()
	request(t, unix.SIOCSIFFLAGS, name, func(r *unix.Ifreq) { r.SetUint16(0) })
}

// While the network is down, for longer than leases, servers, workers, and a reader of results wait. Then all
// continue, and there is one record for each input.
func TestCutNetwork(t *testing.T) {
	t.Parallel()
	if !inOwnNetwork(t) {
		return
	}
	cut, replicas := 2*time.Second, 1
	if webcapturetest.All() {
		cut, replicas = 30*time.Second, 3
	}
	dir := someFiles(t, 600)
	if said, code := webcap(t, dir, "audit", "in", "--output", "ndjson:want"); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	var urls string
	if replicas == 1 {
		urls = single(t).url
	} else {
		_, urls = three(t)
	}
	job := submit(t, dir, urls, "--chunk", "2", "--replicas", strconv.Itoa(replicas))
	everybody := []*process{begin(t, dir, "cluster", "results", job, "--nats", urls, "--output", "ndjson:got")}
	for range 2 {
		w := begin(t, dir, "cluster", "work", job, "--nats", urls, "--metrics", "127.0.0.1:0")
		waitFor(t, "a worker is connected", func() bool { return strings.Contains(w.said.String(), "metrics at") })
		everybody = append(everybody, w)
	}
	got := filepath.Join(dir, "got")
	waitFor(t, "there are results", func() bool {
		text, _ := os.ReadFile(got)
		return bytes.Contains(text, []byte(`{"type":"input"`))
	})
	lower(t, "lo")
	time.Sleep(cut)
	if n := strings.Count(read(t, got), `{"type":"input"`); n > 500 {
		t.Errorf("the network was cut after %d of 600 records", n)
	}
	request(t, unix.SIOCSIFFLAGS, "lo", func(lo *unix.Ifreq) { lo.SetUint16(unix.IFF_UP) })
	back := time.Now()
	for _, p := range everybody {
		if code := p.end(); code != 0 {
			t.Errorf("%q: exit %d: %s", p.Args, code, p.said.String())
		}
	}
	t.Logf("all is done %v after a cut of %v", time.Since(back).Round(time.Millisecond), cut)
	sameRecords(t, got, filepath.Join(dir, "want"))
}

// A worker that is cut off for longer than its lease loses its chunk to another one. Its later result does not
// count.
func TestCutOffWorker(t *testing.T) {
	ifAll(t)
	if !inOwnNetwork(t) {
		return
	}
	raise := func() { // only the worker uses this route
		request(t, unix.SIOCSIFADDR, "lo:1", func(r *unix.Ifreq) {
			if err := r.SetInet4Addr(net.IPv4(10, 0, 0, 1).To4()); err != nil {
				t.Fatal(err)
			}
		})
	}
	raise()
	dir := someFiles(t, 3)
	largeFile(t, filepath.Join(dir, "in", "large.pdf"))
	write(t, filepath.Join(dir, "nats.conf"), []byte("listen: 0.0.0.0:4222\nauthorization: { user: u, password: p }\n"))
	serve(t, dir, "--store", "store", "--config", "nats.conf")
	const near, far = "nats://u:p@127.0.0.1", "nats://u:p@10.0.0.1"
	job := submit(t, dir, near)
	w := begin(t, dir, "cluster", "work", job, "--nats", far)
	waitForJob(t, near, "a worker has the chunk", func(s cluster.JobStatus) bool { return s.Taken == 1 })
	lower(t, "lo:1")
	if _, err := net.Dial("tcp", "10.0.0.1:4222"); err == nil {
		t.Error("the network is not cut")
	}
	if said, code := webcap(t, dir, "cluster", "work", job, "--nats", near); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	before, _ := results(t, dir, near, job)
	raise()
	if code := w.end(); code != 0 {
		t.Errorf("exit %d: %s", code, w.said.String())
	}
	after, _ := results(t, dir, near, job)
	sameResults(t, before, after, 4)
}
