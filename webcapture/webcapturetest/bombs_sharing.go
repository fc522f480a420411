package webcapturetest

import (
	"fmt"
	"strings"
)

// sharingBombs have objects with many references to the same objects. A reader that follows each reference
// separately reads many times the size of the file.
func sharingBombs() []Bomb {
	return []Bomb{
		bomb("20000 sets that share a URL of 1 MB", packed, func() *Document {
			d := brokenSets(20_000, "<< /S /SPS /ID <00112233445566778899aabbccddeeff> /O [] /SI << /AU 2 0 R >> >>")
			d.Set(2, "(http://a/"+strings.Repeat("a", 1<<20)+")")
			return d
		}),
		bomb("2000 sets that share 10000 members and sources", packed, func() *Document {
			d := brokenSets(2000, "<< /S /SPS /ID <00112233445566778899aabbccddeeff> /O 2 0 R /SI 3 0 R >>")
			d.Set(2, "["+d.addAll(10_000, func(int) string { return "<< /Type /Page >>" })+"]")
			d.Set(3, "["+d.addAll(10_000, func(i int) string { return fmt.Sprintf("<< /AU (http://a/%d) >>", i) })+"]")
			return d
		}),
		bomb("form fields below one with a name of 1 MB", packed, func() *Document {
			return fields(20_000, strings.Repeat("A", 1<<20), "")
		}),
		bomb("20000 form fields that share a name of 1 MB", packed, func() *Document {
			return fields(20_000, "a", strings.Repeat("A", 1<<20))
		}),
		bomb("1000 forms on 1000 pages that name each other", Layout{}, func() *Document { return forms(1000) }),
		bomb("1000 pages that share 2000 images", Layout{}, func() *Document { return sharedImages(1000, 2000) }),
	}
}

// fields returns a document with n form fields below a field. If name is not empty, all n refer to it as their name.
func fields(n int, above, name string) *Document {
	d := names("/URLS 1 0 R", "<< /Names [(http://a/) 2 0 R] >>", fmt.Sprintf(pageSetText, ""))
	d.Set(3, "("+name+")")
	kids := d.addAll(n, func(i int) string {
		if name != "" {
			return "<< /T 3 0 R /FT /Tx >>"
		}
		return fmt.Sprintf("<< /T (%d) /FT /Tx >>", i)
	})
	top := d.Add("<< /T (" + above + ") /Kids [" + kids + "] >>")
	return d.withCatalog(fmt.Sprintf("/AcroForm << /Fields [%d 0 R] >>", top))
}

// forms returns a document whose pages show n form XObjects. The resources of each form contain all forms.
func forms(n int) *Document {
	d := names("/URLS 1 0 R", "<< /Names [(http://a/) 2 0 R] >>", fmt.Sprintf(imageSetText, "3 0 R"))
	d.SetStream(3, imageDict, []byte("x"))
	var all strings.Builder
	first := d.next + 1
	for i := range n {
		fmt.Fprintf(&all, "/F%d %d 0 R ", i, first+i)
	}
	for range n {
		d.AddStream("/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << "+all.String()+">> >>", nil)
	}
	return d.withPages(n, func(i int) string { return fmt.Sprintf("/Resources << /XObject << /F%d %d 0 R >> >>", i, first+i) })
}

// sharedImages returns a document whose pages all show the same images. Only the first image is captured.
func sharedImages(pages, images int) *Document {
	d := names("/URLS 1 0 R", "<< /Names [(http://a/) 2 0 R] >>", fmt.Sprintf(imageSetText, "3 0 R"))
	d.SetStream(3, imageDict, []byte("x"))
	all := strings.Builder{}
	for i := range images {
		fmt.Fprintf(&all, "/I%d %d 0 R ", i, d.AddStream(imageDict, []byte("x")))
	}
	return d.withPages(pages, func(int) string { return "/Resources << /XObject << /I 3 0 R " + all.String() + ">> >>" })
}

