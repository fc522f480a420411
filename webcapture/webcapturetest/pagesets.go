package webcapturetest

import (
	"crypto/md5"
	"fmt"
	"slices"
	"strconv"
)

// A pageSet holds the object numbers of page set i; 0 for absent objects. It also has those of a second set: the
// image set of the same source, or of the image on the page.
type pageSet struct {
	set, image         int
	url, imageURL      int // string objects, for IndirectKeys
	mirrorURL, chained int
}

func every(k, i int) bool { return k > 0 && i%k == 0 }

func (g *generator) shared(i int) bool { return every(g.o.Shared, i) }

func (g *generator) image(i int) bool { return !g.shared(i) && every(g.o.Images, i) }

const archive = "http://www.example.org/archive/"

func (g *generator) url(dst []byte, i int) []byte {
	dst = appendPadded(append(dst, archive...), int64(i), 8)
	if g.shared(i) {
		return append(dst, "/photo.jpg"...)
	}
	dst = append(dst, "/index.html?rev="...)
	return append(dst, byte('0'+i%7))
}

func imageURL(i int) []byte { return fmt.Appendf(nil, archive+"%08d/image.jpg", i) }

func chainedURL(i int) []byte { return fmt.Appendf(nil, archive+"%08d/old", i) }

func mirrorURL(i int) []byte {
	return fmt.Appendf(nil, "http://mirror.example.org/archive/%08d", i)
}

// Kinds of commands. Each is the value of S in a source information dictionary that refers to such a command.
const (
	followLinks = iota
	submitGET
	submitPOST
)

func (g *generator) commandKind(i int) int {
	if g.shared(i) {
		return followLinks // the URL of an image has no query
	}
	return i % 3
}

func (g *generator) command(i int) {
	b := append([]byte("<</URL"), appendLiteral(nil, g.url(nil, i))...)
	switch g.commandKind(i) {
	case followLinks:
		b = append(b, "/L 2/F 1/S<</G<</AU true>>/C<</ADBE:H2PDF:1.0:HTML<<>>>>>>"...)
	case submitGET:
		b = append(b, "/F 4"...)
	case submitPOST:
		b = append(b, `/P(q=web+capture&n=1)/CT(application/x-www-form-urlencoded)/H(Accept: text/html\r\n)`...)
	}
	g.sink.object(g.commands[i], append(b, ">>"...))
}

// pageSet adds page set i with its page, image, and image set.
func (g *generator) pageSet(i, sharedPages int) {
	s := &g.sets[i]
	u := g.url(nil, i)
	id, imageID, jpeg := g.digests(i, u)
	s.set = g.sink.reserve()
	idText, urlText := g.id(id), appendLiteral(nil, u)
	entry := idEntry{id: id, set: s.set}
	if g.o.IndirectKeys {
		idText, entry.key = g.indirect(idText)
		urlText, s.url = g.indirect(urlText)
	}
	resources := ""
	if jpeg != nil {
		image := g.imageSet(i, imageID, jpeg, idText, urlText)
		if g.shared(i) {
			entry.other = s.image
		}
		resources = fmt.Sprintf("/Resources<</XObject<</Im0 %d 0 R>>>>", image)
	}
	g.ids = append(g.ids, entry)

	page := g.pageOf(i, sharedPages)
	g.sink.object(s.set, g.pageSetDict(i, page, idText, urlText))
	if sharedPages == 0 || i < sharedPages {
		g.page(page, g.pageParent(i), idText, resources)
	}
}

// pageOf returns the object number of the page of page set i.
func (g *generator) pageOf(i, sharedPages int) int {
	if sharedPages > 0 {
		return g.pages[i%sharedPages]
	}
	page := g.sink.reserve()
	g.pages = append(g.pages, page)
	return page
}

// pageSetDict returns the dictionary of page set i. The buffer is reused.
func (g *generator) pageSetDict(i, page int, idText, urlText []byte) []byte {
	b := append(append(g.b[:0], "<</S/SPS/ID "...), idText...)
	b = append(b, "/O["...)
	b = strconv.AppendInt(b, int64(page), 10)
	b = append(b, " 0 R]/SI"...)
	b = g.sources(b, i, urlText)
	if g.shared(i) {
		b = append(b, "/CT(image/jpeg)"...)
	} else {
		b = append(b, "/CT(text/html)"...)
	}
	b = append(b, "/T(Page "...)
	b = strconv.AppendInt(b, int64(i), 10)
	g.b = append(b, ")/TS"+fixedDate+">>"...)
	return g.b
}

