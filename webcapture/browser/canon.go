package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// form is the canonical form of a URL under a profile, with the steps that changed the URL.
type form struct {
	Profile   string     `json:"profile"`
	Canonical string     `json:"canonical"`
	Relative  bool       `json:"relative,omitempty"` // the form is relative, because there is no base
	Steps     []stepText `json:"steps"`
}

// stepText is a step of a profile that changed a URL.
type stepText struct {
	Letter string `json:"letter"`
	Title  string `json:"title"`
	Clause string `json:"clause"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// canonicalForms returns the canonical forms of a URL under all profiles.
func canonicalForms(_ context.Context, r *request, _ func(string)) (any, error) {
	base := []byte(r.Base)
	if len(base) > 0 && !canon.Split(base).Absolute() {
		return nil, fmt.Errorf("the base has to be an absolute URL, not %q", r.Base)
	}
	list := []form{}
	incomplete := len(base) == 0 && !canon.Split([]byte(r.URL)).Absolute()
	for _, p := range canon.Profiles() {
		url := p.Resolve(nil, base, []byte(r.URL))
		f := form{Profile: p.Name(), Canonical: layout.Printable(string(url)), Steps: []stepText{},
			Relative: incomplete && !canon.Split(url).Absolute()} // some profiles complete a URL without a base
		for _, c := range p.Trace(base, []byte(r.URL)) {
			f.Steps = append(f.Steps, stepText{string(c.Step.Letter), c.Step.Title, c.Step.Clause,
				layout.Printable(c.Before), layout.Printable(c.After)})
		}
		list = append(list, f)
	}
	return list, nil
}

// identifier is the digital identifier of a file alone, without auxiliary files.
type identifier struct {
	ID     digest.ID `json:"id"`
	Text   digest.ID `json:"text,omitempty"` // text identifier, only for a page
	IsPage bool      `json:"isPage"`
}

// identifierOf returns the digital identifiers of a file: its MD5, and for HTML also the text identifier.
func identifierOf(_ context.Context, r *request, phase func(string)) (any, error) {
	phase("computing the identifier")
	f, err := os.Open(r.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := identifier{}
	if out.ID, err = digest.Image(f); err != nil {
		return nil, err
	}
	if r.Format != "html" {
		return out, nil
	}
	if _, err := f.Seek(0, 0); err != nil {
		return nil, err
	}
	src, err := page.ReadSource(f)
	if err != nil {
		return nil, err
	}
	readings := page.TextReadings()
	if len(readings) == 0 {
		return nil, errors.New("there is no reading of text identifiers")
	}
	out.Text, out.IsPage = page.Text(src, "text/html", readings[0]), true
	return out, nil
}
