package webcapturetest

import (
	"os"
	"slices"
	"strings"
)

// kept are the environment variables that tests need, and also the go command that some tests run.
var kept = []string{
	"PATH", "HOME", "TMPDIR", "TMP", "TEMP", "XDG_CACHE_HOME",
	"SYSTEMROOT", "SYSTEMDRIVE", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "PATHEXT", "COMSPEC", "WINDIR", // Windows
	"GOROOT", "GOPATH", "GOCACHE", "GOMODCACHE", "GOTMPDIR", "GOENV", "GOFLAGS", "GOTOOLCHAIN", "GOWORK",
	"GOPROXY", "GONOPROXY", "GOPRIVATE", "GOSUMDB", "GONOSUMDB", "GOINSECURE",
	"GODEBUG", "GOEXPERIMENT", "GOMAXPROCS", "GORACE", "GOTRACEBACK", "GOCOVERDIR",
	"WEBCAP_HOSTILE", "WEBCAP_RELEASE_BUILDS",
}

// CleanEnvironment removes all environment variables of this process except a few. So results of tests do not
// depend on the user, and programs that tests run do not find folders of the user to write to, such as GOBIN. [Run]
// calls it.
func CleanEnvironment() {
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); !isKept(name) {
			os.Unsetenv(name)
		}
	}
}

func isKept(name string) bool {
	name = strings.ToUpper(name) // on Windows, Path and PATH are the same
	return slices.Contains(kept, name) || strings.HasPrefix(name, "WEBCAP_TEST_")
}
