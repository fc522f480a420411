package command

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

// ruleFlags are the options that select rules.
func ruleFlags() []cli.Flag {
	return grouped(manual.Rules,
		&cli.StringFlag{Name: "only", Usage: "`RULES` Check only these rules, prefixes, or groups"},
		&cli.StringFlag{Name: "disable", Usage: "`RULES` Do not check these rules"},
	)
}

func groupNames() string {
	var names []string
	for _, g := range rule.Groups() {
		names = append(names, g.Name)
	}
	return strings.Join(names, ", ")
}

// selectRules returns the rules selected by the options, in order. Without --only, all rules are selected; with
// --only, its rules, and also the rule about sources if --source is given. --disable removes rules.
func selectRules(c *cli.Context) ([]*rule.Rule, error) {
	rules, err := rulesOf(c, c.IsSet)
	if err == nil && len(rules) == 0 {
		return nil, usagef("audit", "the options leave no rules to check")
	}
	return rules, err
}

// rulesOf returns the rules to check, in order. It considers only options for which counts returns true.
func rulesOf(c *cli.Context, counts func(option string) bool) ([]*rule.Rule, error) {
	checked := map[*rule.Rule]bool{}
	set := func(list []*rule.Rule, to bool) {
		for _, r := range list {
			checked[r] = to
		}
	}
	set(audit.Rules(), !counts("only"))
	for _, option := range ruleLists {
		if !counts(option) {
			continue
		}
		list, err := named(option, c.String(option))
		if err != nil {
			return nil, usagef(c.Command.Name, "%v", err)
		}
		set(list, option != "disable")
		if option == "only" && counts("source") { // users who name sources want to see the differences
			set(audit.Select("WC512"), true)
		}
	}
	rules := []*rule.Rule{} // never nil, which stands for a default
	for _, r := range audit.Rules() {
		if checked[r] {
			rules = append(rules, r)
		}
	}
	return rules, nil
}

// named returns the rules in the comma-separated value of an option, which may also name groups. Errors name the
// option.
func named(option, value string) ([]*rule.Rule, error) {
	var all []*rule.Rule
	for name := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ' ' }) {
		list := audit.Select(name)
		if len(list) == 0 {
			return nil, fmt.Errorf(
				"--%s: %q is neither a rule nor a group%s; webcap explain lists the rules, the groups are %s", option,
				name, didYouMean(name, "", strings.Split(groupNames(), ", ")), groupNames())
		}
		all = append(all, list...)
	}
	return all, nil
}
