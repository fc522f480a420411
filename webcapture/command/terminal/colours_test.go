package terminal

import (
	"fmt"
	"testing"
)

func TestColours(t *testing.T) {
	for _, tt := range []struct {
		terminal bool
		env      map[string]string
		want     bool
	}{
		{true, nil, true},
		{false, nil, false},
		{true, map[string]string{"NO_COLOR": "1"}, false},
		{true, map[string]string{"NO_COLOR": ""}, true},
		{true, map[string]string{"TERM": "dumb"}, false},
		{false, map[string]string{"CLICOLOR_FORCE": "1"}, true},
		{false, map[string]string{"CLICOLOR_FORCE": "0"}, false},
		{true, map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, false},
	} {
		t.Run(fmt.Sprintf("%v, %v", tt.terminal, tt.env), func(t *testing.T) {
			if got := Colours(tt.terminal, func(name string) string { return tt.env[name] }); got != tt.want {
				t.Errorf("Colours: %v, want %v", got, tt.want)
			}
		})
	}
}
