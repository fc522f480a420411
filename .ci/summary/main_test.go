package main

import (
	"strings"
	"testing"
)

func summed(t *testing.T, in string, ci bool) (string, bool) {
	t.Helper()
	var out strings.Builder
	s := &summary{out: &out, outputs: map[testName][]string{}, skips: map[string]int{}}
	if err := s.read(strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	ok := s.finish(ci)
	return out.String(), ok
}

const (
	passes = `{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"pass","Package":"p","Test":"TestA","Elapsed":0.1}
{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}
{"Action":"pass","Package":"p","Elapsed":0.1}
`
	skips = `{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:7: needs chromium\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"--- SKIP: TestB (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestB","Elapsed":0}
{"Action":"output","Package":"p","Test":"TestC","Output":"    b_test.go:9: needs chromium\n"}
{"Action":"skip","Package":"p","Test":"TestC","Elapsed":0}
`
	corpus = `{"Action":"output","Package":"p","Test":"TestD","Output":"    d_test.go:7: no corpus next to the repository\n"}
{"Action":"skip","Package":"p","Test":"TestD","Elapsed":0}
`
	fails = `{"Action":"output","Package":"q","Test":"TestE","Output":"    e_test.go:7: wrong\n"}
{"Action":"fail","Package":"q","Test":"TestE","Elapsed":0}
{"Action":"output","Package":"q","Output":"FAIL\tq\t0.1s\n"}
{"Action":"fail","Package":"q","Elapsed":0}
`
	panics = `{"Action":"output","Package":"q","Test":"TestF","Output":"panic: gone\n"}
{"Action":"fail","Package":"q","Elapsed":0}
`
	breaks = `{"ImportPath":"q","Action":"build-output","Output":"q.go:1:1: undefined: x\n"}
{"ImportPath":"q","Action":"build-fail"}
{"Action":"output","Package":"q","Output":"FAIL\tq [build failed]\n"}
{"Action":"fail","Package":"q","Elapsed":0,"FailedBuild":"q"}
`
)

func TestSummary(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		ci, ok   bool
		want     string
	}{
		{"all is well", passes, true, true, "ok  \tp\t0.1s\n1 passed, 0 failed, 0 skipped\n"},
		{"a program is missing", passes + skips, false, true,
			"ok  \tp\t0.1s\n2 skipped: needs chromium\n1 passed, 0 failed, 2 skipped\n"},
		{"a program is missing in CI", passes + skips, true, false,
			"ok  \tp\t0.1s\n2 skipped: needs chromium\n1 passed, 0 failed, 2 skipped\nfailed: CI has to have chromium\n"},
		{"files are missing in CI", passes + corpus, true, true,
			"ok  \tp\t0.1s\n1 skipped: no corpus next to the repository\n1 passed, 0 failed, 1 skipped\n"},
		{"a test fails", passes + fails, false, false,
			"ok  \tp\t0.1s\n    e_test.go:7: wrong\nFAIL\tq\t0.1s\n1 passed, 1 failed, 0 skipped\nfailed: q\n"},
		{"a test panics", passes + panics, false, false,
			"ok  \tp\t0.1s\npanic: gone\n1 passed, 1 failed, 0 skipped\nfailed: q\n"},
		{"a package does not build", passes + breaks, false, false,
			"ok  \tp\t0.1s\nq.go:1:1: undefined: x\nFAIL\tq [build failed]\n1 passed, 0 failed, 0 skipped\nfailed: q\n"},
		{"what is not JSON is shown", "go: no such tool\n", false, false,
			"go: no such tool\n0 passed, 0 failed, 0 skipped\nfailed: no test passed\n"},
		{"nothing ran", "", false, false, "0 passed, 0 failed, 0 skipped\nfailed: no test passed\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := summed(t, tt.in, tt.ci); ok != tt.ok || got != tt.want {
				t.Errorf("%s: well %t, want %t:\n%s\nwant\n%s", tt.name, ok, tt.ok, got, tt.want)
			}
		})
	}
}
