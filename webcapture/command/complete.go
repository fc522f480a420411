package command

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/report/format"
)

// shell is a shell with completion. Its script calls webcap completion with the words of the command line, up to
// the word to complete. The output has one line for each match; if it is empty, the shell offers files.
type shell struct {
	name, script string
}

var shells = []shell{
	{"bash", `_webcap() {
    local IFS=$'\n'
    COMPREPLY=($("$1" completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[:=] ]]; then
        compopt -o nospace
    fi
}
complete -o default -F _webcap webcap
`},
	{"zsh", `#compdef webcap
_webcap() {
    local -a plain open
    local line
    for line in "${(@f)$("$words[1]" completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
            '') ;;
            *[:=]) open+=("$line") ;;
            *) plain+=("$line") ;;
        esac
    done
    if (( ${#plain} + ${#open} )); then
        (( ${#plain} )) && _describe webcap plain
        (( ${#open} )) && compadd -S '' -- "${open[@]}"
    else
        compset -P '*[:=]'
        _files
    fi
}
if [[ ${funcstack[1]} == _webcap ]]; then
    _webcap "$@"
else
    compdef _webcap webcap
fi
`},
	{"fish", `function __webcap_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($words[1] completion fish -- $words[2..-1] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        string join \n -- $found
    else
        set -l before (string replace -r '[^:=]*$' '' -- "$current")
        string join \n -- $before(__fish_complete_path (string replace -r '^.*[:=]' '' -- "$current"))
    end
end
complete -c webcap -f -a '(__webcap_complete)'
`},
	{"powershell", `Register-ArgumentCompleter -Native -CommandName webcap -ScriptBlock {
    param($word, $tree, $cursor)
    $all = @($tree.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })
    $words = @($all | Select-Object -Skip 1)
    # An empty argument would get lost on its way to a program.
    if ($word -eq '') { $words += '""' }
    & $all[0] completion powershell -- $words 2>$null | ForEach-Object {
        $text, $doc = $_ -split [char]9, 2
        if (-not $doc) { $doc = $text }
        [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $doc)
    }
}
`},
}

func shellNames() []string {
	var names []string
	for _, s := range shells {
		names = append(names, s.name)
	}
	return names
}

func (p *program) completion() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "Print a shell completion script",
		UsageText: "webcap completion SHELL",
		Description: "A SHELL is " + strings.Join(shellNames(), ", ") + `.

  source <(webcap completion bash)             # in ~/.bashrc
  source <(webcap completion zsh)              # in ~/.zshrc, after compinit
  webcap completion fish > ~/.config/fish/completions/webcap.fish
  webcap completion powershell | Out-String | Invoke-Expression  # in $PROFILE`,
		Action: p.runCompletion,
	}
}

func (p *program) runCompletion(c *cli.Context) error {
	name, words := c.Args().First(), c.Args().Tail()
	i := slices.IndexFunc(shells, func(s shell) bool { return s.name == name })
	switch {
	case name == "":
		return usagef("completion", "name a shell: %s", strings.Join(shellNames(), ", "))
	case i < 0:
		return usagef("completion", "%q is not one of the shells %s%s", name, strings.Join(shellNames(), ", "),
			didYouMean(name, "", shellNames()))
	case len(words) == 0:
		return p.printf("%s", shells[i].script)
	}
	for _, w := range shells[i].candidates(c.App, words) {
		if err := p.printf("%s\n", w); err != nil {
			return err
		}
	}
	return nil
}

// candidates returns lines with the completions of the last word, in the format of the shell's script.
func (s *shell) candidates(app *cli.App, words []string) []string {
	if s.name == "bash" {
		words = rejoin(words)
	}
	current := words[len(words)-1]
	if s.name == "powershell" && current == `""` {
		current = ""
	}
	var out []string
	for _, w := range complete(app, words[:len(words)-1], current) {
		line := w.Word
		switch {
		case s.name == "bash": // bash splits words at these characters; see rejoin
			line = line[strings.LastIndexAny(current, ":=")+1:]
		case w.Text == "", s.name == "zsh" && strings.Contains(line, ":"):
		case s.name == "zsh":
			line += ":" + w.Text
		default:
			line += "\t" + w.Text
		}
		out = append(out, line)
	}
	return out
}

// rejoin joins words that bash splits: bash treats an equals sign or a colon as a separate word.
func rejoin(words []string) []string {
	var out []string
	join := false
	for _, w := range words {
		separator := w != "" && strings.Trim(w, ":=") == ""
		if len(out) > 0 && (join || separator) {
			out[len(out)-1] += w
		} else {
			out = append(out, w)
		}
		join = separator
	}
	return out
}

