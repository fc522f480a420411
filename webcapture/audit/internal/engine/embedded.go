package engine

import (
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Embedded is a source of the files in the catalog's name tree EmbeddedFiles (7.11.4). A file belongs to a URL if the
// file name or the description in its specification is that URL. A file whose name is only the last path segment of a
// URL is an uncertain match.
type Embedded struct {
	file   *webcapture.File
	ByURL  map[string][]Attachment // by the common key of similar URLs
	ByName map[string][]Attachment
	first  map[string]object.Ref // stream of the first file with a name, by name
	files  int
	failed error // error in reading the document
}

type Attachment struct {
	Name      string
	URL       string     // canonical, if the file is in ByURL
	ref       object.Ref // stream with the file's data
	mediaType string
	created   time.Time // zero if unknown
}

// embedded reads the file specifications of the document. It ignores unreadable ones, because they are not part of the
// content database.
func (w *Worker) embedded() source.Source {
	e := &Embedded{file: w.Run.File, ByURL: map[string][]Attachment{}, ByName: map[string][]Attachment{},
		first: map[string]object.Ref{}}
	tree, err := w.Reader.Tree(w.DB.Names.Lookup("EmbeddedFiles")) // empty if there is none
	if err != nil {
		w.Fail(err)
		return e
	}
	for _, entry := range tree.Entries() {
		if !w.Spend(rule.KeyWork(entry.Key)) {
			break
		}
		spec, err := w.Reader.Resolve(entry.Value)
		e.note(err)
		d, _ := spec.Dict()
		e.add(w.Reader, d)
	}
	w.Failed = e.failed
	return e
}

// note keeps an error that is not about the content of the file.
func (e *Embedded) note(err error) {
	if e.failed == nil {
		e.failed = object.IgnoreMalformed(err)
	}
}

func (e *Embedded) add(r *webcapture.Reader, spec object.Dict) {
	entry := func(key string) string {
		s, err := r.String(spec.Lookup(key))
		e.note(err)
		return rule.DecodeText(s.Bytes)
	}
	ef, err := r.Resolve(spec.Lookup("EF"))
	e.note(err)
	d, _ := ef.Dict()
	ref, ok := d.Lookup("UF").Ref()
	if !ok {
		ref, ok = d.Lookup("F").Ref()
	}
	if !ok {
		return
	}
	a := Attachment{ref: ref}
	stream, err := r.Get(ref)
	e.note(err)
	if err == nil && stream.Kind() != object.Stream {
		return // a missing file is not an empty file
	}
	dict, _ := stream.Dict()
	subtype, err := r.Resolve(dict.Lookup("Subtype"))
	e.note(err)
	mediaType, _ := subtype.Name()
	a.mediaType = string(mediaType)
	params, err := r.Resolve(dict.Lookup("Params"))
	e.note(err)
	d, _ = params.Dict()
	created, err := r.String(d.Lookup("CreationDate"))
	e.note(err)
	a.created, _ = rule.ParseDate(created.Bytes)
	e.files++
	seen := map[string]bool{"": true}
	for _, key := range []string{"UF", "F", "Desc"} {
		name := entry(key)
		if seen[name] {
			continue
		}
		if seen[name] = true; a.Name == "" {
			a.Name = name
			if _, taken := e.first[name]; !taken {
				e.first[name] = ref
			}
		}
		if u := canon.Split([]byte(name)); u.Absolute() && u.HasAuthority {
			k := source.Alike(name)
			a.URL = canon.URL(name)
			e.ByURL[k] = append(e.ByURL[k], a)
		} else {
			base := name[strings.LastIndexAny(name, `/\`)+1:]
			e.ByName[base] = append(e.ByName[base], a)
		}
	}
}

func (e *Embedded) Lookup(url string) iter.Seq2[*source.Candidate, error] {
	return func(yield func(*source.Candidate, error) bool) {
		key := canon.URL(url)
		byURL := map[object.Ref]bool{}
		for _, a := range e.ByURL[source.Alike(url)] {
			if byURL[a.ref] = a.ref.Num != 0; a.URL == key && !yield(e.candidate(url, a, ""), nil) {
				return
			}
		}
		path := string(canon.Split([]byte(key)).Path)
		name := path[strings.LastIndexByte(path, '/')+1:]
		for _, a := range e.named(name) {
			if !byURL[a.ref] && !yield(e.candidate(url, a, "only its name connects the file with the URL"), nil) {
				return
			}
		}
	}
}

// LookupAlike yields the files of similar URLs.
func (e *Embedded) LookupAlike(url string) iter.Seq2[*source.Candidate, error] {
	return func(yield func(*source.Candidate, error) bool) {
		key := canon.URL(url)
		for _, a := range e.ByURL[source.Alike(url)] {
			if a.URL != key && !yield(e.candidate(a.URL, a, ""), nil) {
				return
			}
		}
	}
}

// named returns the files with a name. If there are none, it decodes percent-encoded bytes of the name and tries again.
func (e *Embedded) named(name string) []Attachment {
	if list := e.ByName[name]; list != nil {
		return list
	}
	return e.ByName[string(canon.Decode(nil, []byte(name)))]
}

func (e *Embedded) candidate(url string, a Attachment, doubt string) *source.Candidate {
	open := func() (io.ReadCloser, error) {
		data, err := e.file.NewReader().Data(a.ref)
		return io.NopCloser(data), err
	}
	where := "the embedded file " + nametree.Key(a.Name).String()
	if e.first[a.Name] != a.ref {
		where += fmt.Sprintf(", object %v", a.ref)
	}
	return &source.Candidate{
		URL: url, MediaType: a.mediaType, Time: a.created, Doubt: doubt, Where: where,
		Body: &source.Body{Open: open},
	}
}

// Stats returns the counts of the files. They have a budget in proportion to the size of the PDF file.
func (e *Embedded) Stats() source.Stats {
	return source.Stats{Files: 1, Kept: e.files, Bytes: e.file.Size()}
}

func (e *Embedded) Close() error { return nil }
