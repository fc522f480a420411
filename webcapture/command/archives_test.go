package command

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// archiveFile writes an archive of files, a zip or tar.gz file depending on its name: archive NAME FILE...
func archiveFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: archive NAME FILE...")
	}
	var b bytes.Buffer
	var add func(name, data string)
	var end func()
	if strings.HasSuffix(args[0], ".zip") {
		z := zip.NewWriter(&b)
		add = func(name, data string) {
			w, err := z.Create(name)
			ts.Check(err)
			_, err = w.Write([]byte(data))
			ts.Check(err)
		}
		end = func() { ts.Check(z.Close()) }
	} else {
		g := gzip.NewWriter(&b)
		w := tar.NewWriter(g)
		add = func(name, data string) {
			ts.Check(w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data))}))
			_, err := w.Write([]byte(data))
			ts.Check(err)
		}
		end = func() { ts.Check(w.Close()); ts.Check(g.Close()) }
	}
	for _, name := range args[1:] {
		add(name, ts.ReadFile(name))
	}
	end()
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o666))
}

// nul writes the lines of a file with NUL as terminators: nul LINES FILE
func nul(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: nul LINES FILE")
	}
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "\n", "\x00")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
}
