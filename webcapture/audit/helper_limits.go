package audit

import (
	"bytes"
	"fmt"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// A limit is what a command is kept to by its flags.
type limit struct {
	path bool // to the path, not only to the host
	url  canon.Parts
}

// limitOf returns what a command, as content sets refer to it, is kept to;
// false if it is free to go anywhere, or is not a command.
func (p *Pass) limitOf(o object.Object) (l limit, ok bool, err error) {
	if o, err = p.Reader.Resolve(o); err != nil {
		return l, false, err
	}
	d, _ := o.Dict()
	f, err := p.Reader.Resolve(d.Lookup("F"))
	if err != nil {
		return l, false, err
	}
	flags := flagsOf(&webcapture.Command{F: f})
	if flags&(webcapture.SameSite|webcapture.SamePath) == 0 {
		return l, false, nil
	}
	url, err := p.Reader.String(d.Lookup("URL"))
	if err != nil || !url.OK() {
		return l, false, err
	}
	l = limit{flags&webcapture.SamePath != 0, canon.Split(canon.PDF.Append(nil, url.Bytes))}
	return l, l.url.Absolute(), nil
}

// directory returns a path up to its last slash, "/" if it is empty.
func directory(path []byte) []byte {
	if len(path) == 0 {
		return []byte("/")
	}
	return path[:bytes.LastIndexByte(path, '/')+1]
}

// includes reports whether a URL lies inside the limit. The scheme counts only
// with the path.
func (l limit) includes(url []byte) bool {
	u := canon.Split(canon.PDF.Append(nil, url))
	if !bytes.EqualFold(u.Host, l.url.Host) {
		return false
	}
	if !l.path {
		return true
	}
	path := u.Path
	if len(path) == 0 {
		path = []byte("/")
	}
	return bytes.EqualFold(u.Scheme, l.url.Scheme) && bytes.Equal(u.Port, l.url.Port) && bytes.HasPrefix(path, directory(l.url.Path))
}

// outside returns the first URL of a source if it has any, and all lie outside
// the limit.
func (p *Pass) outside(l limit, si *webcapture.SourceInfo) (first []byte, ok bool) {
	for _, url := range si.URLs() {
		if !p.Spend(urlCost+8*int64(len(url))) || l.includes(url) {
			return nil, false
		}
		if !ok {
			first, ok = url, true
		}
	}
	return first, ok
}

// String returns the limit as messages show it.
func (l limit) String() string {
	if !l.path {
		return "the host " + nametree.Key(l.url.Host).String()
	}
	host := string(l.url.Host)
	if l.url.HasPort {
		host += ":" + string(l.url.Port)
	}
	return "what begins with " + nametree.Key(fmt.Sprintf("%s://%s%s", l.url.Scheme, host, directory(l.url.Path))).String()
}
