package checks

// Data about the user in keys of URLS and in commands (RFC 3986, 7.5; RFC 9110, 17).

import (
	"bytes"
	"io"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var privacyLocal = &rule.Rule{
	ID:      "WC701",
	Title:   "URLS keys do not name local files, file servers, or sessions.",
	Problem: "URLS keys that name local files, file servers, or sessions",
	Clause:  "webcap",
	Level:   rule.Note,
	Doc: "File URLs reveal the name of a user, the folders of a machine, or the servers of a private network. " +
		"Acrobat writes them when it converts a local file. A session identifier in a parameter may still be valid. It " +
		"differs with every visit, so viewers do not find the page by its URL again. Everyone who receives the PDF can " +
		"read the keys.",
	Repair:    "None.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkPrivacyLocal,
}

var privacyUserinfo = &rule.Rule{
	ID:        "WC702",
	Title:     "URLS keys have no userinfo.",
	Problem:   "URLS keys with user names or passwords",
	Clause:    "RFC 3986, 7.5",
	Level:     rule.Warning,
	Doc:       "The key has a user name, and perhaps a password, before the host, in plain text.",
	Repair:    "None: the key would no longer be the URL of its source.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkPrivacyUserinfo,
}

var privacyCommands = &rule.Rule{
	ID:      "WC704",
	Title:   "Commands have no credentials.",
	Problem: "Commands with cookies, authorization, passwords, or tokens",
	Clause:  "RFC 9110, 17; RFC 3986, 7.5",
	Level:   rule.Warning,
	Doc: "A command stores the headers that the browser sent, its URL, and the data of a form in plain text. Everyone " +
		"who receives the PDF can read them. With cookies, authorization, or a password, anyone may act as the user " +
		"who captured the page. webcap does not check the data of a stream with filters.",
	Repair:    "None: the command could no longer be executed as it was.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckInfo: checkPrivacyCommands,
}

func checkPrivacyLocal(p *rule.Pass, e *rule.Entry) {
	if what := LocalPlace(e.URL); what != "" {
		p.Reportf(e.At(), nil, "key %v names %s", e.Key, what)
	}
	if name := SessionParameter(e.Key); name != "" {
		p.Reportf(e.At(), nil, "key %v has the parameter %s, which looks like a session identifier", e.Key, name)
	}
}

// LocalPlace describes what a URL reveals about the machine that captured it; empty for nothing.
func LocalPlace(u canon.Parts) string {
	if !strings.EqualFold(string(u.Scheme), "file") {
		return ""
	}
	path := strings.ToLower(string(u.Path))
	switch {
	case len(u.Host) > 0 && !strings.EqualFold(string(u.Host), "localhost"):
		return "a server of a private network"
	case strings.HasPrefix(path, "//"):
		return "a server of a private network"
	case strings.Contains(path, "/temp/"), strings.Contains(path, "/tmp/"), strings.HasPrefix(path, "/var/folders/"):
		return "a temporary file"
	case strings.Contains(path, "/users/"), strings.Contains(path, "/home/"), strings.Contains(path, "/docume"):
		return "a user's folder"
	}
	return "a local file"
}

// sessionParameters are names of parameters for session identifiers, in lower case.
var sessionParameters = map[string]bool{
	"jsessionid": true, "phpsessid": true, "sessionid": true, "session_id": true, "sid": true, "aspsessionid": true,
	"cfid": true, "cftoken": true, "access_token": true, "auth_token": true, "sessid": true,
}

// SessionParameter returns the name of the first parameter of a URL that looks
// like a session identifier and has a value; empty if there is none.
func SessionParameter(key nametree.Key) string {
	i := strings.IndexAny(string(key), "?;")
	if i < 0 {
		return ""
	}
	for pair := range strings.FieldsFuncSeq(string(key[i:]),
		func(r rune) bool { return strings.ContainsRune("?;&/#", r) }) {
		if name, value, _ := strings.Cut(pair, "="); value != "" && sessionParameters[strings.ToLower(name)] {
			return name
		}
	}
	return ""
}

func checkPrivacyUserinfo(p *rule.Pass, e *rule.Entry) {
	if len(e.URL.Userinfo) > 0 {
		p.Reportf(e.At(), nil, "key has userinfo before the host %v", nametree.Key(e.URL.Host))
	}
}

func checkPrivacyCommands(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		for n, line := range HeaderLines(c.H.Bytes) {
			if name, ok := line.name(); ok && privateHeaders[strings.ToLower(name)] {
				p.Reportf(c.At(), nil, "H: line %d is the header %s, which lets others act as the user", n, name)
			}
		}
		if u := canon.Split(c.URL.Bytes); len(u.Userinfo) > 0 {
			p.Reportf(c.At(), nil, "URL has userinfo before the host %v", nametree.Key(u.Host))
		} else if name := Credential(u.Query); name != "" {
			p.Reportf(c.At(), nil, "URL has a parameter %s, which looks like a credential", name)
		}
		data, err := postedData(p, c)
		if err != nil {
			p.CouldNotRead(c.At(), err)
		}
		if name := Credential(data); name != "" {
			p.Reportf(c.At(), nil, "P has a field %s, which looks like a credential", name)
		}
	}
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

// maxPosted is the maximum number of bytes of a command's posted data that are searched for passwords.
const maxPosted = 1 << 20

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

func postedStream(p *rule.Pass, ref object.Ref) ([]byte, error) {
	data, err := p.Reader.Stream(ref)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(data, maxPosted))
}
