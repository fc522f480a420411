package warc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// listed returns the captures of an archive, one per line: URL, data as stored, and the reason of a doubt.
func listed(t *testing.T, s *capture.Index) (lines []string) {
	t.Helper()
	for c, err := range s.All {
		if err != nil {
			lines = append(lines, "error")
			continue
		}
		line := c.URL
		if c.Redirect != "" {
			line += " to " + c.Redirect
		}
		if c.Body != nil {
			data, _ := sourcetest.ReadAll(c)
			line += fmt.Sprintf(" %q", data)
		}
		if c.Doubt != "" {
			line += ": " + c.Doubt
		}
		lines = append(lines, line)
	}
	return lines
}

// resourceOf returns a resource record that declares another length than it has.
func resourceOf(url, data string, more int) string {
	text := sourcetest.WARCRecord("resource", url, data)
	length := fmt.Sprintf("Content-Length: %d\r\n", len(data))
	return strings.Replace(text, length, fmt.Sprintf("Content-Length: %d\r\n", len(data)+more), 1)
}

// TestDamagedRecords: what is listed of an archive with an odd record between two good ones. What is skipped may hide a
// record of any URL.
func TestDamagedRecords(t *testing.T) {
	const ending = ": the source is damaged: the record may be wrong"
	odd := sourcetest.WARCRecord("resource", "http://odd/", "odd data")
	for _, row := range []struct {
		name, odd string
		packing   int // index in sourcetest.Packings
		want      string
		skips     string
	}{
		{"good", odd, 0, `http://odd/ "odd data"`, ""},
		{"no line ends", strings.TrimSpace(odd), 0, `http://odd/ "odd data"` + ending, ""},
		{"one line end", strings.TrimSuffix(odd, "\r\n"), 0, `http://odd/ "odd data"` + ending, ""},
		{"three line ends", odd + "\r\n", 0, `http://odd/ "odd data"` + ending, ""},
		{"LF for line ends", strings.TrimSpace(odd) + "\n\n", 0, `http://odd/ "odd data"` + ending, ""},
		{"no line ends in a member", strings.TrimSpace(odd), 1, `http://odd/ "odd data"` + ending, ""},
		{"a URL after one line end", strings.TrimSuffix(odd, "\r\n") + "http://noise/\r\n", 0, "", "1 " + reasonLength},
		{"NULs after it", odd + "\x00\x00\x00", 0, `http://odd/ "odd data"`, ""},
		{"too short", resourceOf("http://odd/", "odd data", -3), 0, "", "1 " + reasonLength},
		{"too short by the line ends", resourceOf("http://odd/", "odd data\r\n\r\n", -4), 0,
			`http://odd/ "odd data"` + ending, ""},
		{"too long", resourceOf("http://odd/", "odd data", 100), 0, "", "1 " + reasonLength},
		{"too long in a member", resourceOf("http://odd/", "odd data", 100), 1, "", "1 " + reasonLength},
		{"longer than the file", resourceOf("http://odd/", "odd data", 1<<20), 0, "", "1 " + reasonLength},
		{"without a length", strings.Replace(odd, "Content-Length", "X-Length", 1), 0, "", "1 " + reasonLength},
		{"no record", "noise\r\n", 0, "", "1 " + reasonNotRecord},
		{"no record in a member", "noise\r\n", 1, "", "1 " + reasonNotRecord},
		{"lines that are no records", "noise\r\nWARC\r\nnoise\r\n\r\n", 0, "", "1 " + reasonNotRecord},
		{"noise before a version", "noise", 0, "", "1 " + reasonNotRecord},
		{"a long header", "WARC/1.0\r\nX: " + strings.Repeat("x", maxRecordHeader) + "\r\n\r\n", 0, "", "1 " + reasonHeader},
	} {
		t.Run(row.name, func(t *testing.T) {
			first, last := sourcetest.PageRecord("http://first/", "1"), sourcetest.PageRecord("http://last/", "2")
			s := openBytes(t, "a.warc", sourcetest.Packings[row.packing].Pack([]string{first, row.odd, last}))
			want := []string{`http://first/ "1"`, row.want, `http://last/ "2"`}
			if row.want == "" {
				want = []string{want[0], want[2]}
			}
			sourcetest.Equal(t, "captures", listed(t, s), want)
			if got := sourcetest.SkipLine(s); got != row.skips || s.Stats().Lost != (got != "") {
				t.Errorf("skipped %q, lost %v", got, s.Stats().Lost)
			}
		})
	}
}

// arcOf returns an ARC record that declares another length than it has. A newline follows the block.
func arcOf(url, block string, more int) string {
	return fmt.Sprintf("%s 1.2.3.4 20200102030405 text/html %d\n%s\n", url, len(block)+more, block)
}

