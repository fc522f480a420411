// Package page computes the digital identifiers of page sets from their sources.
package page

import "github.com/webcap-tools/webcap/digest"

type Reading struct{}

func (Reading) String() string { return "" }

type Composite struct {
	ID      digest.ID
	Reading Reading
	Missing []string
}

func (c Composite) Supplied(where string) int { return 0 }

type Page struct{}

func New(src []byte, mediaType, url string, find Finder) *Page { return &Page{} }

func (p *Page) Match(id digest.ID) (Composite, bool) { return Composite{}, false }

func MatchText(src []byte, mediaType string, id digest.ID) (Reading, bool) { return Reading{}, false }
