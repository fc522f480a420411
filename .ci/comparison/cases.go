package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// testCase is one or several command lines that both programs run.
type testCase struct {
	name  string // of its outputs
	text  string // as cases.txt has it, without placeholders in braces
	wrong bool   // a wrong command line: programs exit with 2
	steps []step
}

// step is one command line.
type step struct {
	environment []string
	command     string
	args        []string // with the words of the command
	stdin       string   // a file, or empty
}

// planner makes cases from the lines of cases.txt.
type planner struct {
	old, new, both *program
	inputs         string // folder
	cases          []testCase
	names          map[string]bool
	covered        map[string]bool // commands and options that a case has, or a reason, such as "audit --quiet"
	stale          []string        // lines for what neither program has
	skipped        int             // cases that need the corpus, if it does not exist
}

var placeholder = regexp.MustCompile(`\{([^}]*)\}`)

// plan returns all cases: those of the lines, and one for each option that the lines leave out and whose values the
// help lists. It fails if another option or a command that both programs have is in no line.
func (p *planner) plan(lines string) error {
	p.names, p.covered = map[string]bool{}, map[string]bool{}
	first := map[string]string{} // line of each command
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if what, ok := strings.CutPrefix(line, "- "); ok {
			what, _, ok := strings.Cut(what, ": ")
			if !ok {
				return fmt.Errorf("cases.txt: no reason in %q", line)
			}
			p.covered[what] = true
			if !p.known(what) {
				p.stale = append(p.stale, line)
			}
			continue
		}
		if err := p.expand(line); err != nil {
			return err
		}
		words := strings.Fields(line)
		if name := p.commandOf(words); words[0] != "!" && first[name] == "" && strings.HasPrefix(line, name) {
			first[name] = line
		}
	}
	if p.stale != nil {
		return fmt.Errorf("remove the lines of cases.txt that name what neither program has:\n  %s",
			strings.Join(p.stale, "\n  "))
	}
	var missing []string
	for _, c := range p.both.commands {
		if p.covered[c.name] && first[c.name] == "" {
			continue // a command with a reason
		}
		if first[c.name] == "" && c.name != "" {
			missing = append(missing, fmt.Sprintf("webcap %s", c.name))
			continue
		}
		without, err := p.addOptions(c, first[c.name])
		if err != nil {
			return err
		}
		missing = append(missing, without...)
	}
	for _, c := range p.both.commands {
		if err := p.add(strings.TrimSpace(c.name + " --help")); err != nil {
			return err
		}
	}
	if missing != nil {
		return fmt.Errorf("add a case or a reason to cases.txt for %s", strings.Join(missing, ", "))
	}
	return nil
}

// addOptions adds a case for each option of a command that the lines leave out, and each of its possible values. line
// is the first line of the command. It returns the options without a case, whose values the help does not list.
func (p *planner) addOptions(c *command, line string) (without []string, err error) {
	for _, o := range c.options {
		key := strings.TrimSpace(c.name + " " + o.name)
		if p.covered[key] || o.name == "--help" {
			continue
		}
		values := []string{o.name}
		if o.value != "" {
			values = nil
			for _, value := range o.possible {
				values = append(values, o.name+" "+value)
			}
			if values == nil {
				without = append(without, fmt.Sprintf("webcap %s %s", key, o.value))
			}
		}
		for _, words := range values {
			if err := p.expand(c.name + " " + words + strings.TrimPrefix(line, c.name)); err != nil {
				return nil, err
			}
		}
	}
	return without, nil
}

// known reports whether one of the programs has a command or an option, such as "audit --quiet".
func (p *planner) known(what string) bool {
	words := strings.Fields(what)
	option := ""
	if last := words[len(words)-1]; strings.HasPrefix(last, "-") {
		option, words = last, words[:len(words)-1]
	}
	name := strings.Join(words, " ")
	return slices.ContainsFunc([]*program{p.old, p.new}, func(side *program) bool {
		c := side.command(name)
		return c != nil && (option == "" || c.option(option) != nil)
	})
}

// expand adds a case for each value of the placeholders in a line.
func (p *planner) expand(line string) error {
	m := placeholder.FindStringSubmatchIndex(line)
	if m == nil {
		return p.add(line)
	}
	what := line[m[2]:m[3]]
	var values []string
	switch command, name, ok := strings.Cut(what, " --"); {
	case ok:
		if values = p.both.command(command).option("--" + name).values(); values == nil {
			if !p.known(what) {
				p.stale = append(p.stale, line)
			}
			return nil
		}
	case what == "rule":
		values = p.both.rules
	case what == "source":
		values = p.sources()
	default:
		every, glob, ok := strings.Cut(what, ":")
		n, err := strconv.Atoi(every)
		if !ok {
			n, err, glob = 1, nil, what
		}
		if err != nil || n < 1 {
			return fmt.Errorf("cases.txt: no number before the colon in %q", line)
		}
		matches, err := filepath.Glob(filepath.Join(p.inputs, glob))
		if err != nil {
			return fmt.Errorf("cases.txt: %s: %w", line, err)
		}
		for i := 0; i < len(matches); i += n {
			path, _ := filepath.Rel(p.inputs, matches[i])
			values = append(values, path)
		}
	}
	if len(values) == 0 {
		if p.needsCorpus(line) {
			p.skipped++
			return nil
		}
		return fmt.Errorf("no input for the case %q", line)
	}
	for _, value := range values {
		one := line[:m[0]] + value + line[m[1]:]
		if strings.HasPrefix(value, "damaged/") {
			one = strings.ReplaceAll(one, "ORIGINAL", "originals/"+filepath.Base(filepath.Dir(value))+".pdf")
		}
		if err := p.expand(one); err != nil {
			return err
		}
	}
	return nil
}

