package canon

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

const testdata = "../testdata"

// asProgram is an environment variable that makes the test binary a program for vectors.py. Its value is the name of
// a profile.
const asProgram = "WEBCAP_TEST_PROFILE"

func TestMain(m *testing.M) {
	if p, ok := Lookup(os.Getenv(asProgram)); ok {
		reduceLines(p)
		return
	}
	os.Exit(webcapturetest.Run(m))
}

// reduceLines reads a line with a base and a URL for each case, and prints a line with the form.
func reduceLines(p *Profile) {
	escapes := strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		base, url, _ := strings.Cut(lines.Text(), "\t")
		base, err := unescape(base)
		if err == nil {
			url, err = unescape(url)
		}
		if err != nil {
			panic(err)
		}
		fmt.Println(escapes.Replace(string(p.Resolve(nil, []byte(base), []byte(url)))))
	}
}

// caseCount counts the cases of a profile in testdata.
func caseCount(t *testing.T, p *Profile) (count int) {
	t.Helper()
	for _, v := range vectors {
		if v.p != p {
			continue
		}
		data, err := os.ReadFile(testdata + "/canon/" + v.file)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range parseRows(t, v.file, v.columns, string(data)) {
			if _, ok := v.want(row); ok {
				count++
			}
		}
	}
	return count
}

// TestVectorsWithProgram: each profile, run as a separate program by vectors.py, passes its cases.
func TestVectorsWithProgram(t *testing.T) {
	for _, p := range Profiles() {
		t.Run(p.Name(), func(t *testing.T) {
			t.Setenv(asProgram, p.Name())
			out, code := webcapturetest.Vectors(t, testdata, "canon", "--profile", p.Name(), "--", os.Args[0])
			n := caseCount(t, p)
			if want := fmt.Sprintf(": %d of %d agree\n", n, n); code != 0 || !strings.HasSuffix(out, want) {
				t.Errorf("exit code %d\n%swant %s", code, out, want)
			}
		})
	}
}

var agreement = regexp.MustCompile(`(?m)^(\w+): (Python|Node\.js).*: (\d+) of (\d+) agree$`)

// TestVectorsWithPeers compares the profiles with the URL libraries of Python and Node.js. The numbers depend on their
// versions, but no library agrees in all cases of a large table, and each agrees in a quarter of the cases of PDF.
func TestVectorsWithPeers(t *testing.T) {
	webcapturetest.Program(t, "node")
	out, code := webcapturetest.Vectors(t, testdata, "canon")
	lines := agreement.FindAllStringSubmatch(out, -1)
	if want := 2 * (len(Profiles()) + 2); code != 0 || len(lines) != want { // 2: the tables of the RFCs
		t.Fatalf("exit code %d, %d results, want %d\n%s", code, len(lines), want, out)
	}
	for _, l := range lines {
		agree, _ := strconv.Atoi(l[3])
		total, _ := strconv.Atoi(l[4])
		if p, ok := Lookup(l[1]); ok && total != caseCount(t, p) {
			t.Errorf("%s: %d cases, want %d", l[0], total, caseCount(t, p))
		}
		if agree == total && total > 100 || agree < total/4 && strings.HasPrefix(l[1], "pdf") {
			t.Errorf("%s: is the comparison right?", l[0])
		}
	}
}

// TestVectorsNoticeDamage: a damaged table is reported.
func TestVectorsNoticeDamage(t *testing.T) {
	t.Setenv(asProgram, "pdf")
	for _, row := range []struct {
		name     string
		old, new string
		code     int
		want     string
	}{
		{"another form", "\thttp://a/b/c/g\t", "\thttp://a/b/c/h\t", 1, "expected http://a/b/c/h, got http://a/b/c/g"},
		{"a column too few", "\thttp://a/b/c/g\t", "http://a/b/c/g\t", 2, "pdf.tsv, line 3: 4 columns instead of 5"},
		{"an escape that does not exist", "g:h\t", `\g:h` + "\t", 2, `pdf.tsv, line 2: unknown escape \g`},
		{"a byte that is not ASCII", "g:h\t", "\xe9\t", 2, "ascii"},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := webcapturetest.CopyVectors(t, testdata, "canon", "pdf.tsv",
				func(s string) string { return strings.Replace(s, row.old, row.new, 1) })
			out, code := webcapturetest.Vectors(t, dir, "canon", "--profile", "pdf", "--", os.Args[0])
			if code != row.code || !strings.Contains(out, row.want) {
				t.Errorf("exit code %d, want %d; output %s want %s", code, row.code, out, row.want)
			}
		})
	}
}
