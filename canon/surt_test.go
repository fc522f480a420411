package canon

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// npm's warcio makes the same keys. The test needs its packages. URLs there are text, so the vectors have no bytes
// that are not UTF-8.
func TestSURTByWarcio(t *testing.T) {
	const tools = "../testdata/warc"
	webcapturetest.Program(t, tools+"/node_modules/warcio")
	webcapturetest.Program(t, "node")
	var urls, keys []string
	vectors := rows(t, "surt.tsv", 2)
	for _, row := range vectors {
		urls = append(urls, row[0])
	}
	in, err := json.Marshal(urls)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "surt.mjs")
	cmd.Dir, cmd.Stdin = tools, bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &keys); err != nil || len(keys) != len(urls) {
		t.Fatalf("%v: %s", err, out)
	}
	for i, row := range vectors {
		t.Run(row[0], func(t *testing.T) {
			if keys[i] != row[1] {
				t.Errorf("warcio makes %q, want %q", keys[i], row[1])
			}
		})
	}
}

// The Chinese and the Czech sample are those of RFC 3492, 7.1.
func TestPunycode(t *testing.T) {
	for label, want := range map[string]string{
		"ascii":                       "ascii",
		"bücher":                      "xn--bcher-kva",
		"他们为什么不说中文":                   "xn--ihqwcrb4cv8a8dqg056pqjye",
		"pročprostěnemluvíčesky":      "xn--proprostnemluvesky-uyb24dma41a",
		strings.Repeat("é", maxLabel): strings.Repeat("é", maxLabel),
	} {
		t.Run(label, func(t *testing.T) {
			if got := punycode(label); got != want {
				t.Errorf("punycode(%q) = %q, want %q", label, got, want)
			}
		})
	}
}
