package command

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestWhatIsNotDecodedIsOneLine: commands without findings also report in one line how many objects were skipped
// because the streams of a file decode to too much data.
func TestWhatIsNotDecodedIsOneLine(t *testing.T) {
	if testing.Short() {
		t.Skip("decodes gigabytes")
	}
	bombs := webcapturetest.Bombs()
	b := bombs[slices.IndexFunc(bombs,
		func(b webcapturetest.Bomb) bool { return b.Name == "300 object streams of 15 MB" })]
	var data bytes.Buffer
	if err := b.Write(&data); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bomb.pdf")
	if err := os.WriteFile(path, data.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	code, stderr := run(nil, &out, "list", "--tree", path)
	if code != exitFailed || !strings.Contains(stderr, "1 part could not be read, the first: file: "+b.Cap) {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if n := strings.Count(out.String(), "takes more than"); n > 1 {
		t.Errorf("%d times that streams decode to too much", n)
	}
}
