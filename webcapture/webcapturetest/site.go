package webcapturetest

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // for image.Decode, like the next imports
	_ "image/jpeg"
	_ "image/png"
	"maps"
	"slices"
	"strings"
)

// A Resource is the response to a request for a URL.
type Resource struct {
	URL       string // absolute and in canonical form
	MediaType string // with parameters, if any
	Body      []byte

	Title string // title of a page; empty for none

	// Aux are the indexes of the resources to which a page refers, in the order of the references. Repeated indexes
	// are ignored.
	Aux []int
}

// SiteOptions are properties of the document of Site.
type SiteOptions struct {
	// Producer and Creator are entries of the information dictionary. The default Producer is the same as in Sets;
	// an empty Creator omits the entry.
	Producer, Creator string

	// Encoding is the form of auxiliary identifiers in the data of a page's identifier.
	Encoding AuxEncoding
}

// An AuxEncoding is an interpretation of the standard (ISO 32000-2:2020, 14.10.3.3): how strings represent
// identifiers of auxiliary files.
type AuxEncoding int

const (
	RawIDs      AuxEncoding = iota // as 16 bytes
	LowerHexIDs                    // as 32 hexadecimal digits
	UpperHexIDs
)

// Site returns a document with pages captured from the resources. Each image gets an image set. Each HTML, text, or
// PDF file gets a page set with one page, which shows the file's images. Other resources, such as style sheets,
// serve only as auxiliary files.
//
// Identifiers follow the standard. The identifier of an image or a PDF file is its MD5. The identifier of any other
// page is one MD5 of several data: its source and, in the order of first reference, the MD5 of each auxiliary file.
// The trees follow the standard, too. Resources with the same identifier share a content set; if their URLs differ,
// SI is an array. If a URL has more than one set, its value is an array. An image to which no page refers has the
// count 0.
//
// A JPEG file is stored unchanged. A GIF or PNG file is stored as pixels, and any other image as a single pixel.
func Site(resources []Resource, o SiteOptions) *Document {
	s := &site{doc: new(Document), resources: resources, o: o, images: map[int]*siteSet{}}
	s.run()
	return s.doc
}

type site struct {
	doc       *Document
	resources []Resource
	o         SiteOptions
	sets      []*siteSet
	images    map[int]*siteSet // sets by index of the resource
}

// A siteSet is a content set with one member.
type siteSet struct {
	subtype     string
	id          [md5.Size]byte
	num, member int
	mediaType   string
	title       string
	urls        []string
	count       int // number of pages that show the image
}

func (s *site) run() {
	d := s.doc
	d.Root, d.Info = d.Reserve(), d.Reserve()
	pageTree := d.Reserve()
	for i, r := range s.resources {
		if isImage(r) {
			set, isNew := s.set("SIS", r, md5.Sum(r.Body))
			if s.images[i] = set; isNew {
				s.image(set.member, r, set.id)
			}
		}
	}
	var pages []int
	for _, r := range s.resources {
		if !isPageSource(r) {
			continue
		}
		if set, isNew := s.set("SPS", r, s.pageID(r)); isNew {
			pages = append(pages, set.member)
			s.page(set, r, pageTree)
		}
	}
	for _, set := range s.sets {
		s.contentSet(set)
	}
	if len(pages) == 0 { // a document must have a page
		pages = append(pages, d.Add(fmt.Sprintf("<</Type/Page/Parent %d 0 R>>", pageTree)))
	}
	d.Set(pageTree, fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]/MediaBox[0 0 612 792]/Resources<<>>>>", len(pages),
		references(pages)))
	d.Set(d.Root, fmt.Sprintf("<</Type/Catalog/Pages %d 0 R/Names<<%s>>/SpiderInfo<</V 1.25>>>>", pageTree, s.trees()))
	info := "/Producer" + Literal(cmp.Or(s.o.Producer, "webcapturetest"))
	if s.o.Creator != "" {
		info += "/Creator" + Literal(s.o.Creator)
	}
	d.Set(d.Info, "<<"+info+"/CreationDate"+fixedDate+">>")
}

