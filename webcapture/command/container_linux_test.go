package command

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// image is the file tree of a container image, and how its program runs.
type image struct {
	root, workdir string
	uid, gid      uint32
	entry         []string
}

// buildCommand matches a call of the Go toolchain or of mkdir without any other command. Quoted text cannot end it.
var buildCommand = regexp.MustCompile(`^(([A-Z_]+=[\w$]* )*go (mod download|build)( "[^"` + "`" + `]*"| [\w./-]+)*` +
	`|mkdir( -[mp]| \w[\w/]*)+)$`)

// buildImage does what .release/Containerfile says, without its base image: RUN calls the programs of this machine.
func buildImage(t *testing.T) *image {
	t.Helper()
	text := readFile(t, root+"/.release/Containerfile")
	var img *image
	stages := map[string]string{} // folders by name
	for _, l := range lines(strings.ReplaceAll(text, "\\\n", "")) {
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		name, args, _ := strings.Cut(l, " ")
		words := strings.Fields(args)
		switch name {
		case "FROM":
			img = &image{root: t.TempDir(), workdir: "/"}
			if last := len(words) - 1; last > 1 && words[last-1] == "AS" {
				stages[words[last]] = img.root
			} else if args != "scratch" {
				t.Errorf("the image is made from %s", args)
			}
		case "WORKDIR":
			img.workdir = args
			if err := os.MkdirAll(filepath.Join(img.root, args), 0o777); err != nil {
				t.Fatal(err)
			}
		case "COPY":
			from := root
			if stage, ok := strings.CutPrefix(words[0], "--from="); ok {
				from, words = stages[stage], words[1:]
			}
			img.copyInto(t, from, words)
		case "RUN":
			img.build(t, args)
		case "USER":
			if _, err := fmt.Sscanf(args, "%d:%d", &img.uid, &img.gid); err != nil {
				t.Fatalf("USER %s: %v", args, err)
			}
		case "ENTRYPOINT":
			if err := json.Unmarshal([]byte(args), &img.entry); err != nil {
				t.Fatalf("ENTRYPOINT %s: %v", args, err)
			}
		case "ARG", "LABEL":
		default:
			t.Fatalf("%s %s: an instruction without a test", name, args)
		}
	}
	if img.uid == 0 || img.gid == 0 {
		t.Error("the program runs as root")
	}
	return img
}

// copyInto copies files and the content of folders to the last of the names.
func (img *image) copyInto(t *testing.T, from string, names []string) {
	t.Helper()
	sources, to := names[:len(names)-1], names[len(names)-1]
	if !filepath.IsAbs(to) {
		// Join removes the slash at the end.
		to = strings.TrimSuffix(img.workdir, "/") + "/" + to
	}
	for _, name := range sources {
		source, target := filepath.Join(from, name), filepath.Join(img.root, to)
		info, err := os.Stat(source)
		if err != nil {
			t.Fatal(err)
		}
		if !info.IsDir() && strings.HasSuffix(to, "/") {
			target = filepath.Join(target, filepath.Base(name))
		}
		copyTree(t, source, target)
	}
}

// copyTree copies a file or the content of a folder, with permissions.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, strings.TrimPrefix(name, from))
		if !d.IsDir() {
			copyFile(t, name, target)
			return nil
		}
		if err := os.MkdirAll(target, 0o777); err != nil || name == from {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(target, info.Mode())
	})
	if err != nil {
		t.Fatal(err)
	}
}

// build runs a command in the working folder.
func (img *image) build(t *testing.T, command string) {
	t.Helper()
	if !buildCommand.MatchString(command) {
		t.Fatalf("RUN %s: neither the Go toolchain nor mkdir alone", command)
	}
	c := exec.Command("sh", "-c", command)
	c.Dir = filepath.Join(img.root, img.workdir)
	c.Env = append(os.Environ(), "VERSION=v"+stamps["Version"], "REVISION="+stamps["FullCommit"],
		"COMMITTED="+stamps["CommitDate"], "TARGETOS="+runtime.GOOS, "TARGETARCH="+runtime.GOARCH)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("RUN %s: %v\n%s", command, err, out)
	}
}

// run runs the program in its file tree as its user, and returns what it prints. Root changes the user, and any other
// user becomes it in a namespace.
func (img *image) run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	c := exec.Command(img.entry[0], append(img.entry[1:], args...)...)
	c.Dir, c.Env = img.workdir, []string{}
	c.SysProcAttr = &syscall.SysProcAttr{Chroot: img.root,
		Credential: &syscall.Credential{Uid: img.uid, Gid: img.gid}}
	if os.Getuid() != 0 {
		c.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		c.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: int(img.uid), HostID: os.Getuid(), Size: 1}}
		c.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: int(img.gid), HostID: os.Getgid(), Size: 1}}
	}
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) {
		t.Skip("needs root or user namespaces: ", err)
	}
	if c.ProcessState == nil {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), out.String(), errs.String()
}

// The image is built from the repository alone. Its program runs without rights, and can make temporary files.
func TestContainerfileBuilds(t *testing.T) {
	releaseBuilds(t)
	img := buildImage(t)
	exe := filepath.Join(img.root, img.entry[0])
	checkBuilt(t, exe, runtime.GOOS, runtime.GOARCH)
	checkStamp(t, exe)
	data := filepath.Join(img.root, "data")
	copyFile(t, root+"/testdata/site-optimized.pdf", filepath.Join(data, "site.pdf"))
	for i := range 100 { // the report waits in a file if it has more than a megabyte
		copyFile(t, root+"/testdata/site-optimized.pdf", fmt.Sprintf("%s/many/%d.pdf", data, i))
	}
	largeMember(t, filepath.Join(data, "large.zip"))
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"audit", "-f", "html", "many"}, exitFindings, "<!DOCTYPE html>"},
		{[]string{"rewrite", "site.pdf"}, exitClean, "site.pdf: "},
		{[]string{"audit", "large.zip"}, exitFindings, "large.zip!site.pdf: "},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			code, out, errs := img.run(t, tt.args...)
			if code != tt.code || !strings.HasPrefix(out, tt.want) {
				t.Errorf("exit %d, want %d and %q\n%.200s\n%s", code, tt.code, tt.want, out, errs)
			}
		})
	}
}

// largeMember makes a zip file whose only member does not fit into the memory for members.
func largeMember(t *testing.T, name string) {
	t.Helper()
	pdf := strings.Replace(readFile(t, root+"/testdata/site-optimized.pdf"), "startxref",
		"%"+strings.Repeat(" ", 2<<20)+"\nstartxref", 1)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateHeader(&zip.FileHeader{Name: "site.pdf"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(w, pdf)
	if err := errors.Join(err, z.Close(), os.WriteFile(name, b.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
}
