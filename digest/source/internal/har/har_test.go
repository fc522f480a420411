package har

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestDiskFails: an error of the disk is not reported as the end of the file.
func TestDiskFails(t *testing.T) {
	entry := sourcetest.HAREntry("GET", "http://h/1", 200, `{"text": "one"}`, "")
	whole := sourcetest.HAR(entry, entry)
	list := []string{`{"log": {"entries": [{"x": "` + strings.Repeat("x", 2*(1<<20))}
	for n := range whole {
		list = append(list, whole[:n])
	}
	for _, data := range list {
		t.Run(data, func(t *testing.T) {
			h := &har{path: "x", seed: maphash.MakeSeed(), limit: 1 << 20}
			if err := h.index(sourcetest.FailingFile{Data: data}); !errors.Is(err, sourcetest.ErrDisk) {
				t.Errorf("after %d bytes: %v", len(data), err)
			}
		})
	}
}

// The limit is for one entry, not for all of them.
func TestHARLimit(t *testing.T) {
	var list []string
	for i := range 100 {
		list = append(list, sourcetest.HAREntry("GET", fmt.Sprintf("http://h/%d", i), 200,
			fmt.Sprintf(`{"text": "%d"}`, i), ""))
	}
	list = append(list, sourcetest.HAREntry("GET", "http://h/large", 200, `{"text": "`+strings.Repeat("x", 5000)+`"}`,
		""), list[0])
	path := sourcetest.WriteFile(t, sourcetest.HAR(list...), t.TempDir(), "x")
	s, err := readHAR(path, 1000)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	sourcetest.Equal(t, "the last one before", sourcetest.ReadForms(sourcetest.LookupOne(t, s, "http://h/99")),
		[]string{`stored "99"`})
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s),
		[]string{"1 × an entry larger than 1000 bytes, and all later entries"})
	var offset int
	if _, err := fmt.Sscanf(s.Stats().Skipped[0].First, path+", offset %d", &offset); err != nil ||
		!strings.HasPrefix(strings.TrimLeft(sourcetest.HAR(list...)[offset:], ", \n"), list[100]) {
		t.Errorf("the large entry is said to be at %s: %v", s.Stats().Skipped[0].First, err)
	}
	if list := sourcetest.Lookup(t, s, "http://h/large"); len(list) > 0 || s.Stats().Kept != 100 {
		t.Errorf("%d found, Stats() = %+v", len(list), s.Stats())
	}
}

// TestLongHARBody: a long body is read piece by piece, and the entries before and after it are found.
func TestLongHARBody(t *testing.T) {
	// The escapes come to lie on every boundary of what is read at a time.
	const unit = `\ud83d\ude00\\\"é\u00e9\ud83dx`
	const decoded = "😀\\\"é\u00e9x"
	n := 3 * (1 << 20) / len(unit)
	plain, coded := strings.Repeat(unit, n), base64.StdEncoding.EncodeToString([]byte(strings.Repeat("body", (1<<20))))
	path := sourcetest.WriteFile(t, sourcetest.HAR(
		sourcetest.HAREntry("GET", "http://h/1", 200, `{"text": "one"}`, ""),
		sourcetest.HAREntry("GET", "http://h/plain", 200, `{"x": "`+coded+`", "text": "`+plain+`"}`, ""),
		sourcetest.HAREntry("GET", "http://h/2", 200, `{"text": "two"}`, ""),
		sourcetest.HAREntry("GET", "http://h/coded", 200, `{"text": "`+coded+`", "encoding": "base64"}`, ""),
		sourcetest.HAREntry("GET", "http://h/number", 200, `{"text": 7}`, ""),
		sourcetest.HAREntry("GET", "http://h/3", 200, `{"text": "three"}`, ""),
	), t.TempDir(), "x")
	s, err := readHAR(path, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for url, want := range map[string]string{
		"http://h/1": "one", "http://h/2": "two", "http://h/3": "three",
		"http://h/plain": strings.Repeat(strings.Replace(decoded, "x", "\uFFFDx", 1), n),
		"http://h/coded": strings.Repeat("body", (1 << 20)),
	} {
		t.Run(url, func(t *testing.T) {
			r, err := sourcetest.LookupOne(t, s, url).Body.OpenForm(body.Stored)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if got, err := io.ReadAll(r); string(got) != want || err != nil {
				t.Errorf("%s: %d bytes, %v, want %d", url, len(got), err, len(want))
			}
		})
	}
	for _, err := range s.Lookup("http://h/number") {
		if err == nil || !strings.Contains(err.Error(), "not a JSON string") {
			t.Errorf("a number for a body: %v", err)
		}
	}
}

// FuzzStringReader: a long string is decoded as by encoding/json.
func FuzzStringReader(f *testing.F) {
	f.Add(`a\u00e9\ud83d\ude00\ud83d\n\"é`, uint8(3))
	f.Add("\xff\\", uint8(1))
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		text = strings.Repeat(text, min(1+int(n)*100, 1+(1<<20)/(1+len(text)))) // more than what is read at a time
		var want string
		wantErr := json.Unmarshal([]byte(`"`+text+`"`), &want)
		got, err := io.ReadAll(newStringReader(strings.NewReader(text + `"`)))
		if (err == nil) != (wantErr == nil) && !strings.Contains(strings.ReplaceAll(text, `\\`, ""), `"`) ||
			wantErr == nil && string(got) != want {
			t.Errorf("%.100q: %.100q, %v, want %.100q, %v", text, got, err, want, wantErr)
		}
	})
}
