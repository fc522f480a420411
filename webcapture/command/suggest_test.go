package command

import "testing"

func TestDidYouMean(t *testing.T) {
	words := []string{"config", "completion", "canon"}
	for _, tt := range []struct{ typed, want string }{
		{"cofnig", ", did you mean --config?"},
		{"CONFIG", ", did you mean --config?"},
		{"co", ", did you mean --config or --completion?"},
		{"audit", ""},
		{"", ""},
	} {
		t.Run(tt.typed, func(t *testing.T) {
			if got := didYouMean(tt.typed, "--", words); got != tt.want {
				t.Errorf("didYouMean(%q) = %q, want %q", tt.typed, got, tt.want)
			}
		})
	}
}
