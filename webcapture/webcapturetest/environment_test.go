package webcapturetest

import (
	"os"
	"strings"
	"testing"
)

// The environment of a user does not reach the programs that tests start.
func TestCleanEnvironment(t *testing.T) {
	for name, want := range map[string]bool{
		"PATH": true, "GOCACHE": true, "WEBCAP_TEST_ALL": true,
		"GOBIN": false, "GITHUB_STEP_SUMMARY": false, "WEBCAP_FAIL_ON": false, "NO_COLOR": false,
	} {
		t.Run(name, func(t *testing.T) {
			for _, entry := range os.Environ() { // all are back when the test ends
				name, value, _ := strings.Cut(entry, "=")
				t.Setenv(name, value)
			}
			t.Setenv(name, "value")
			CleanEnvironment()
			if _, has := os.LookupEnv(name); has != want {
				t.Errorf("it is kept: %v, want %v", has, want)
			}
		})
	}
}