// essence returns the media type without parameters.
func (r Resource) essence() string {
	t, _, _ := strings.Cut(r.MediaType, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

func isImage(r Resource) bool { return strings.HasPrefix(r.essence(), "image/") }

func isPageSource(r Resource) bool {
	switch r.essence() {
	case "text/html", "application/xhtml+xml", "text/plain", "application/pdf":
		return true
	}
	return false
}

// set returns the content set with an identifier, and adds the URL of the resource to it. If there is no such set,
// it creates one.
func (s *site) set(subtype string, r Resource, id [md5.Size]byte) (set *siteSet, isNew bool) {
	i := slices.IndexFunc(s.sets, func(set *siteSet) bool { return set.subtype == subtype && set.id == id })
	if isNew = i < 0; isNew {
		i = len(s.sets)
		s.sets = append(s.sets, &siteSet{subtype: subtype, id: id, num: s.doc.Reserve(), member: s.doc.Reserve(),
			mediaType: r.MediaType, title: r.Title})
	}
	set = s.sets[i]
	if !slices.Contains(set.urls, r.URL) {
		set.urls = append(set.urls, r.URL)
	}
	return set, isNew
}

// pageID returns the identifier of the page set of r.
func (s *site) pageID(r Resource) [md5.Size]byte {
	h := md5.New()
	h.Write(r.Body)
	for _, i := range s.aux(r) {
		id := md5.Sum(s.resources[i].Body)
		switch s.o.Encoding {
		case LowerHexIDs:
			fmt.Fprintf(h, "%x", id)
		case UpperHexIDs:
			fmt.Fprintf(h, "%X", id)
		default:
			h.Write(id[:])
		}
	}
	return [md5.Size]byte(h.Sum(nil))
}

// aux returns the indexes of auxiliary resources, without repetitions. A PDF file has none, because its identifier
// depends only on the file.
func (s *site) aux(r Resource) []int {
	var list []int
	for _, i := range r.Aux {
		if !slices.Contains(list, i) && r.essence() != "application/pdf" {
			list = append(list, i)
		}
	}
	return list
}

// page adds the page of a set.
func (s *site) page(set *siteSet, r Resource, parent int) {
	var shown []*siteSet
	for _, i := range s.aux(r) {
		if im := s.images[i]; im != nil && !slices.Contains(shown, im) {
			shown = append(shown, im)
		}
	}
	var xobjects, content strings.Builder
	for i, im := range shown {
		im.count++
		fmt.Fprintf(&xobjects, "/Im%d %d 0 R", i, im.member)
		fmt.Fprintf(&content, "q 72 0 0 72 %d %d cm /Im%d Do Q\n", 36+i%7*76, 684-i/7%9*76, i)
	}
	s.doc.Set(set.member, fmt.Sprintf("<</Type/Page/Parent %d 0 R/ID %s/Resources<</XObject<<%s>>>>/Contents %d 0 R>>",
		parent, Hex(set.id[:]), xobjects.String(), s.doc.AddStream("", []byte(content.String()))))
}

// image adds the image of a set.
func (s *site) image(num int, r Resource, id [md5.Size]byte) {
	const entries = "/Type/XObject/Subtype/Image/BitsPerComponent 8/Width %d/Height %d/ColorSpace/%s%s/ID %s"
	if r.essence() == "image/jpeg" {
		w, h, space := jpegHead(r.Body)
		s.doc.SetStream(num, fmt.Sprintf(entries, w, h, space, "/Filter/DCTDecode", Hex(id[:])), r.Body)
		return
	}
	w, h, data := pixels(r.Body)
	filter, data := encode(Flate, NoPredictor, 0, data)
	s.doc.SetStream(num, fmt.Sprintf(entries, w, h, "DeviceRGB", filter, Hex(id[:])), data)
}

// jpegHead returns the properties of a JPEG file for its image dictionary. For an unreadable file, it returns
// arbitrary values.
func jpegHead(file []byte) (width, height int, space string) {
	c, _, err := image.DecodeConfig(bytes.NewReader(file))
	switch {
	case err != nil:
		return 1, 1, "DeviceGray"
	case c.ColorModel == color.GrayModel:
		space = "DeviceGray"
	case c.ColorModel == color.CMYKModel:
		space = "DeviceCMYK"
	default:
		space = "DeviceRGB"
	}
	return c.Width, c.Height, space
}

// pixels returns the samples of an image file, three for each pixel.
func pixels(file []byte) (width, height int, data []byte) {
	im, _, err := image.Decode(bytes.NewReader(file))
	if err != nil || im.Bounds().Empty() {
		return 1, 1, make([]byte, 3)
	}
	b := im.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			red, green, blue, _ := im.At(x, y).RGBA()
			data = append(data, byte(red>>8), byte(green>>8), byte(blue>>8))
		}
	}
	return b.Dx(), b.Dy(), data
}

func (s *site) contentSet(set *siteSet) {
	var si []string
	for _, u := range set.urls {
		si = append(si, "<</AU "+Literal(u)+"/TS"+fixedDate+">>")
	}
	sources := si[0]
	if len(si) > 1 {
		sources = "[" + strings.Join(si, "") + "]"
	}
	own := "/CT" + Literal(set.mediaType)
	if set.title != "" {
		own += "/T" + Literal(set.title)
	}
	if set.subtype == "SIS" {
		own = fmt.Sprintf("/R %d", set.count)
	}
	s.doc.Set(set.num, fmt.Sprintf("<</S/%s/ID %s/O[%d 0 R]/SI%s%s/TS%s>>", set.subtype, Hex(set.id[:]), set.member,
		sources, own, fixedDate))
}

// trees returns the entries of the name dictionary for the sets.
func (s *site) trees() string {
	urls, ids := map[string][]int{}, map[string][]int{}
	for _, set := range s.sets {
		for _, u := range set.urls {
			urls[u] = append(urls[u], set.num)
		}
		id := string(set.id[:])
		ids[id] = append(ids[id], set.num)
	}
	tree := func(entries map[string][]int, write func(string) string) int {
		var b strings.Builder
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			value := references(entries[key])
			if len(entries[key]) > 1 {
				value = references([]int{s.doc.Add("[" + value + "]")})
			}
			b.WriteString(write(key) + value + "\n")
		}
		return s.doc.Add("<</Names[" + b.String() + "]>>")
	}
	return fmt.Sprintf("/IDS %d 0 R/URLS %d 0 R", tree(ids, Hex[string]), tree(urls, Literal[string]))
}
