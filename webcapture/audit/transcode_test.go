package audit

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// transcodingRows reads transcoded.tsv: what pdfcpu makes of identifiers.
func transcodingRows(t testing.TB) (ids, keys [][]byte) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(caseDir, "transcoded.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 3 {
			t.Fatalf("transcoded.tsv: %q", line)
		}
		if f[2] == "-" { // pdfcpu refuses the string
			continue
		}
		id, err1 := hex.DecodeString(f[1])
		key, err2 := hex.DecodeString(f[2])
		if err1 != nil || err2 != nil || len(id) != 16 {
			t.Fatalf("transcoded.tsv: %q", line)
		}
		ids, keys = append(ids, id), append(keys, key)
	}
	return ids, keys
}

// TestTranscodedRecognizesPdfcpu: Transcoded recognizes the keys that pdfcpu writes.
func TestTranscodedRecognizesPdfcpu(t *testing.T) {
	ids, keys := transcodingRows(t)
	same := 0
	for i, id := range ids {
		key := keys[i]
		as, ok := rule.Transcoded(id, key)
		if bytes.Equal(id, key) {
			same++
			if ok {
				t.Errorf("Transcoded(%x, the same) = %q, true", id, as)
			}
			continue
		}
		if !ok || as != "UTF-8" {
			t.Errorf("Transcoded(%x, %x) = %q, %t, want UTF-8", id, key, as, ok)
		}
	}
	if len(ids) < 1000 || same > len(ids)/5 {
		t.Errorf("%d rows, %d of them unchanged: the table says little", len(ids), same)
	}
}

// TestTranscodedKnowsNoOthers makes sure that transcoded does not take a key
// for another set's.
func TestTranscodedKnowsNoOthers(t *testing.T) {
	ids, keys := transcodingRows(t)
	r := rand.New(rand.NewPCG(1, 2))
	times := 10
	if webcapturetest.All() {
		times = 50
	}
	for i, id := range ids {
		for range times {
			k := r.IntN(len(keys))
			if bytes.Equal(ids[k], id) || bytes.Equal(keys[k], keys[i]) {
				continue
			}
			if as, ok := rule.Transcoded(id, keys[k]); ok {
				t.Errorf("Transcoded(%x, %x) = %q, but that is the key of %x", id, keys[k], as, ids[k])
			}
			if as, ok := rule.Transcoded(id, ids[k]); ok {
				t.Errorf("Transcoded(%x, %x) = %q, but that is another identifier", id, ids[k], as)
			}
		}
		// One byte more, one less, one other.
		for _, key := range [][]byte{append(bytes.Clone(keys[i]), 'x'), keys[i][:len(keys[i])-1], flip(keys[i], r)} {
			if as, ok := rule.Transcoded(id, key); ok && !bytes.Equal(key, keys[i]) && !isReading(id, key) {
				t.Errorf("Transcoded(%x, %x) = %q, but pdfcpu writes %x", id, key, as, keys[i])
			}
		}
	}
}

// isReading reports whether a changed key may also be a transcoding of the ID: the ID has a backslash, which tools may
// drop, and the key is UTF-8.
func isReading(id, key []byte) bool {
	return bytes.IndexByte(id, '\\') >= 0 && utf8.Valid(key)
}

func flip(b []byte, r *rand.Rand) []byte {
	b = bytes.Clone(b)
	if len(b) > 0 {
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
	}
	return b
}

// TestTranscodedIsTotal makes sure that no bytes make transcoded panic, and
// that no ID is a transcoding of itself.
func TestTranscodedIsTotal(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		id := make([]byte, r.IntN(40))
		for i := range id {
			id[i] = []byte{'\\', '(', ')', '0', '7', 'n', '\r', '\n', 0xfe, 0xff, 0xef, 0xbb, 0xbf, 0xd8, 0xdc,
				byte(r.Uint32())}[r.IntN(16)]
		}
		if _, ok := rule.Transcoded(id, id); ok {
			t.Fatalf("Transcoded(%x, the same) = true", id)
		}
	}
}
