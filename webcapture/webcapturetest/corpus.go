package webcapturetest

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Corpus returns the paths of real PDF files in ../shared/corpus next to the repository, for example of
// "real/chromium+pdfium__encrypted". The argument is the beginning of their names with their folder. Tests have
// expectations for these files: testdata/corpus.txt names them. Without the corpus, Corpus returns nil.
func Corpus(prefixes ...string) []string { return corpusFiles(true, prefixes) }

// NewInCorpus is Corpus for files that testdata/corpus.txt does not name. The only expectation for such a file is that
// nothing panics.
func NewInCorpus(prefixes ...string) []string { return corpusFiles(false, prefixes) }

// NeedCorpus is Corpus for tests that skip without such a file.
func NeedCorpus(t testing.TB, prefixes ...string) []string {
	t.Helper()
	paths := Corpus(prefixes...)
	if len(paths) == 0 {
		t.Skip("no corpus next to the repository")
	}
	return paths
}

func corpusFiles(named bool, prefixes []string) (paths []string) {
	root, names := namedFiles()
	all, _ := filepath.Glob(filepath.Join(root, "..", "shared", "corpus", "*", "*.pdf"))
	for _, path := range all {
		name := filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
		hasPrefix := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		if slices.Contains(names, name) == named && slices.ContainsFunc(prefixes, hasPrefix) {
			paths = append(paths, path)
		}
	}
	return paths
}

// namedFiles returns the root of the repository, and the lines of testdata/corpus.txt. The root is the folder above the
// working directory that has go.mod. Without it, as in a copied test program, nothing is named.
var namedFiles = sync.OnceValues(func() (root string, names []string) {
	root = "."
	for range 8 {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		root = filepath.Join(root, "..")
	}
	f, err := os.Open(filepath.Join(root, "testdata", "corpus.txt"))
	if err != nil {
		return root, nil
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		names = append(names, lines.Text())
	}
	return root, names
})
