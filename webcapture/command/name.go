package command

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

func (p *program) name() *cli.Command {
	return &cli.Command{
		Name:  "name",
		Usage: "Make, split, and find unique names",
		UsageText: `webcap name encode [OPTIONS] --id ID NAME...
webcap name decode [OPTIONS] NAME...
webcap name find [OPTIONS] FILE...`,
		Description: `Captured destinations and form fields have unique names that contain the ID of their
page set. A NAME of - reads names from standard input. Exit codes: 0 done, 1 a
name has no ID, 2 wrong command line, 3 not read completely, 4 no unique names.

  webcap name encode --id 6aff6ffde16c22ad173845d2aad0b489 top
  webcap name decode --hex --in site.pdf 6aff6ffde16c22ad173845d2aad0b48967656e
  webcap name find site.pdf

` + details("identifiers.md#webcap-name"),
		Flags: slices.Concat(grouped(manual.Input,
			&cli.GenericFlag{Name: "id", Value: new(idList), Usage: "`ID` ID of a content set in hexadecimal"},
			&cli.GenericFlag{Name: "in", Value: new(stringList), Usage: "`FILE` Accept only IDs of content sets in FILE"},
			switchFlag("field", "Names are those of form fields"),
			switchFlag("hex", "Names are in hexadecimal"),
		), formatFlags(), grouped(manual.Output, &cli.StringFlag{Name: "form",
			Usage: "`FORM` Write only this form [possible: " + formNames(digest.Forms()) + "]"}),
			[]cli.Flag{timeoutFlag("60s")}, passwordFlags()),
		Action: p.runName,
	}
}

func formNames(forms []digest.Form) string {
	var names []string
	for _, f := range forms {
		names = append(names, f.String())
	}
	return strings.Join(names, ", ")
}

// nameOptions has the options of each action, except those that all actions accept.
var nameOptions = map[string][]string{
	"encode": {"id", "field", "form", "hex"},
	"decode": {"id", "in", "field", "hex", "password-file"},
	"find":   {"password-file"},
}

// nameOnly are the options that not all actions have.
var nameOnly = []string{"id", "in", "field", "form", "hex", "password-file"}

// nameActions returns the possible first arguments.
func nameActions(before int) []word {
	if before > 0 {
		return nil
	}
	return plain("encode", "decode", "find")
}

func (p *program) runName(c *cli.Context) error {
	action, args := c.Args().First(), c.Args().Tail()
	options, ok := nameOptions[action]
	if !ok {
		return usagef("name", "choose an action: encode, decode or find%s",
			didYouMean(action, "", slices.Sorted(maps.Keys(nameOptions))))
	}
	for _, name := range nameOnly {
		if c.IsSet(name) && !slices.Contains(options, name) {
			return usagef("name", "%s has no option --%s", action, name)
		}
	}
	if len(args) == 0 {
		noun := "name"
		if action == "find" {
			noun = "file"
		}
		return usagef("name", "%s: give at least one %s", action, noun)
	}
	asJSON, err := isJSON(c)
	if err != nil {
		return err
	}
	w := show.NewText(p.stdout, p.width)
	if asJSON {
		w = show.NewJSON(p.stdout)
	}
	switch action {
	case "encode":
		return p.encodeNames(c, args, w)
	case "decode":
		return p.decodeNames(c, args, w)
	}
	return p.findNames(c, args, asJSON)
}

// idList is the value of a repeatable option.
type idList []digest.ID

// Set adds an identifier.
func (l *idList) Set(s string) error {
	id, err := digest.Parse(s)
	*l = append(*l, id)
	return err
}

// String returns "": the list is empty before it is set.
func (l *idList) String() string { return "" }

func (p *program) encodeNames(c *cli.Context, args []string, w *show.Writer) error {
	ids := *c.Generic("id").(*idList)
	if len(ids) != 1 {
		return usagef("name", "encode needs one --id")
	}
	forms, of := digest.Forms(), ""
	if c.Bool("field") {
		forms, of = slices.DeleteFunc(forms, func(f digest.Form) bool { return !f.OfField() }), " of fields"
	}
	if c.IsSet("form") {
		i := slices.IndexFunc(forms, func(f digest.Form) bool { return f.String() == c.String("form") })
		if i < 0 {
			return usagef("name", "unknown form %q%s; use one of %s", c.String("form"), of, formNames(forms))
		}
		forms = forms[i : i+1]
	}
	names, err := namesOf(c, args)
	if err != nil {
		return err
	}
	for _, name := range names {
		if c.IsSet("form") && c.String("format") == "table" {
			text := forms[0].Name(name, ids[0])
			if p.width > 0 {
				text = layout.Printable(text)
			}
			if err := p.printf("%s\n", text); err != nil {
				return cannotWrite(err)
			}
			continue
		}
		if err := w.Add(&show.EncodedName{Original: name, ID: ids[0], Forms: forms}); err != nil {
			return cannotWrite(err)
		}
	}
	return nil
}

