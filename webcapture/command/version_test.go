package command

import (
	"runtime/debug"
	"testing"
)

func TestDescribe(t *testing.T) {
	checkout := []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"},
	}
	for _, tt := range []struct {
		name, module string
		settings     []debug.BuildSetting
		version      string // stamped
		want         string
	}{
		{name: "go install", module: "v1.2.3", want: "v1.2.3, go1.26"},
		{name: "no checkout", module: "(devel)", want: "(devel), go1.26"},
		{name: "nothing known", want: "(devel), go1.26"},
		{name: "checkout", module: "v1.2.4-0.1-abc", settings: checkout,
			want: "v1.2.4-0.1-abc, revision abc of 2026-01-02T03:04:05Z, go1.26"},
		{name: "release", module: "(devel)", settings: checkout, version: "v2.0.0",
			want: "v2.0.0, revision abc of 2026-01-02T03:04:05Z, go1.26"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			info := &debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: tt.module}, Settings: tt.settings}
			if got := describe(info, tt.version); got != tt.want {
				t.Errorf("describe = %q, want %q", got, tt.want)
			}
		})
	}
}

// A program without build information has a version all the same.
func TestDescribeNothing(t *testing.T) {
	if got := describe(new(debug.BuildInfo), ""); got != "(devel)" {
		t.Errorf("describe = %q, want (devel)", got)
	}
}
