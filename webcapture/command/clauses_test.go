package command

import (
	"os"
	"slices"
	"testing"

	"github.com/urfave/cli/v2"
)

// Results name the settings of the configuration. They do
// not name those of the command line, which the user sees.
func TestClausesOfResults(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct {
		name, config, args string
		want               []string
	}{
		{"nothing", "", "", nil},
		{"rules", "disable: WC302", "", []string{"disable WC302 by .webcap.yaml"}},
		{"two lists", "disable: WC302\nonly: [urls, WC302]", "",
			[]string{"only urls,WC302 by .webcap.yaml", "disable WC302 by .webcap.yaml"}},
		{"the command line", "", "--disable WC302 --exit-zero --fail-on note", nil},
		{"the command line wins", "disable: WC303", "--disable WC302", nil},
		{"any list on the command line wins", "disable: WC303", "--only WC303", nil},
		{"values", "fail-on: note", "", []string{"fail-on note by .webcap.yaml"}},
		{"lists", "exclude: [a, b]", "", []string{"exclude a, b by .webcap.yaml"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(configName, []byte(tt.config), 0o666); err != nil {
				t.Fatal(err)
			}
			withOptions(t, "audit a.pdf "+tt.args, func(p *program, c *cli.Context) {
				a, err := p.parseAudit(c)
				if err != nil {
					t.Fatal(err)
				}
				if got := a.clauses; !slices.Equal(got, tt.want) {
					t.Errorf("%q, want %q", got, tt.want)
				}
			})
		})
	}
}