// namesOf returns the names in args, which are hexadecimal with --hex.
func namesOf(c *cli.Context, args []string) ([]string, error) {
	if !c.Bool("hex") {
		return args, nil
	}
	var names []string
	for _, a := range args {
		b, err := hex.DecodeString(a)
		if err != nil {
			return nil, usagef("name", "name %.40q is not hexadecimal", a)
		}
		names = append(names, string(b))
	}
	return names, nil
}

func (p *program) decodeNames(c *cli.Context, args []string, w *show.Writer) error {
	fromStdin := slices.Equal(args, []string{batch.Stdin})
	in := allOf(c, "in")
	passwords, err := p.passwords(c, in...)
	if err != nil {
		return err
	}
	var names []string
	if !fromStdin {
		if names, err = namesOf(c, args); err != nil {
			return err
		}
	}
	limit, err := timeoutOf(c)
	if err != nil {
		return err
	}
	t := nameDecoder{w: w, field: c.Bool("field")}
	if c.IsSet("id") || c.IsSet("in") {
		t.accepted = map[digest.ID]bool{}
	}
	for _, id := range *c.Generic("id").(*idList) {
		t.accepted[id] = true
	}
	for _, path := range in {
		ctx, cancel := within(c.Context, limit)
		s := p.search(ctx, path, passwords, false)
		cancel()
		if errors.Is(s.Err, errInterrupted) {
			return errInterrupted
		}
		if p.sayUnread(s.FileNames); s.Err != nil {
			return nil
		}
		for id := range s.sets {
			t.accepted[id] = true
		}
	}
	if fromStdin {
		err = t.decodeLines(infile.Interruptible(c.Context, p.stdin), c.Bool("hex"))
	} else {
		for _, name := range names {
			if err = t.decode(name); err != nil {
				break
			}
		}
	}
	p.wrong = t.undecoded
	return err
}

// nameDecoder splits unique names into their parts.
type nameDecoder struct {
	w         *show.Writer
	field     bool
	accepted  map[digest.ID]bool // nil to accept any identifier
	undecoded bool               // at least one name has no accepted or likely identifier
}

func (t *nameDecoder) decode(name string) error {
	var ways []digest.Match
	if !t.field {
		ways = slices.Collect(digest.Splits(name))
	}
	ways = slices.AppendSeq(ways, digest.FieldSplits(name))
	n := &show.DecodedName{Name: name, Known: t.accepted != nil}
	if n.Known {
		n.Ways = slices.DeleteFunc(ways, func(m digest.Match) bool { return !t.accepted[m.ID] })
	} else {
		n.Ways = digest.Likeliest(slices.Values(ways))
	}
	if len(n.Ways) == 0 || !n.Known && !n.Ways[0].ID.LooksDigested() {
		t.undecoded = true
	}
	if err := t.w.Add(n); err != nil {
		return cannotWrite(err)
	}
	return nil
}

// decodeLines splits the names in r, which has one name per line.
func (t *nameDecoder) decodeLines(r io.Reader, inHex bool) error {
	lines := bufio.NewReaderSize(r, maxLine+len("\n"))
	for number := 1; ; number++ {
		line, err := lines.ReadSlice('\n')
		switch {
		case isEnd(err):
			return err
		case err == bufio.ErrBufferFull:
			return fmt.Errorf("%s: line %d is longer than %d bytes", batch.Stdin, number, maxLine)
		case err != nil && err != io.EOF:
			return fmt.Errorf("%s: %w", batch.Stdin, err)
		}
		if len(line) == 0 {
			return nil
		}
		name := strings.TrimSuffix(string(line), "\n")
		if inHex {
			b, err := hex.DecodeString(strings.TrimSpace(name))
			if err != nil {
				return fmt.Errorf("%s: line %d is not hexadecimal", batch.Stdin, number)
			}
			name = string(b)
		}
		if err := t.decode(name); err != nil {
			return err
		}
	}
}
