package checks

import (
	"bytes"
	"fmt"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Limit is the part of a site to which the flags of a command restrict it.
type Limit struct {
	Path bool // restricted to the path, not only to the host
	URL  canon.Parts
}

// limitOf returns the limit of a command to which a content set refers. It returns false if the command has no limit or
// no absolute URL, or if o is not a command.
func limitOf(p *rule.Pass, o object.Object) (l Limit, ok bool, err error) {
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
	l = Limit{flags&webcapture.SamePath != 0, canon.Split(canon.PDF.Append(nil, url.Bytes))}
	return l, l.URL.Absolute(), nil
}

// directory returns the part of a path up to its last slash; "/" for an empty path.
func directory(path []byte) []byte {
	if len(path) == 0 {
		return []byte("/")
	}
	return path[:bytes.LastIndexByte(path, '/')+1]
}

// Includes reports whether a URL is within the limit. The scheme and the port count only if the path does.
func (l Limit) Includes(url []byte) bool {
	u := canon.Split(canon.PDF.Append(nil, url))
	if !bytes.EqualFold(u.Host, l.URL.Host) {
		return false
	}
	if !l.Path {
		return true
	}
	path := u.Path
	if len(path) == 0 {
		path = []byte("/")
	}
	return bytes.EqualFold(u.Scheme, l.URL.Scheme) && bytes.Equal(u.Port, l.URL.Port) &&
		bytes.HasPrefix(path, directory(l.URL.Path))
}

// outsideOf returns the first URL of a source if all its URLs are outside the limit; false if any is inside, or there
// is none.
func outsideOf(p *rule.Pass, l Limit, si *webcapture.SourceInfo) (first []byte, ok bool) {
	for _, url := range si.URLs() {
		if !p.Spend(rule.URLCost+8*int64(len(url))) || l.Includes(url) {
			return nil, false
		}
		if !ok {
			first, ok = url, true
		}
	}
	return first, ok
}

// String returns the limit as messages show it.
func (l Limit) String() string {
	if !l.Path {
		return "the host " + nametree.Key(l.URL.Host).String()
	}
	host := string(l.URL.Host)
	if l.URL.HasPort {
		host += ":" + string(l.URL.Port)
	}
	return "URLs that begin with " + nametree.Key(fmt.Sprintf("%s://%s%s", l.URL.Scheme, host, directory(l.URL.Path))).String()
}
