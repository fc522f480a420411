package oserror

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

// A file that another program has locked, in a folder with a long path, is in use.
func TestReasonOfLockedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("a", 150), strings.Repeat("b", 150), "locked.pdf")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	name, err := windows.UTF16PtrFromString(`\\?\` + path)
	if err != nil {
		t.Fatal(err)
	}
	const unshared = 0
	h, err := windows.CreateFile(name, windows.GENERIC_READ, unshared, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer windows.CloseHandle(h)
	f, err := os.Open(path)
	if err == nil {
		f.Close()
		t.Fatal("a locked file opens")
	}
	if got := Reason(err).Error(); got != "in use by another program" {
		t.Errorf("%v is %s", err, got)
	}
}
