//go:build !cloud

package command

import (
	"bytes"
	"strings"
	"testing"
)

// TestNotBuilt: a program without support for object stores says so in one line, instead of reporting a missing
// file.
func TestNotBuilt(t *testing.T) {
	const notBuilt, isFile = "built without object stores: build with -tags cloud",
		"a file URL; name the file by its path"
	for name, why := range map[string]string{"s3://bucket/a.pdf": notBuilt, "file:///C:/a.pdf": isFile,
		"file:///C|/a.pdf": isFile} {
		t.Run(name, func(t *testing.T) {
			for _, args := range [][]string{
				{"audit", "--no-config", name}, {"list", name}, {"diff", name, name}, {"rewrite", name},
				{"name", "find", name}, {"digest", name},
			} {
				var out bytes.Buffer
				code, said := run(strings.NewReader(""), &out, args...)
				if got, says := strings.TrimPrefix(said, "webcap: "), name+": "+why+"\n"; code != exitFailed ||
					got != says {
					t.Errorf("%q: exit %d: %s, want %s", args, code, said, says)
				}
			}
		})
	}
}