const imageDict = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"

// withPages replaces the pages of a document by n pages. entries returns the entries of page i.
func (d *Document) withPages(n int, entries func(i int) string) *Document {
	pages := d.Reserve()
	kids := d.addAll(n, func(i int) string { return fmt.Sprintf("<< /Type /Page /Parent %d 0 R %s >>", pages, entries(i)) })
	d.Set(pages, fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", n, kids))
	d.Root = d.Add(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /Names << /URLS 1 0 R >> >>", pages))
	return d
}

// growingBombs could cause work or memory use that grows faster than the file.
func growingBombs() []Bomb {
	const digits = "00112233445566778899aabbccddeeff"
	return []Bomb{
		bomb("10000 pages and sets with one ID", Layout{}, func() *Document { return oneID(10_000) }),
		bomb("60000 pages and sets with one ID", Layout{}, func() *Document { return oneID(60_000) }),
		bomb("5000 packed pages and sets with one ID", packed, func() *Document { return oneID(5000) }),
		bomb("200000 keys from the last to the first", Layout{}, func() *Document {
			return keys(200_000, func(i int) string { return fmt.Sprintf("http://a.example/%07d", 200_000-i) })
		}),
		bomb("200000 keys in nodes of one key that are in no order", Layout{}, func() *Document { return scattered(200_000) }),
		bomb("200000 keys that are one when they are canonical", Layout{}, func() *Document {
			return keys(200_000, func(i int) string {
				return "HTTP://a.example/" + strings.Repeat("./", i%20) + strings.Repeat("x/../", i/20%10)
			})
		}),
		bomb("200000 commands in a chain of "+
			"settings", inStreams, func() *Document { return commands(200_000) }),
		bomb("100000 redirects of one set", inStreams, func() *Document {
			d := names("/URLS 1 0 R", "<< /Names [(http://a/) 2 0 R] >>")
			chain := strings.Repeat("(http://a/)", 1000)
			chains := d.addAll(100, func(int) string { return "[" + chain + "]" })
			d.Set(2, "<< /S /SPS /ID <"+digits+"> /O [] /SI << /AU << /U (http://a/) /C ["+chains+"] >> >> >>")
			return d
		}),
		laidOut("8 million different entries", true, func(f *bombFile) { f.rows(8_388_608) }),
		bomb("ten million integers as Names of 20 MB", Layout{}, func() *Document {
			return names("/URLS 1 0 R", fmt.Sprintf(leafText, strings.Repeat("1 ", 10_000_000)))
		}),
		bomb("Limits of 1 MB by "+
			"reference", Layout{}, func() *Document { return longLimits(5, 2000) }),
		bomb("a key of 500 MB in 500 MB", Layout{}, func() *Document {
			return names("/URLS 1 0 R", "<< /Names [("+strings.Repeat("a", 500_000_000)+")1] >>")
		}),
	}
}

// oneID returns a document whose pages and content sets all have the same ID.
func oneID(n int) *Document {
	const id = "<00112233445566778899aabbccddeeff>"
	d := names("")
	first := d.next + 1
	d.addAll(n, func(i int) string {
		return fmt.Sprintf("<< /S /SPS /ID %s /O [%d 0 R] /SI << /AU (http://a/%d) >> >>", id, 5_000_000+i, i)
	})
	d.withPages(n, func(int) string { return "/ID " + id })
	var list strings.Builder
	for i := range n {
		fmt.Fprintf(&list, "(http://a/%07d) %d 0 R ", i, first+i)
	}
	d.Set(1, "<< /Names ["+list.String()+"] >>")
	var sets strings.Builder
	for i := range n {
		fmt.Fprintf(&sets, "%s %d 0 R ", id, first+i)
	}
	d.Set(2, "<< /Names ["+sets.String()+"] >>")
	d.Set(d.Root, strings.Replace(d.Body(d.Root), "/URLS 1 0 R", "/URLS 1 0 R /IDS 2 0 R", 1))
	return d
}

// keys returns a document with the keys key(0) to key(n-1), in this order. Leaves have 64 keys, and each key has its
// own content set.
func keys(n int, key func(i int) string) *Document {
	d := names("/URLS 1 0 R")
	first := d.next + 1
	d.addAll(n, func(i int) string {
		return fmt.Sprintf("<< /S /SPS /ID <%032x> /O [] /SI << /AU (%s) >> >>", i, key(i))
	})
	var kids strings.Builder
	for i := 0; i < n; i += 64 {
		var leaf strings.Builder
		last := min(i+64, n) - 1
		for k := i; k <= last; k++ {
			fmt.Fprintf(&leaf, "(%s) %d 0 R ", key(k), first+k)
		}
		fmt.Fprintf(&kids, "%d 0 R ", d.Add(fmt.Sprintf("<< /Limits [(%s) (%s)] /Names [%s] >>", key(i), key(last), leaf.String())))
	}
	d.Set(1, "<< /Kids ["+kids.String()+"] >>")
	return d
}

// scattered returns a document with n keys in mixed order. Each key is in its own node below one root.
func scattered(n int) *Document {
	d := names("/URLS 1 0 R", "", fmt.Sprintf(pageSetText, ""))
	kids := d.addAll(n, func(i int) string {
		key := fmt.Sprintf("http://a.example/%07d", i*7919%n)
		return fmt.Sprintf("<< /Limits [(%s) (%s)] /Names [(%s) 2 0 R] >>", key, key, key)
	})
	d.Set(1, "<< /Kids ["+kids+"] >>")
	return d
}

// commands returns a document with n commands. The settings of each command contain those of the next.
func commands(n int) *Document {
	d := names("/URLS 1 0 R", "<< /Names [(http://a/) 2 0 R] >>", fmt.Sprintf(pageSetText, ""))
	first := d.next + 1
	list := d.addAll(n, func(i int) string {
		return fmt.Sprintf("<< /URL (http://a/) /S << /G %d 0 R /C << /a:b:c:d %d 0 R >> >> >>", first+(i+1)%n, first+(i+1)%n)
	})
	return d.withCatalog("/SpiderInfo << /V 1.25 /C [" + list + "] >>")
}

// longLimits returns a document with strs strings of 1 MB, to which the Limits of n nodes refer.
func longLimits(strs, n int) *Document {
	d := names("/URLS 1 0 R", "", fmt.Sprintf(pageSetText, ""))
	first := d.next + 1
	d.addAll(strs, func(i int) string { return fmt.Sprintf("(http://a/%d%s)", i, strings.Repeat("a", 1<<20)) })
	kids := d.addAll(n, func(i int) string {
		return fmt.Sprintf("<< /Limits [%d 0 R %d 0 R] /Names [(http://a/%d) 2 0 R] >>", first+i%strs, first+(i+1)%strs, i)
	})
	d.Set(1, "<< /Kids ["+kids+"] >>")
	return d
}

// rows writes a cross-reference stream with n used entries. Each position differs from the one before.
func (f *bombFile) rows(n int) {
	f.object(2, "<< /Names [] >>")
	f.object(3, "<< /Type /Catalog /Pages 1 0 R /Names << /URLS 2 0 R >> >>")
	at := f.Len()
	f.at(4)
	data := make([]byte, 0, 4*n)
	for i := range n {
		e := [3]int{1, 9 + i%64, 0}
		if i < len(f.entries) {
			e = f.entries[i]
		}
		data = append(data, byte(e[0]), byte(e[1]>>8), byte(e[1]), 0)
	}
	f.start = at
	f.stream(4, fmt.Sprintf("/Type/XRef/Filter/FlateDecode/W[1 2 1]/Size %d/Root 3 0 R", n), deflate(data))
	f.root = 0
}