// TestARCLengths: the length of an ARC record may be too large by one. Then the data prove nothing.
func TestARCLengths(t *testing.T) {
	const data = "odd data"
	block := sourcetest.Reply("200 OK", data)
	about := "filedesc://a.arc 0.0.0.0 20200102030405 text/plain 9\n1 0 test\n\n"
	for _, row := range []struct {
		name, odd string
		doubt     bool
	}{
		{"right", arcOf("http://odd/", block, 0), false},
		{"too large by one", arcOf("http://odd/", block, 1), true},
	} {
		for _, gz := range []bool{false, true} {
			t.Run(fmt.Sprint(row.name, gz), func(t *testing.T) {
				all := []string{about, arcOf("http://first/", sourcetest.Reply("200 OK", "1"), 0), row.odd,
					arcOf("http://last/", sourcetest.Reply("200 OK", "2"), 0)}
				data := []byte(strings.Join(all, ""))
				if gz {
					data = sourcetest.Gzip(string(data))
				}
				s := openBytes(t, "a.arc", data)
				c := sourcetest.LookupOne(t, s, "http://odd/")
				if strings.HasPrefix(c.Doubt, "the source is damaged: the record") != row.doubt {
					t.Errorf("doubt %v", c.Doubt)
				}
				sourcetest.ExpectLookup(t, s, "http://last/", "http://last/ 2020-01-02 stored \"2\"\n")
			})
		}
	}
}

// TestDamagedMembers: if the checksum of a member is wrong, its record is not listed if it is alone in the member. Any
// record may be lost.
func TestDamagedMembers(t *testing.T) {
	records := []string{sourcetest.PageRecord("http://a/1", "one"), sourcetest.PageRecord("http://a/2", "two"),
		sourcetest.PageRecord("http://a/3", "three")}
	for _, row := range []struct {
		name    string
		members []string
		want    []string
	}{
		{"one record", records, []string{`http://a/1 "one"`, `http://a/3 "three"`}},
		{"two records", []string{records[0], records[1] + records[2]}, []string{`http://a/1 "one"`,
			`http://a/2 "two"`, `http://a/3 "three"`}},
		{"two before", []string{records[0] + records[1], records[2]}, []string{`http://a/1 "one"`,
			`http://a/2 "two"`, `http://a/3 "three"`}},
		{"no record", []string{records[0], sourcetest.WARCRecord("warcinfo", "", "x"), records[1]},
			[]string{`http://a/1 "one"`, `http://a/2 "two"`}},
		{"no record before", []string{"", records[0] + records[1]}, []string{`http://a/1 "one"`,
			`http://a/2 "two"`}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var data []byte
			for i, m := range row.members {
				gz := sourcetest.Gzip(m)
				if i == 1 {
					gz[len(gz)-8] ^= 1
				}
				data = append(data, gz...)
			}
			s := openBytes(t, "a.warc.gz", data)
			sourcetest.Equal(t, "captures", listed(t, s), row.want)
			if got := sourcetest.SkipLine(s); got != "1 "+errDamage.Error() || !s.Stats().Lost {
				t.Errorf("skipped %q", got)
			}
		})
	}
}

// TestARCLengthAtTheEnd: if the last block of a file ends in LF, this may be the LF that follows a block, so the length
// may be too large by one.
func TestARCLengthAtTheEnd(t *testing.T) {
	whole := arcOf("http://odd/", sourcetest.Reply("200 OK", "odd"), 0)
	for _, row := range []struct {
		name, data, want string
	}{
		{"right", whole, ""},
		{"right, and nothing follows", strings.TrimSuffix(whole, "\n"),
			"the source is damaged: the record may be wrong"},
		{"too large by one", arcOf("http://odd/", sourcetest.Reply("200 OK", "odd"), 1),
			"the source is damaged: the record may be wrong"},
		{"a block that ends in LF", arcOf("http://odd/", sourcetest.Reply("200 OK", "odd\n"), 0), ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := sourcetest.LookupOne(t, openBytes(t, "a.arc", []byte(row.data)), "http://odd/")
			if got := sourcetest.MustSum(t, c).Doubt; got != row.want {
				t.Errorf("%s, want %s", got, row.want)
			}
		})
	}
}

// TestManyDamagedMembers: the members between damaged members are found.
func TestManyDamagedMembers(t *testing.T) {
	const n = 192
	good := string(sourcetest.Gzip(sourcetest.WARCRecord("resource", "http://a/", "data")))
	odd := sourcetest.Gzip(sourcetest.WARCRecord("resource", "http://odd/", "odd data"))
	odd[len(odd)-8] ^= 1
	for _, row := range []struct{ name, odd, reason string }{
		{"a wrong checksum", string(odd), errDamage.Error()},
		{"noise", "noise", errDamage.Error()},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := openBytes(t, "a.warc.gz", []byte(good+strings.Repeat(row.odd+good, n)))
			if got := sourcetest.SkipLine(s); got != fmt.Sprintf("%d %s", n, row.reason) || s.Stats().Kept != n+1 {
				t.Errorf("skipped %q, kept %d, want %d", got, s.Stats().Kept, n+1)
			}
		})
	}
}

// TestShortARCLength: the rest of a block with a wrong length is not a record, although it begins like a URL.
func TestShortARCLength(t *testing.T) {
	const more = "http://b/ text"
	last := arcOf("http://last/", sourcetest.Reply("200 OK", "2"), 0)
	odd := arcOf("http://odd/", sourcetest.Reply("200 OK", "odd "+more), -len(more))
	s := openBytes(t, "a.arc", []byte(odd+last))
	sourcetest.Equal(t, "captures", listed(t, s), []string{`http://last/ "2"`})
}
