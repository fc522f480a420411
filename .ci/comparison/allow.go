package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// allowance is a line of an allow-list. The comment of .ci/compare describes its form.
type allowance struct {
	text   string
	names  *regexp.Regexp
	lines  *regexp.Regexp // nil if outputs may differ in any line
	reason string
	used   bool
}

var allowLine = regexp.MustCompile(`^(\S+)\s+(?:/((?:[^/\\]|\\.)+)/\s+)?(\S.*)$`)

func readAllowances(path string) ([]*allowance, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list []*allowance
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		m := allowLine.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("%s: %q is not GLOB [/REGEXP/] REASON", path, line)
		}
		a := &allowance{text: line, names: globPattern(m[1]), reason: m[3]}
		if m[2] != "" {
			if a.lines, err = regexp.Compile(m[2]); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
		list = append(list, a)
	}
	return list, nil
}

// globPattern returns the pattern of names that a glob matches. A * also matches slashes.
func globPattern(glob string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(glob), `\*`, `.*`) + "$")
}

// allowed returns the reasons why an output may differ as it does. Each line has to be allowed; nil if one is not. An
// allowance counts as used as soon as it allows a line.
func allowed(list []*allowance, d difference) (reasons []string) {
	left := len(d.lines)
	done := make([]bool, len(d.lines))
	for _, a := range list {
		if !a.names.MatchString(d.name) {
			continue
		}
		matched := false
		for i, line := range d.lines {
			if a.lines != nil && !a.lines.MatchString(line) {
				continue
			}
			matched = true
			if !done[i] {
				done[i] = true
				left--
			}
		}
		if matched {
			a.used = true
			reasons = append(reasons, a.reason)
		}
	}
	if left > 0 {
		return nil
	}
	return reasons
}
