package command

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

// shell is a shell with completion. Its script calls webcap completion with the words of the command line, up to
// the word to complete. The output has one line for each match: the word, and after separator its description. If the
// output is empty, the shell offers files.
type shell struct {
	name, separator, script string // without a separator, lines have no descriptions
}

var shells = []shell{
	{"bash", "", `_webcap() {
    local IFS=$'\n'
    COMPREPLY=($("$1" completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _webcap webcap
`},
	{"zsh", ":", `#compdef webcap
_webcap() {
    local -a found
    found=("${(@f)$("$words[1]" completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n $found ]]; then
        _describe webcap found
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
	{"fish", "\t", `function __webcap_complete
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
	{"powershell", "\t", `Register-ArgumentCompleter -Native -CommandName webcap -ScriptBlock {
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
	for _, w := range complete(c.App, words[:len(words)-1], words[len(words)-1]) {
		line := w.Word
		if w.Text != "" && shells[i].separator != "" {
			line += shells[i].separator + w.Text
		}
		if err := p.printf("%s\n", line); err != nil {
			return err
		}
	}
	return nil
}

// complete returns the completions of current, given the words before it, in the order of the help. The result is
// empty if a file is expected, or if nothing matches.
func complete(app *cli.App, words []string, current string) []manual.Entry {
	if current == `""` {
		current = "" // of PowerShell
	}
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
					return beginning(optionValues(f), current)
				}
			}
		case c == nil && w != "help":
			var n int
			if c, n = commandOf(app, words[i:]); c == nil {
				return beginning(groupWords(app, w), current)
			}
			i += n - 1
			flags = c.Flags
		}
	}
	var list []manual.Entry // none: the shell offers files
	switch {
	case strings.HasPrefix(current, "-"):
		for _, o := range manual.Options(flags) {
			list = append(list, manual.Entry{Word: "--" + o.Name, Text: o.Text})
		}
	case c == nil:
		list = firstWords(app)
	case c.Name == "explain":
		list = rules()
	case c.Name == "completion":
		list = plain(shellNames())
	}
	return beginning(list, current)
}

// beginning returns the words that begin with prefix, ignoring case.
func beginning(list []manual.Entry, prefix string) []manual.Entry {
	return slices.DeleteFunc(list, func(w manual.Entry) bool {
		return len(w.Word) < len(prefix) || !strings.EqualFold(w.Word[:len(prefix)], prefix)
	})
}

// optionValues returns the values of an option.
func optionValues(f cli.Flag) []manual.Entry {
	o := manual.OptionOf(f)
	if slices.Contains(ruleLists, o.Name) {
		return slices.Concat(plain(strings.Split(groupNames(), ", ")), rules())
	}
	return plain(o.Choices)
}

func plain(texts []string) []manual.Entry {
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

func rules() []manual.Entry {
	var list []manual.Entry
	for _, r := range audit.Rules() {
		list = append(list, manual.Entry{Word: r.ID, Text: r.Title})
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
