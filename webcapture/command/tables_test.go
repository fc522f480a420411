package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// readers is the folder of programs that read tables; .ci/run installs what they need.
var readers = absolute(root + "/testdata/tables")

// absolute returns an absolute path.
func absolute(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		panic(err)
	}
	return abs
}

// node runs a program of readers, and returns the JSON that it prints, a line for each table.
func node(t *testing.T, stdin, program string, args ...string) (tables [][]map[string]any) {
	t.Helper()
	webcapturetest.Program(t, "node")
	if _, err := os.Stat(readers + "/node_modules"); err != nil {
		t.Skip("needs npm packages of testdata/tables")
	}
	cmd := exec.Command("node", append([]string{filepath.Join(readers, program)}, args...)...)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(stdin), &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, &stderr)
	}
	for l := range bytes.Lines(out) {
		var rows []map[string]any
		if err := json.Unmarshal(l, &rows); err != nil {
			t.Fatalf("%s: %v: %.200s", program, err, l)
		}
		tables = append(tables, rows)
	}
	return tables
}

// collection makes a folder the current one. The folder has captures of a page by Acrobat 8 and 9, between which
// the page changed, and damaged files. collection audits them to tables and to NDJSON, and returns the lines of the
// NDJSON.
func collection(t *testing.T) (lines []map[string]any) {
	t.Helper()
	damaged, err := os.ReadFile(root + "/testdata/site-optimized.pdf")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	write := func(name string, data []byte) {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, version, text string }{{"eight.pdf", "8.0", "old"}, {"again.pdf", "8.0", "old"},
		{"nine.pdf", "9.0", "new"}} {
		page := webcapturetest.Resource{URL: "http://www.example.com/", MediaType: "text/html", Body: []byte(c.text)}
		doc := webcapturetest.Site([]webcapturetest.Resource{page},
			webcapturetest.SiteOptions{Producer: "Acrobat Web Capture " + c.version})
		write(c.name, doc.Bytes(webcapturetest.Layout{}))
	}
	write("damaged.pdf", damaged)
	write("cut.pdf", damaged[:len(damaged)/3])
	if code, stderr := run(nil, io.Discard, "audit", ".", "--output", "parquet:tables", "--output",
		"ndjson:lines"); code != exitFailed {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	text, err := os.ReadFile("lines")
	if err != nil {
		t.Fatal(err)
	}
	for l := range bytes.Lines(text) {
		var line map[string]any
		if err := json.Unmarshal(l, &line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

// column maps a column of a table to a member of a line of NDJSON.
type column struct{ table, line string }

// tablesOf maps tables to the same data in lines of NDJSON.
var tablesOf = []struct {
	table, line string
	columns     []column
}{
	{"inputs", "input", []column{
		{"path", "path"}, {"outcome", "outcome"}, {"size", "size"}, {"sha256", "sha256"},
		{"pdf_version", "file.version"}, {"repaired", "file.repaired"},
		{"producer", "file.producer"}, {"urls", "database.urls"}, {"ids", "database.ids"},
		{"page_sets", "database.pageSets"}, {"image_sets", "database.imageSets"},
	}},
	{"findings", "finding", []column{
		{"path", "path"}, {"rule", "rule"}, {"level", "level"}, {"place", "place.text"}, {"tree", "place.tree"},
		{"key", "place.key.hex"},
		{"content_set", "place.contentSet.num"}, {"message", "message"}, {"fix", "fix.action"},
	}},
	{"entries", "entry", []column{
		{"path", "path"}, {"tree", "tree"}, {"key", "key.hex"}, {"content_set", "contentSet.num"}, {"kind", "kind"},
		{"id", "id.hex"},
		{"created", "created"}, {"retrieved", "retrieved"}, {"expires", "expires"},
	}},
}

// DuckDB and a reader without common code find the same data in the tables as in NDJSON.
func TestTablesAreRead(t *testing.T) {
	lines := collection(t)
	var queries, files []string
	for _, of := range tablesOf {
		file := "tables/" + of.table + ".parquet"
		query := "FROM '" + file + "'"
		if of.table != "inputs" {
			query = "SELECT * REPLACE (lower(hex(key)) AS key) " + query
		}
		queries, files = append(queries, query), append(files, file)
	}
	readers := map[string][][]map[string]any{
		"DuckDB":    node(t, strings.Join(queries, "\n")+"\n", "query.mjs"),
		"hyparquet": node(t, "", "read.mjs", files...),
	}
	for name, tables := range readers {
		t.Run(name, func(t *testing.T) {
			for i, of := range tablesOf {
				var got, want []string
				for _, row := range tables[i] {
					text := ""
					for _, c := range of.columns {
						text += c.table + "=" + plainText(row[c.table]) + " "
					}
					got = append(got, text)
				}
				for _, line := range lines {
					if line["type"] != of.line {
						continue
					}
					text := ""
					for _, c := range of.columns {
						text += c.table + "=" + plainText(member(line, c.line)) + " "
					}
					want = append(want, text)
				}
				slices.Sort(got)
				slices.Sort(want)
				if len(want) == 0 || !slices.Equal(got, want) {
					t.Errorf("%s: %s\n%s\nNDJSON has\n%s", name, of.table, strings.Join(got, "\n"),
						strings.Join(want, "\n"))
				}
			}
		})
	}
}

// member returns a member of a member of a line.
func member(line map[string]any, path string) any {
	var v any = line
	for name := range strings.SplitSeq(path, ".") {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}

var moment = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.000)?(Z|\+00)$`)

// plainText returns a value in a common form.
func plainText(v any) string {
	s := fmt.Sprint(v)
	if f, ok := v.(float64); ok {
		s = fmt.Sprintf("%.0f", f)
	}
	if m := moment.FindStringSubmatch(s); m != nil {
		return m[1] + " " + m[2]
	}
	return s
}

// TestQuestionsAreAnswered runs the queries in docs/tables.md.
func TestQuestionsAreAnswered(t *testing.T) {
	page, err := os.ReadFile(root + "/docs/tables.md")
	if err != nil {
		t.Fatal(err)
	}
	sum := ""
	for _, line := range collection(t) {
		if line["type"] == "input" && line["path"] == "eight.pdf" {
			sum = line["sha256"].(string)
		}
	}
	var queries string
	for _, m := range regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		queries += strings.ReplaceAll(m[1], "\n", " ") + "\n"
	}
	var got []string
	for _, rows := range node(t, queries, "query.mjs") {
		text, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(text))
	}
	want := []string{
		`[{"key":"webcap.complete","value":"true"},{"key":"webcap.version","value":"` + moduleVersion() + `"}]`,
		`[{"path":"again.pdf"},{"path":"eight.pdf"},{"path":"nine.pdf"}]`,
		`[{"contents":"2","first":"2024-01-02 03:04:05+00","last":"2024-01-02 03:04:05+00","url":"http://www.example.com/"}]`,
		`[{"findings":"0","path":"nine.pdf","producer":"Acrobat Web Capture 9.0","rule":null}]`,
		`[{"paths":["again.pdf","eight.pdf"],"sha256":"` + sum + `"}]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("answers\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// DuckDB reads the table of webcap list.
func TestListAsTable(t *testing.T) {
	dir := t.TempDir()
	file, index := filepath.Join(dir, "captures.parquet"), filepath.Join(dir, "index.cdxj")
	if err := os.WriteFile(index, []byte("org,example)/archive/00000000/image.jpg 2001 {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	data := webcap(t, "list", "-f", "parquet", "--against", index, root+"/testdata/site.pdf", root+"/testdata/table.tsv")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(node(t, "SELECT outcome, captured::VARCHAR AS captured, url, kind, pages, members, sources, image_md5, "+
		"indexed::VARCHAR AS indexed FROM '"+file+"' WHERE url LIKE '%00000000%' OR url IS NULL\n", "query.mjs")[0])
	if err != nil {
		t.Fatal(err)
	}
	const page, image = "http://www.example.org/archive/00000000/index.html?rev=0", "http://www.example.org/archive/00000000/image.jpg"
	want := `[{"captured":"2024-01-02 03:04:05+00","image_md5":null,"indexed":null,"kind":"page","members":"1","outcome":"listed",` +
		`"pages":"1","sources":["` + page + `"],"url":"` + page + `"},` +
		`{"captured":"2024-01-02 03:04:05+00","image_md5":"1b166c1c289461ccc1b83b806c516f31","indexed":"2001-01-01 00:00:00+00",` +
		`"kind":"image","members":"1","outcome":"listed","pages":"1","sources":["` + image + `"],"url":"` + image + `"},` +
		`{"captured":null,"image_md5":null,"indexed":null,"kind":null,"members":null,"outcome":"error","pages":null,"sources":[],"url":null}]`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// docs/tables.md describes exactly the existing columns.
func TestColumnsAreDocumented(t *testing.T) {
	page, err := os.ReadFile(root + "/docs/tables.md")
	if err != nil {
		t.Fatal(err)
	}
	collection(t)
	parts := strings.Split(string(page), "\n### `")
	common := tableNames(parts[0])
	for i, of := range tablesOf {
		documented := append(tableNames(strings.Split(parts[i+1], "\n## ")[0]), common...)
		var there []string
		for _, row := range node(t, "DESCRIBE FROM 'tables/"+of.table+".parquet'\n", "query.mjs")[0] {
			there = append(there, row["column_name"].(string))
		}
		slices.Sort(documented)
		slices.Sort(there)
		if !slices.Equal(documented, there) {
			t.Errorf("%s has columns\n%v, and the page describes\n%v", of.table, there, documented)
		}
	}
}

// tableNames returns the names in the first column of the tables of columns in a text.
func tableNames(text string) (names []string) {
	_, text, _ = strings.Cut(text, "| column |")
	for line := range strings.Lines(text) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for _, m := range codeSpan.FindAllStringSubmatch(cells[1], -1) {
				names = append(names, m[1])
			}
		}
	}
	return names
}