// digests returns the identifiers of page set i and of its image. jpeg is the image data, or nil if there is no
// image.
func (g *generator) digests(i int, url []byte) (id, imageID [md5.Size]byte, jpeg []byte) {
	if g.shared(i) || g.image(i) {
		jpeg = jpegFile(i)
		imageID = md5.Sum(jpeg)
	}
	if g.shared(i) {
		return imageID, imageID, jpeg
	}
	// The data of the page, then the identifier of its image.
	h := md5.New()
	h.Write([]byte("<html><title>"))
	h.Write(url)
	if g.image(i) {
		h.Write([]byte(`</title><img src="image.jpg"></html>`))
		h.Write(imageID[:])
	} else {
		h.Write([]byte("</title></html>"))
	}
	h.Sum(id[:0])
	return id, imageID, jpeg
}

// imageSet adds the image of page set i and its image set, and returns the number of the image. idText and urlText
// belong to the page set; if its source is the image, the image set uses them, too.
func (g *generator) imageSet(i int, id [md5.Size]byte, jpeg, idText, urlText []byte) int {
	s := &g.sets[i]
	image := g.sink.reserve()
	s.image = g.sink.reserve()
	if !g.shared(i) {
		e := idEntry{id: id, set: s.image}
		idText, urlText = g.id(id), appendLiteral(nil, imageURL(i))
		if g.o.IndirectKeys {
			idText, e.key = g.indirect(idText)
			urlText, s.imageURL = g.indirect(urlText)
		}
		g.ids = append(g.ids, e)
	}
	g.sink.stream(image, "/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode/ID "+string(idText), jpeg)
	g.sink.object(s.image, fmt.Appendf(nil, "<</S/SIS/ID %s/O[%d 0 R]/R 1/SI<</AU %s/TS%s>>/TS%s>>",
		idText, image, urlText, fixedDate, fixedDate))
	return image
}

// sources appends the value of SI of page set i: one source, or an array of two. It adds string objects as needed.
func (g *generator) sources(b []byte, i int, urlText []byte) []byte {
	if !every(g.o.Mirrors, i) {
		return g.source(b, i, urlText)
	}
	b = g.source(append(b, '['), i, urlText)
	mirror := appendLiteral(nil, mirrorURL(i))
	if g.o.IndirectKeys {
		mirror, g.sets[i].mirrorURL = g.indirect(mirror)
	}
	return append(append(append(b, "<</AU "...), mirror...), "/TS"+fixedDate+">>]"...)
}

// source appends the source information dictionary of page set i.
func (g *generator) source(b []byte, i int, urlText []byte) []byte {
	b = append(b, "<</AU "...)
	if every(g.o.Aliases, i) {
		b = g.alias(b, i, urlText)
	} else {
		b = append(b, urlText...)
	}
	b = append(b, "/TS"+fixedDate...)
	if len(g.commands) > 0 {
		c := i % len(g.commands)
		b = fmt.Appendf(b, "/S %d/C %d 0 R", g.commandKind(c), g.commands[c])
	}
	return append(b, ">>"...)
}

// alias appends the URL alias dictionary of page set i.
func (g *generator) alias(b []byte, i int, urlText []byte) []byte {
	old := appendLiteral(nil, chainedURL(i))
	if g.o.IndirectKeys {
		old, g.sets[i].chained = g.indirect(old)
	}
	b = append(append(append(b, "<</U "...), urlText...), "/C[["...)
	return append(append(b, old...), "]]>>"...)
}

// id returns an identifier as a string, in the form that the options request.
func (g *generator) id(id [md5.Size]byte) []byte {
	if g.o.LiteralIDs {
		return appendLiteral(nil, id[:])
	}
	return appendHex(nil, id[:])
}

// indirect adds the string as an object. It returns a reference to the object, and the number.
func (g *generator) indirect(s []byte) (ref []byte, num int) {
	num = g.sink.reserve()
	g.sink.object(num, s)
	return append(strconv.AppendInt(nil, int64(num), 10), " 0 R"...), num
}

// jpegFile returns a JPEG file of 8 by 8 gray samples with i in a comment.
func jpegFile(i int) []byte {
	comment := strconv.Itoa(i)
	return slices.Concat(greyJPEG[:2], []byte{0xff, 0xfe, 0, byte(len(comment) + 2)}, []byte(comment), greyJPEG[2:])
}
