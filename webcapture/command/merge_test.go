package command

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Results that cannot be merged give a message, and no other output.
func TestMergeRejects(t *testing.T) {
	dir := t.TempDir()
	whole := resultsOf(t, dir, "whole.ndjson")
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"cut": string(text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1]),
		"empty": "", "missing": strings.Replace(string(text), `"complete":true`, `"complete":false`, 1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"cut": "the results end too early", "empty": "the results end too early",
		".": "not a regular file; merge reads results twice", "gone": "no such file or directory",
		"missing": "the results are not complete"} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			path := filepath.Join(dir, name)
			code, stderr := run(nil, &out, "merge", path)
			if code != exitFailed || !strings.HasPrefix(stderr, "webcap: "+path+": "+want) || out.Len() > 0 ||
				strings.Count(stderr, "\n") != 1 {
				t.Errorf("exit %d, it says %q, want %s; output %q", code, stderr, want, out.String())
			}
		})
	}
	var merged, reported bytes.Buffer
	code, _ := run(nil, &merged, "merge", whole)
	if run(nil, &reported, "report", whole); code != exitClean || merged.String() != reported.String() {
		t.Errorf("exit %d, got\n%swant\n%s", code, merged.String(), reported.String())
	}
}

// Up to five missing parts of an audit are named.
func TestMissingParts(t *testing.T) {
	for _, tt := range []struct{ parts, want string }{
		{"", ""},
		{"1/1", ""},
		{"1/2 2/2", ""},
		{"2/2", "found 1 of 2 parts; missing: 1/2"},
		{"2/6", "found 1 of 6 parts; missing: 1/6, 3/6, 4/6, 5/6, 6/6"},
		{"2/7", "found 1 of 7 parts; missing: 1/7, 3/7, 4/7, 5/7, 6/7, …"},
		{"1/7 7/7", "found 2 of 7 parts; missing: 2/7, 3/7, 4/7, 5/7, 6/7"},
		{"x", `"x" is not a shard such as 1/4`},
	} {
		t.Run(tt.parts, func(t *testing.T) {
			one, _, _ := strings.Cut(tt.parts, " ")
			files := map[string]string{}
			for i, part := range strings.Fields(tt.parts) {
				files[part] = fmt.Sprint("file", i)
			}
			got := ""
			if err := missingParts(one, files); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