// sources returns KIND:PATH of each source of a kind that both programs have.
func (p *planner) sources() (list []string) {
	kinds := map[string]string{"arc": "warc", "warc.gz": "warc", "list": "folder"}
	paths, _ := filepath.Glob(filepath.Join(p.inputs, "sources", "source.*"))
	for _, path := range paths {
		_, kind, _ := strings.Cut(filepath.Base(path), ".")
		if kinds[kind] != "" {
			kind = kinds[kind]
		}
		if slices.Contains(p.both.kinds, kind) {
			list = append(list, kind+":sources/"+filepath.Base(path))
		}
	}
	return list
}

func (p *planner) needsCorpus(line string) bool {
	_, err := os.Stat(filepath.Join(p.inputs, "corpus"))
	return err != nil && strings.Contains(line, "corpus")
}

// add adds the case of a line without placeholders in braces, unless only one of the programs has what it needs.
func (p *planner) add(line string) error {
	if p.needsCorpus(line) {
		p.skipped++
		return nil
	}
	c := testCase{text: line}
	text, wrong := strings.CutPrefix(line, "! ")
	c.wrong = wrong
	for _, part := range strings.Split(text, " ; ") {
		s, err := p.parseStep(part)
		if err != nil {
			return err
		}
		if !wrong {
			run, err := p.check(&s)
			if err != nil || !run {
				return err
			}
		}
		c.steps = append(c.steps, s)
	}
	c.name = outputName(line)
	if p.names[c.name] {
		return fmt.Errorf("cases.txt has the case %q twice", line)
	}
	p.names[c.name] = true
	p.cases = append(p.cases, c)
	return nil
}

// commandOf returns the command that a line begins with, after variables of the environment.
func (p *planner) commandOf(words []string) string {
	for len(words) > 0 && variable.MatchString(words[0]) {
		words = words[1:]
	}
	for n := min(2, len(words)); n > 0; n-- {
		name := strings.Join(words[:n], " ")
		if p.old.command(name) != nil || p.new.command(name) != nil {
			return name
		}
	}
	return ""
}

var variable = regexp.MustCompile(`^[A-Z_]+=`)

func (p *planner) parseStep(text string) (step, error) {
	words := strings.Fields(text)
	s := step{command: p.commandOf(words)}
	for len(words) > 0 && variable.MatchString(words[0]) {
		s.environment, words = append(s.environment, words[0]), words[1:]
	}
	if n := len(words); n > 1 && words[n-2] == "<" {
		s.stdin, words = words[n-1], words[:n-2]
	}
	if len(words) == 0 {
		return s, fmt.Errorf("cases.txt: %q is not a command line", text)
	}
	s.args = words
	return s, nil
}

// check reports whether both programs have the command and options of a step. It notes them as covered, and adds
// passwords to what reads PDF files.
func (p *planner) check(s *step) (bool, error) {
	line := strings.Join(s.args, " ")
	c := p.both.command(s.command)
	if c == nil {
		return false, nil
	}
	if s.command == "" && !strings.HasPrefix(line, "-") {
		p.stale = append(p.stale, line)
		return false, nil
	}
	n := len(strings.Fields(s.command))
	keys := []string{s.command}
	for i := n; i < len(s.args); i++ {
		word, value, inline := strings.Cut(s.args[i], "=")
		for _, name := range optionNames(word) {
			o := c.option(name)
			if name == "--help" {
				continue // groups of commands do not list it
			}
			if o == nil {
				if !p.known(s.command + " " + name) {
					p.stale = append(p.stale, line)
				}
				return false, nil
			}
			keys = append(keys, strings.TrimSpace(s.command+" "+o.name))
			if o.value == "" {
				continue
			}
			if !inline {
				if i++; i == len(s.args) {
					return false, fmt.Errorf("cases.txt: %q ends with an option without its value", line)
				}
				value = s.args[i]
			}
			if o.possible != nil && !slices.Contains(o.possible, value) {
				either := slices.Concat(p.old.command(s.command).option(o.name).possible,
					p.new.command(s.command).option(o.name).possible)
				if !slices.Contains(either, value) {
					p.stale = append(p.stale, line)
				}
				return false, nil
			}
		}
	}
	if o := c.option("--password-file"); o != nil && !slices.Contains(s.args, o.name) {
		s.args = slices.Insert(slices.Clone(s.args), n, o.name, "lists/passwords")
		keys = append(keys, s.command+" "+o.name)
	}
	for _, key := range keys {
		p.covered[key] = true
	}
	return true, nil
}

// optionNames returns the options in a word: none, --name, or -a and -b of -ab.
func optionNames(word string) (names []string) {
	switch {
	case strings.HasPrefix(word, "--"):
		return []string{word}
	case len(word) > 1 && word[0] == '-':
		for _, letter := range word[1:] {
			names = append(names, "-"+string(letter))
		}
	}
	return names
}

var unsafe = regexp.MustCompile(`[^\w.,=+@%-]+`)

// outputName returns the name of the outputs of a case: its line without what file names and globs cannot hold.
func outputName(line string) string {
	name := strings.ReplaceAll(strings.Join(strings.Fields(line), "_"), "/", ",")
	name = strings.Trim(unsafe.ReplaceAllString(name, "~"), "~_")
	if len(name) <= 150 {
		return name
	}
	h := fnv.New32a()
	h.Write([]byte(line))
	return fmt.Sprintf("%s~%08x", name[:140], h.Sum32())
}
