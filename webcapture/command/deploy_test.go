package command

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
	"go.yaml.in/yaml/v4"
)

// deployed lists the files of docs/cluster that programs read, with the number of command lines in each.
var deployed = map[string]int{"compose.yaml": 2, "kubernetes.yaml": 1, "webcap-queue.service": 0,
	"webcap-worker@.service": 1}

// The command lines in docs/cluster are valid.
func TestDeploymentsRunWhatThereIs(t *testing.T) {
	app := (&program{}).app()
	for name, want := range deployed {
		text, err := os.ReadFile(filepath.Join(root, "docs/cluster", name))
		if err != nil {
			t.Fatal(err)
		}
		var lines [][]string
		if strings.HasSuffix(name, ".yaml") {
			lines = yamlCommands(t, name, text)
		} else {
			for line := range strings.Lines(string(text)) {
				if rest, ok := strings.CutPrefix(line, "ExecStart=/usr/bin/webcap "); ok {
					lines = append(lines, strings.Fields(rest))
				}
			}
		}
		if len(lines) != want {
			t.Errorf("%s has %d command lines, want %d", name, len(lines), want)
		}
		for _, args := range lines {
			c, n := commandOf(app, args)
			if c == nil || n != 2 {
				t.Errorf("%s runs %q", name, args)
				continue
			}
			if _, _, err := parseLine(t.Context(), app, args); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// yamlCommands returns the lists in YAML documents that begin with "cluster".
func yamlCommands(t *testing.T, name string, text []byte) (lines [][]string) {
	t.Helper()
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.SequenceNode && len(n.Content) > 0 && n.Content[0].Value == "cluster" {
			var args []string
			for _, c := range n.Content {
				args = append(args, c.Value)
			}
			lines = append(lines, args)
		}
		for _, c := range n.Content {
			walk(c)
		}
	}
	for dec := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var doc yaml.Node
		err := dec.Decode(&doc)
		if err == io.EOF {
			return lines
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		walk(&doc)
	}
}

// Systemd accepts the units. It may complain that the program is not installed here.
func TestUnitsAreTaken(t *testing.T) {
	webcapturetest.Program(t, "systemd-analyze")
	for name := range deployed {
		if !strings.HasSuffix(name, ".service") {
			continue
		}
		out, err := exec.Command("systemd-analyze", "verify",
			filepath.Join(root, "docs/cluster", name)).CombinedOutput()
		if text := string(out); err != nil && !strings.Contains(text, " is not executable") ||
			strings.Contains(text, "Unknown") {
			t.Errorf("%s: %v: %s", name, err, text)
		}
	}
}
