package checks

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"mime"
	"strconv"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Helpers of rules about SpiderInfo and its commands.

// command is a command in C of SpiderInfo.
type command struct {
	*webcapture.Command
	info *rule.Info
}

// At returns the command's place.
func (c command) At() rule.Place { return c.info.AtCommand(c.Index) }

// commandsOf yields the commands. It stops if the budget is exceeded.
func commandsOf(i *rule.Info, p *rule.Pass) iter.Seq[command] {
	return func(yield func(command) bool) {
		if i.Info == nil {
			return
		}
		for n := range i.Commands {
			if !p.Spend(0) || !yield(command{&i.Commands[n], i}) {
				return
			}
		}
	}
}

// PDFVersion returns the PDF version of the file; 0, 0 if it is invalid.
func PDFVersion(p *rule.Pass) (major, minor int) {
	a, b, _ := strings.Cut(p.DB.Version, ".")
	major, err1 := strconv.Atoi(a)
	minor, err2 := strconv.Atoi(b)
	if err1 != nil || err2 != nil {
		return 0, 0
	}
	return major, minor
}

// HeaderLines yields the lines of HTTP headers with their numbers, from 1. A line does not include its line end, but
// tells whether that is CR LF. There is no empty line after the last line end.
func HeaderLines(h []byte) iter.Seq2[int, headerLine] {
	return func(yield func(int, headerLine) bool) {
		for n := 1; len(h) > 0; n++ {
			end := bytes.IndexAny(h, "\r\n")
			var l headerLine
			switch {
			case end < 0:
				l, h = headerLine{text: h}, nil
			case bytes.HasPrefix(h[end:], []byte("\r\n")):
				l, h = headerLine{text: h[:end], ended: true}, h[end+2:]
			default:
				l, h = headerLine{text: h[:end]}, h[end+1:]
			}
			if !yield(n, l) {
				return
			}
		}
	}
}

type headerLine struct {
	text  []byte
	ended bool // ended by CR LF
}

// name returns the text before the colon; false if there is no colon, or the text is not a token.
func (l headerLine) name() (string, bool) {
	name, _, ok := bytes.Cut(l.text, []byte(":"))
	return string(name), ok && isToken(name)
}

// headersFault describes the first error in HTTP headers, without showing them; empty if there is none.
func headersFault(h []byte) string {
	for n, line := range HeaderLines(h) {
		if fault := HeaderFault(n, line); fault != "" {
			return fmt.Sprintf(": line %d %s", n, fault)
		}
	}
	return ""
}

// HeaderFault describes the error in a header line, without showing the line; empty if there is none. A line that
// begins with a blank continues the previous one.
func HeaderFault(n int, line headerLine) string {
	continued := n > 1 && len(line.text) > 0 && (line.text[0] == ' ' || line.text[0] == '\t')
	switch _, named := line.name(); {
	case len(line.text) == 0:
		return "is empty, expected a name, a colon, and a value"
	case !continued && !named:
		return "does not begin with a name and a colon"
	case !line.ended:
		return "does not end with CR LF"
	}
	return ""
}

// privateHeaders are names of headers that identify the sender, in lower case.
var privateHeaders = map[string]bool{
	"cookie": true, "cookie2": true, "authorization": true, "proxy-authorization": true,
	"x-api-key": true, "x-auth-token": true,
}

// credentials are names of parameters and form fields for passwords and similar values, in lower case.
var credentials = map[string]bool{
	"password": true, "passwd": true, "passphrase": true, "pass": true, "pwd": true, "pin": true,
	"secret": true, "client_secret": true, "api_key": true, "apikey": true,
	"access_token": true, "refresh_token": true, "auth_token": true, "id_token": true,
}

// Credential returns the name of the first pair in a query or in form data that looks like a credential and has a
// value; empty if there is none. In multipart data, the names of fields are in part headers.
func Credential(data []byte) string {
	for pair := range bytes.FieldsFuncSeq(data, func(r rune) bool { return strings.ContainsRune("?&;\r\n", r) }) {
		name, value, _ := bytes.Cut(pair, []byte("="))
		if string(bytes.TrimSpace(name)) == "name" {
			name = bytes.Trim(value, `"`)
		}
		if s := strings.ToLower(string(name[:min(len(name), 32)])); len(value) > 0 && credentials[s] {
			return s
		}
	}
	return ""
}

func postedStream(p *rule.Pass, ref object.Ref) ([]byte, error) {
	data, err := p.Reader.Stream(ref)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(data, maxPosted))
}

// postedData returns the first maxPosted bytes of the data in P; nil if there are none, or if they are in a stream with
// filters.
func postedData(p *rule.Pass, c command) ([]byte, error) {
	var data []byte
	var err error
	if c.P.Kind() == object.Stream {
		d, _ := c.P.Dict()
		if ref, ok := c.Dict.Lookup("P").Ref(); ok && d.Lookup("Filter").IsNull() {
			data, err = postedStream(p, ref)
		}
	} else {
		data, _ = c.P.AppendString(nil)
	}
	data = data[:min(len(data), maxPosted)]
	p.Spend(int64(len(data)))
	return data, err
}

// isToken reports whether text has no blanks, control characters, or tspecials.
func isToken(text []byte) bool {
	_, _, err := mime.ParseMediaType(string(text))
	return err == nil && !strings.ContainsAny(string(text), " \t\r\n/;")
}
