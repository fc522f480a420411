package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestTerminalIsAskedForPasswords: only for a file that needs one, again if it is wrong, never for a folder, and
// not if a password was given.
func TestTerminalIsAskedForPasswords(t *testing.T) {
	dir := t.TempDir()
	locked, open := filepath.Join(dir, "locked.pdf"), filepath.Join(dir, "open.pdf")
	write := func(path string, e *webcapturetest.Encryption) {
		if err := os.WriteFile(path, webcapturetest.Sets(1,
			webcapturetest.Options{}).Bytes(webcapturetest.Layout{Encryption: e}), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(locked, &webcapturetest.Encryption{Revision: 4, User: "right"})
	write(open, nil)
	passwords := t.TempDir()
	for _, name := range []string{"right", "wrong"} {
		if err := os.WriteFile(filepath.Join(passwords, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args    string
		answers string
		asked   int
		code    int
	}{
		{"audit LOCKED", "right", 1, exitClean},
		{"list LOCKED", "wrong right", 2, exitClean},
		{"rewrite LOCKED", "right", 1, exitClean},
		{"diff OPEN LOCKED", "right", 1, exitClean},
		{"audit LOCKED", "a b c right", 3, exitFailed},
		{"audit OPEN", "", 0, exitClean},
		{"audit --password-file RIGHT LOCKED", "", 0, exitClean},
		{"audit --password-file WRONG LOCKED", "", 0, exitFailed},
		{"audit DIR", "", 0, exitFailed},
		{"audit missing.pdf", "", 0, exitFailed},
	} {
		t.Run(tt.args, func(t *testing.T) {
			answers := strings.Fields(tt.answers)
			asked := 0
			p := &program{stdin: strings.NewReader(""), stdout: bufio.NewWriter(io.Discard), stderr: io.Discard}
			p.ask = func(path string) (string, error) {
				asked++
				if path != locked {
					t.Errorf("%s: asked for %s", tt.args, path)
				}
				return answers[asked-1], nil
			}
			args := strings.NewReplacer("LOCKED", locked, "OPEN", open, "DIR", dir,
				"RIGHT", filepath.Join(passwords, "right"), "WRONG", filepath.Join(passwords, "wrong")).Replace(tt.args)
			err := p.run(context.Background(), append([]string{"webcap"}, strings.Fields(args)...))
			if code := p.exit(err); code != tt.code || asked != tt.asked {
				t.Errorf("%s: exit %d (%v), asked %d times, want %d, %d", tt.args, code, err, asked, tt.code, tt.asked)
			}
		})
	}
}

// TestUnreadablePassword: if the terminal disappears, there is an error, and no audit.
func TestUnreadablePassword(t *testing.T) {
	path := filepath.Join(t.TempDir(), "locked.pdf")
	data := webcapturetest.Sets(1,
		webcapturetest.Options{}).Bytes(webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 6,
		User: "x"}})
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	p := &program{stdin: strings.NewReader(""), stdout: bufio.NewWriter(io.Discard), stderr: &stderr}
	p.ask = func(string) (string, error) { return "", errors.New("the terminal is gone") }
	code := p.exit(p.run(context.Background(), []string{"webcap", "audit", path}))
	if code == exitClean || !strings.Contains(stderr.String(), "cannot read the password: the terminal is gone") {
		t.Errorf("exit %d, %s", code, &stderr)
	}
}

// TestEndlessPasswordFile: a file that is not a list of passwords is rejected before it fills the memory.
func TestEndlessPasswordFile(t *testing.T) {
	longest := strings.Repeat("x", maxPasswordFile)
	withOptions(t, "audit --password-file - a.pdf", func(p *program, c *cli.Context) {
		p.stdin = strings.NewReader(longest)
		if list, err := p.filePasswords(c); err != nil || len(list) != 1 || list[0] != longest {
			t.Errorf("of the longest list: %d passwords, %v", len(list), err)
		}
		p.stdin = strings.NewReader(longest + "x")
		if _, err := p.filePasswords(c); err == nil || !strings.Contains(err.Error(), "- is longer than 1048576 bytes") {
			t.Errorf("got %v", err)
		}
	})
}
