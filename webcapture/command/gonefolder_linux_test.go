package command

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// If the working directory is gone, its name is an error, and never an empty text in a configuration.
func TestWorkingDirectoryIsGone(t *testing.T) {
	dir := t.TempDir() + "/gone"
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if folder, err := os.Getwd(); err == nil {
		t.Fatalf("the system still names %s", folder)
	}
	fails := func(what string, err error) {
		if err == nil || !strings.Contains(err.Error(), "getwd") {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := readConfig("none")
	fails("a configuration", err)
	_, err = folderSetting()
	fails("a run", err)
}

// In a working directory that was removed, commands that need it fail with a message, and no command writes anything.
// Other systems than Linux do not let it be removed, or still know its name.
func TestRemovedWorkingDirectory(t *testing.T) {
	in := t.TempDir()
	writePDF(t, filepath.Join(in, "a.pdf"), brokenKey)
	results := resultsOf(t, t.TempDir(), "a.json")
	gone, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(gone)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"rewrite " + in:                      "webcap: getwd: no such file or directory\n",
		"rewrite " + in + " --journal " + in: "webcap: getwd: no such file or directory\n",
		"report " + results:                  "webcap: getwd: no such file or directory\n",
		"cluster submit " + in:               "webcap: getwd: no such file or directory\n",
		"audit " + in:                        "webcap: getwd: no such file or directory\n",
	} {
		t.Run(args, func(t *testing.T) {
			code, stderr := run(nil, io.Discard, strings.Fields(args)...)
			if code != exitFailed || stderr != want {
				t.Errorf("exit %d, it says %q, want %q", code, stderr, want)
			}
		})
	}
}
