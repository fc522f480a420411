package command

import (
	"regexp"
	"strings"
	"testing"
)

// commentedKey is a line of the sample that a user may uncomment.
var commentedKey = regexp.MustCompile(`(?m)^# ([a-z-]+: .*|ignore:|  .*)$`)

// TestSampleConfig: the sample sets nothing, and has a line for each key that can be uncommented.
func TestSampleConfig(t *testing.T) {
	sample := sampleConfig(auditKeys())
	file, err := parseConfig("file", []byte(sample))
	if err != nil || len(file.settings)+len(file.ignore) > 0 {
		t.Fatalf("%v, %v", file, err)
	}
	whole := commentedKey.ReplaceAllString(sample, "$1")
	if file, err = parseConfig("file", []byte(whole)); err != nil || len(file.ignore) != 1 {
		t.Fatalf("%v, %v in\n%s", file, err, whole)
	}
	for _, f := range auditKeys() {
		if name := f.Names()[0]; file.settings[name].values == nil || !strings.Contains(sample, "\n# "+name+": ") {
			t.Errorf("%s is not in the sample", name)
		}
	}
}

// Each kind of option has an example of its value: true for a switch, a list, the first choice, or the placeholder.
// Options are in groups, as in the help.
func TestLinesOfSampleConfig(t *testing.T) {
	sample := sampleConfig(auditKeys())
	for _, want := range []string{
		"# exit-zero: true  # Exit with 0 despite findings\n", "# output: [FILE]  # Write to FILE or FORMAT:FILE",
		"# fail-on: error  # Lowest level that exits with 1 [possible: error, warning, note]",
		"# timeout: TIME  # Time limit per file",
		"# source: [KIND:PATH]  # Check identifiers against a source",
	} {
		if !strings.Contains(sample, "\n"+want) {
			t.Errorf("the sample has no line %q:\n%s", want, sample)
		}
	}
	for _, group := range []string{"Input", "Output", "Rules", "Sources", "Limits", "Passwords"} {
		if n := strings.Count(sample, "\n\n# "+group+"\n"); n != 1 {
			t.Errorf("%d headings %s:\n%s", n, group, sample)
		}
	}
}
