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
	file, err := parseConfig("file", []byte(sample), auditKeys())
	if err != nil || len(file.settings)+len(file.ignore) > 0 {
		t.Fatalf("%v, %v", file, err)
	}
	whole := commentedKey.ReplaceAllString(sample, "$1")
	if file, err = parseConfig("file", []byte(whole), auditKeys()); err != nil || len(file.ignore) != 1 {
		t.Fatalf("%v, %v in\n%s", file, err, whole)
	}
	for _, f := range auditKeys() {
		if name := f.Names()[0]; file.settings[name].values == nil || !strings.Contains(sample, "\n# "+name+": ") {
			t.Errorf("%s is not in the sample", name)
		}
	}
}
