package webcapturetest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Vectors runs testdata/vectors/vectors.py, which compares cases with code in other languages. It returns the
// output and the exit code of the program. testdata is the folder of that name, or a copy of it. The test skips
// without Python.
func Vectors(t *testing.T, testdata string, args ...string) (output string, code int) {
	t.Helper()
	python := Program(t, "python3")
	out, err := exec.Command(python, append([]string{filepath.Join(testdata, "vectors", "vectors.py")}, args...)...).
		CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(out), exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out), 0
}

// CopyVectors copies two folders of testdata to a temporary folder: vectors, with the scripts, and cases. change
// changes the text of one file of the copied cases. CopyVectors returns the temporary folder.
func CopyVectors(t *testing.T, testdata, cases, file string, change func(string) string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"vectors", cases} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(testdata, name))); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, cases, file)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := change(string(data))
	if changed == string(data) {
		t.Fatalf("the change does nothing to %s", file)
	}
	if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