// complete returns the completions of current, given the words before it, in the order of the help. The result is
// empty if a file is expected, or if nothing matches.
func complete(app *cli.App, words []string, current string) []manual.Entry {
	var c *cli.Command
	flags := app.Flags
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			return nil
		case strings.HasPrefix(w, "-"):
			if f, takesValue, err := lookup(flags, "", w); err == nil && takesValue {
				if i++; i == len(words) {
					return optionValues(f, "", current)
				}
			}
		case c == nil && w != "help":
			var n int
			if c, n = commandOf(app, words[i:]); c == nil {
				if i < len(words)-1 {
					return nil
				}
				return beginning(groupWords(app, w), current)
			}
			i += n - 1
			flags = c.Flags
		}
	}
	switch option, value, hasValue := strings.Cut(current, "="); {
	case strings.HasPrefix(current, "--") && hasValue:
		f, _, err := lookup(flags, "", option)
		if err != nil {
			return nil
		}
		return optionValues(f, option+"=", value)
	case strings.HasPrefix(current, "-"):
		return beginning(options(flags), current)
	case c == nil:
		return beginning(firstWords(app), current)
	}
	var arguments []manual.Entry // none: the shell offers files
	switch c.Name {
	case "explain":
		arguments = rules()
	case "source list":
		arguments = sourceKinds()
	case "completion":
		arguments = plain(shellNames()...)
	}
	return beginning(arguments, current)
}

// beginning returns the words that begin with prefix, ignoring case.
func beginning(list []manual.Entry, prefix string) []manual.Entry {
	return slices.DeleteFunc(list, func(w manual.Entry) bool {
		return len(w.Word) < len(prefix) || !strings.EqualFold(w.Word[:len(prefix)], prefix)
	})
}

// optionValues returns the completions of the partial value of an option, each with the prefix before.
func optionValues(f cli.Flag, before, value string) []manual.Entry {
	list := plain(manual.OptionOf(f).Choices...)
	switch f.Names()[0] {
	case "only", "disable":
		for _, g := range rule.Groups() {
			list = append(list, manual.Entry{Word: g.Name, Text: g.Title})
		}
		list = append(list, rules()...)
		if i := strings.LastIndexByte(value, ',') + 1; i > 0 {
			before, value = before+value[:i], value[i:]
		}
	case "output":
		if takesList(f) {
			for _, known := range format.All() {
				list = append(list, manual.Entry{Word: known.Name + ":", Text: known.Doc})
			}
		}
	case "source":
		list = sourceKinds()
	}
	list = beginning(list, value)
	for i := range list {
		list[i].Word = before + list[i].Word
	}
	return list
}

func plain(texts ...string) []manual.Entry {
	var list []manual.Entry
	for _, t := range texts {
		list = append(list, manual.Entry{Word: t})
	}
	return list
}

// wordsOf returns the words of entries.
func wordsOf(list []manual.Entry) []string {
	var words []string
	for _, w := range list {
		words = append(words, w.Word)
	}
	return words
}

// sourceKinds returns the kinds of sources. If none matches, the shell offers files.
func sourceKinds() []manual.Entry {
	var list []manual.Entry
	for _, k := range source.Kinds() {
		list = append(list, manual.Entry{Word: string(k) + ":"})
	}
	return list
}

func rules() []manual.Entry {
	var list []manual.Entry
	for _, r := range audit.Rules() {
		list = append(list, manual.Entry{Word: r.ID, Text: r.Title})
	}
	return list
}

func options(flags []cli.Flag) []manual.Entry {
	var list []manual.Entry
	for _, o := range manual.Options(flags) {
		list = append(list, manual.Entry{Word: "--" + o.Name, Text: o.Text})
	}
	return list
}

func commandWords(app *cli.App) []manual.Entry {
	var list []manual.Entry
	for _, c := range app.Commands {
		list = append(list, manual.Entry{Word: c.Name, Text: c.Usage})
	}
	return list
}

// firstWords returns the commands and the groups; each group only once.
func firstWords(app *cli.App) (list []manual.Entry) {
	for _, w := range commandWords(app) {
		group, _, isGroup := strings.Cut(w.Word, " ")
		switch {
		case !isGroup:
			list = append(list, w)
		case len(list) == 0 || list[len(list)-1].Word != group:
			list = append(list, manual.Entry{Word: group, Text: groups[group]})
		}
	}
	return list
}
