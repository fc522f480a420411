package warc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestDirectoryIsPaid: the memory for the directory is paid.
func TestDirectoryIsPaid(t *testing.T) {
	data := string(sourcetest.Zip(t, sourcetest.ZipEntry{Name: "a", Data: []byte(strings.Repeat("x", 1<<20))}))
	for budget, fits := range map[int64]bool{1 << 19: true, 100: false} {
		t.Run(fmt.Sprint(budget), func(t *testing.T) {
			m := &meter.Meter{}
			m.Limit(0, budget)
			if _, err := openZip(strings.NewReader(data), int64(len(data)), m); errors.Is(err, meter.Over{}) == fits {
				t.Fatal(err)
			}
		})
	}
}

// TestNoDirectory: a file without a readable directory is cut off or damaged, and the error says so. It never has the
// text of the standard library.
func TestNoDirectory(t *testing.T) {
	good := string(sourcetest.Zip(t, sourcetest.ZipEntry{Name: "a", Data: []byte("data")},
		sourcetest.ZipEntry{Name: "b", Data: []byte("data")}))
	end := strings.LastIndex(good, "PK\x05\x06")
	directory := strings.Index(good, "PK\x01\x02")
	// in64 has the end of its directory at a position that only a 64-bit number can express.
	in64 := func(at uint64) string {
		locator := binary.LittleEndian.AppendUint64([]byte("PK\x06\x07\x00\x00\x00\x00"), at)
		locator = binary.LittleEndian.AppendUint32(locator, 1) // number of disks
		return good[:end] + string(locator) + "PK\x05\x06" + strings.Repeat("\x00", 4) +
			strings.Repeat("\xff", 12) + "\x00\x00"
	}
	for name, data := range map[string]string{
		"empty":                            "",
		"not a zip file":                   strings.Repeat("text ", 1000),
		"cut off in the directory":         good[:end],
		"cut off in the end":               good[:len(good)-1],
		"a comment that is too long":       good[:len(good)-2] + "\x01\x00",
		"fewer entries than the end says":  good[:end+10] + "\x03\x00" + good[end+12:],
		"a damaged directory":              good[:directory] + "xx" + good[directory+2:],
		"a directory before the start":     good[:end+12] + "\x00\x00\x00\x7f" + good[end+16:],
		"a 64-bit end at a negative place": in64(1<<64 - 100),
		"a 64-bit end past the file":       in64(1 << 40),
		"a 64-bit end that is none":        in64(0),
	} {
		t.Run(name, func(t *testing.T) {
			const want = "the zip file is cut off or damaged: it has no directory"
			if _, err := openZip(strings.NewReader(data), int64(len(data)), nil); err == nil ||
				err.Error() != want {
				t.Errorf("%v, want: %s", err, want)
			}
		})
	}
}

// TestOpenErrors: an error of the disk is not reported as damage.
func TestOpenErrors(t *testing.T) {
	if _, err := WACZ(filepath.Join(t.TempDir(), "missing"), &capture.Stats{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	data := sourcetest.Zip(t, sourcetest.ZipEntry{Name: "a", Data: []byte("data")})
	file, err := os.Open(sourcetest.WriteFile(t, string(data), t.TempDir(), "a.zip"))
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	if _, err := openZip(file, int64(len(data)), nil); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a file that cannot be read: %v", err)
	}
}
