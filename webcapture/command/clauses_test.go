package command

import (
	"fmt"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// Results name the settings of the configuration and the environment that change the audit or its exit code. They do
// not name those of the command line, which the user sees.
func TestClausesOfResults(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct {
		name, config, variable, args string
		want                         []string
	}{
		{"nothing", "", "", "", nil},
		{"one rule", "disable: WC302", "", "", []string{"1 rule disabled by .webcap.yaml"}},
		{"two origins", "disable: WC302", "ONLY=WC302,WC303", "",
			[]string{fmt.Sprintf("%d rules disabled by WEBCAP_ONLY and .webcap.yaml", len(audit.Rules())-1)}},
		{"the environment", "", "DISABLE=WC302", "", []string{"1 rule disabled by WEBCAP_DISABLE"}},
		{"the command line", "", "", "--disable WC302 --exit-zero --fail-on note", nil},
		{"the command line wins", "disable: WC303", "", "--disable WC302", nil},
		{"any list on the command line wins", "disable: WC303", "ONLY=WC302", "--only WC303", nil},
		{"switches", "follow-links: true\nallow-empty: false\nfail-fast: true", "EXIT_ZERO=true", "",
			[]string{"exit-zero by WEBCAP_EXIT_ZERO", "follow-links by .webcap.yaml", "fail-fast by .webcap.yaml"}},
		{"values", "fail-on: note", "TIMEOUT=5m", "",
			[]string{"fail-on note by .webcap.yaml", "timeout 5m by WEBCAP_TIMEOUT"}},
		{"lists", "output: [a.json, b.csv]", "", "", []string{"output a.json, b.csv by .webcap.yaml"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(configName, []byte(tt.config), 0o666); err != nil {
				t.Fatal(err)
			}
			if name, value, ok := strings.Cut(tt.variable, "="); ok {
				t.Setenv("WEBCAP_"+name, value)
			}
			withOptions(t, "audit a.pdf "+tt.args, func(p *program, c *cli.Context) {
				a, err := p.parseAudit(c)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(a.clauses, tt.want) {
					t.Errorf("%q, want %q", a.clauses, tt.want)
				}
			})
		})
	}
}
