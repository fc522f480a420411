package audit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

var (
	ofSource  = regexp.MustCompile(`SI(?:, source (\d+))?: `)
	ofCommand = regexp.MustCompile(`SpiderInfo, command (\d+)`)

	commandsOf = regexp.MustCompile(`(?i)spiderinfo:? << [^\n]*/C \[ `)
)

// TestWhatComesFirstHidesNothing: the findings of a case about a source or a command stay if a correct one comes before
// it.
func TestWhatComesFirstHidesNothing(t *testing.T) {
	const source, command = "<< /AU (http://first.example/) >> ", "9999 0 R "
	next := func(line string, pattern *regexp.Regexp, format string) string {
		return pattern.ReplaceAllStringFunc(line, func(s string) string {
			n, _ := strconv.Atoi(pattern.FindStringSubmatch(s)[1])
			return fmt.Sprintf(format, n+1)
		})
	}
	looked := 0
	for _, path := range caseFiles(t) {
		c, err := readCase(path)
		if err != nil {
			continue // TestCases reports it
		}
		text := c.section("objects")
		for range strings.Count(text, "/SI << ") {
			text = inArray(text, "/SI << ")
		}
		text = strings.ReplaceAll(text, "/SI [ ", "/SI [ "+source)
		if inC := commandsOf.FindStringIndex(text); inC != nil {
			text = text[:inC[1]] + command + text[inC[1]:] + "\n9999 0 obj << /URL (http://a.example/) >>\n"
		}
		d, err := webcapturetest.Parse(text)
		if err != nil {
			continue // a case of bytes
		}
		got := findingLines(auditBytes(t, d.Bytes(plainLayout), Options{}))
		for line := range strings.Lines(c.section("want.txt")) {
			want := next(next(line, ofSource, "SI, source %d: "), ofCommand, "SpiderInfo, command %d")
			if want == line {
				continue
			}
			if looked++; !strings.Contains(got, want) {
				t.Errorf("%s:\n%sdoes not have\n%s", c.name, got, want)
			}
		}
	}
	if looked < 60 {
		t.Errorf("only %d findings were looked for", looked)
	}
}

// inArray puts the first dictionary that text has after a key into an array.
func inArray(text, key string) string {
	i := strings.Index(text, key)
	start := i + len(key) - len("<< ")
	depth := 0
	for at := start; at < len(text)-1; at++ {
		switch text[at : at+2] {
		case "<<":
			depth++
			at++
		case ">>":
			depth--
			at++
		}
		if depth == 0 {
			return text[:start] + "[ " + text[start:at+1] + " ]" + text[at+1:]
		}
	}
	return text
}
