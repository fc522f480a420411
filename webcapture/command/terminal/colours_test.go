package terminal

import (
	"fmt"
	"testing"
)

func TestColours(t *testing.T) {
	for _, tt := range []struct {
		mode     string
		terminal bool
		env      map[string]string
		want     bool
	}{
		{"auto", true, nil, true},
		{"auto", false, nil, false},
		{"auto", true, map[string]string{"NO_COLOR": "1"}, false},
		{"auto", true, map[string]string{"NO_COLOR": ""}, true},
		{"auto", true, map[string]string{"TERM": "dumb"}, false},
		{"auto", false, map[string]string{"CLICOLOR_FORCE": "1"}, true},
		{"auto", false, map[string]string{"CLICOLOR_FORCE": "0"}, false},
		{"auto", true, map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, false},
		{"always", false, map[string]string{"NO_COLOR": "1"}, true},
		{"never", true, map[string]string{"CLICOLOR_FORCE": "1"}, false},
	} {
		t.Run(fmt.Sprintf("%s, %v, %v", tt.mode, tt.terminal, tt.env), func(t *testing.T) {
			if got := Colours(tt.mode, tt.terminal, func(name string) string { return tt.env[name] }); got != tt.want {
				t.Errorf("Colours: %v, want %v", got, tt.want)
			}
		})
	}
}
