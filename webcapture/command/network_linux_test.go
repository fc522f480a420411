package command

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// withoutSockets is the name of an environment variable. If it is set, the test becomes a process that the kernel kills
// if it opens a socket. The value has the arguments of the command that the process executes, one per line.
const withoutSockets = "WEBCAP_TEST_WITHOUT_SOCKETS"

// Commands other than cluster open no socket, although code for it is linked.
func TestNothingDialsOrListens(t *testing.T) {
	if args, ok := os.LookupEnv(withoutSockets); ok {
		forbidSockets(t)
		if args == "" {
			net.Listen("tcp", "127.0.0.1:0")
			return
		}
		os.Unsetenv(withoutSockets)
		t.Fatal(syscall.Exec("/proc/self/exe", strings.Split(args, "\n"), os.Environ()))
	}
	data, dir := filepath.Join(root, "testdata"), t.TempDir()
	pdf, warc := filepath.Join(data, "capture.pdf"), filepath.Join(data, "capture.warc")
	for _, row := range []struct {
		name   string
		args   []string
		killed bool
	}{
		{"a listener", nil, true},
		{"audit", []string{"webcap", "audit", "--source", warc, pdf}, false},
		{"audit of several files", []string{"webcap", "audit", pdf, filepath.Join(data, "site.pdf")}, false},
		{"source list", []string{"webcap", "source", "list", warc}, false},
		{"list", []string{"webcap", "list", pdf}, false},
		{"find", []string{"webcap", "find", "http://no.example/", pdf}, false},
		{"export", []string{"webcap", "export", "-o", filepath.Join(dir, "captures.warc.gz"), pdf}, false},
		{"rewrite", []string{"webcap", "rewrite", pdf, "-o", filepath.Join(dir, "new.pdf")}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := exec.Command(os.Args[0], "-test.run=^TestNothingDialsOrListens$")
			c.Env = append(os.Environ(), withoutSockets+"="+strings.Join(row.args, "\n"))
			out, _ := c.CombinedOutput()
			status := c.ProcessState.Sys().(syscall.WaitStatus)
			if killed := status.Signaled() && status.Signal() == syscall.SIGSYS; killed != row.killed {
				t.Errorf("killed for a socket: %v, want %v\n%s", killed, row.killed, out)
			}
			if code := status.ExitStatus(); !row.killed && code > 1 { // 1: findings
				t.Errorf("exit code %d\n%s", code, out)
			}
		})
	}
}

// forbidSockets makes the kernel kill this process if the current thread, or the program that it executes, opens a
// socket. The goroutine keeps its thread.
func forbidSockets(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}, // the number of the system call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: unix.SYS_SOCKET},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_KILL_PROCESS},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0,
		0); err != nil {
		t.Fatal(err)
	}
}
