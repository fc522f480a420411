package webcapturetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Program returns the path of the first program in names that is installed. A name with a slash is a file, such as
// "/usr/share/java/pdfbox.jar" or "../testdata/warc/node_modules/warcio"; any other name is looked up in PATH.
//
// If none is installed, Program skips the test with "needs " and the first name. If the environment has
// WEBCAP_TEST_PROGRAMS=required, such a test fails instead: .ci/run sets it where all programs must be installed.
func Program(t testing.TB, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, ok := installed(name); ok {
			return path
		}
	}
	if os.Getenv("WEBCAP_TEST_PROGRAMS") == "required" {
		t.Fatal("needs " + names[0])
	}
	t.Skip("needs " + names[0])
	return ""
}

func installed(name string) (path string, ok bool) {
	if strings.Contains(filepath.ToSlash(name), "/") {
		_, err := os.Stat(name)
		return name, err == nil
	}
	path, err := exec.LookPath(name)
	return path, err == nil
}
