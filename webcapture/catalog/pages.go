package catalog

import (
	"cmp"
	"crypto/md5"
	"io"
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// useSize is the memory for a page that shows an image, in bytes.
const useSize = 16

// readPages records the number of each page.
func (c *Catalog) readPages() error {
	for page, err := range c.reader.Pages(c.db) {
		if err == nil {
			addPage(c.pages, page.Ref, page.Index+1)
			continue
		}
		if err = rule.NoteUnread(&c.unread, rule.Place{Page: page.Index + 1, Object: page.Ref}, err); err != nil {
			return err
		}
	}
	return nil
}

// readPainting records the pages that paint each image. Most files with page sets only are never asked for these.
func (c *Catalog) readPainting() error {
	c.painting = map[object.Ref][]PageRange{}
	w := imageUses{reader: c.reader, known: map[object.Ref][]object.Ref{}}
	for page, err := range c.reader.Pages(c.db) {
		at := rule.Place{Page: page.Index + 1, Object: page.Ref}
		if err != nil {
			var noted []rule.Unread // by readPages
			if err = rule.NoteUnread(&noted, at, err); err != nil {
				return err
			}
			continue
		}
		list, err := w.of(page.Resources)
		for _, ref := range list {
			addPage(c.painting, ref, page.Index+1)
		}
		if err = rule.NoteUnread(&c.unread, at, err); err != nil {
			return err
		}
	}
	return nil
}

// addPage records that a page shows an object. It must be called in page order.
func addPage(pages map[object.Ref][]PageRange, ref object.Ref, page int) {
	if ref.Num != 0 {
		pages[ref] = appendPage(pages[ref], PageRange{page, page})
	}
}

// appendPage adds r, which must not begin before the last range, to list.
func appendPage(list []PageRange, r PageRange) []PageRange {
	if n := len(list); n > 0 && r.First <= list[n-1].Last+1 {
		list[n-1].Last = max(list[n-1].Last, r.Last)
		return list
	}
	return append(list, r)
}

// pagesOf returns the pages that show a member of the capture. They are the members of a page set, or the pages
// that paint a member of an image set. A set of another kind may have both.
func (c *Catalog) pagesOf(capture *Capture) []PageRange {
	var all, out []PageRange
	for _, m := range capture.Members {
		if capture.Kind != Image {
			all = append(all, c.pages[m]...)
		}
		if capture.Kind != Page {
			all = append(all, c.painting[m]...)
		}
	}
	slices.SortFunc(all, func(a, b PageRange) int { return a.First - b.First })
	for _, r := range all {
		out = appendPage(out, r)
	}
	return out
}

// imageUses finds the images in resources, forms, and patterns.
type imageUses struct {
	reader *webcapture.Reader
	known  map[object.Ref][]object.Ref // by resources, which several pages may share
}

// of returns the images in resources. After an error, list has the images that could be read.
func (w *imageUses) of(resources object.Object) (list []object.Ref, err error) {
	ref, shared := resources.Ref()
	list, known := w.known[ref]
	if !shared || !known {
		list = nil
		for _, images := range []iter.Seq2[object.Ref, error]{w.reader.Images(resources), w.reader.PatternImages(resources)} {
			for image, e := range images {
				if err = cmp.Or(e, err); e != nil {
					continue
				}
				list = append(list, image)
			}
		}
		if shared {
			w.known[ref] = list
		}
	}
	if over := cmp.Or(w.reader.Pay(meter.Object*int64(len(list))), w.reader.Keep(useSize*int64(len(list)))); over != nil {
		return nil, over
	}
	return list, err
}

// addImages reads the images of an image set.
func (c *Catalog) addImages(out *Capture, at rule.Place) error {
	out.Images = make([]ImageMember, 0, len(out.Members))
	for _, ref := range out.Members {
		o, err := c.reader.Get(ref)
		if err == nil {
			err = c.addImage(out, ref, o)
		}
		at.Object = ref
		if err = rule.NoteUnread(&c.unread, at, err); err != nil {
			return err
		}
	}
	return nil
}

func (c *Catalog) addImage(out *Capture, ref object.Ref, o object.Object) error {
	d, ok := o.Dict()
	if !ok {
		return nil
	}
	im := ImageMember{Object: ref}
	for _, side := range []struct {
		key string
		to  *int64
	}{{"Width", &im.Width}, {"Height", &im.Height}} {
		n, err := c.reader.Resolve(d.Lookup(side.key))
		if err != nil {
			return err
		}
		*side.to, _ = n.Int()
	}
	var lookErr error
	isFile := webcapture.IsAsFetched(d, func(o object.Object) (object.Object, bool) {
		o, lookErr = c.reader.Resolve(o)
		return o, lookErr == nil
	})
	if id, ok := digest.FromBytes([]byte(out.ID)); ok && isFile {
		data, err := c.reader.Stream(ref)
		if err != nil {
			return err
		}
		h := md5.New()
		n, err := io.Copy(h, data)
		if err = cmp.Or(err, c.reader.Pay(n)); err != nil {
			return err
		}
		if im.Proven = digest.ID(h.Sum(nil)) == id; im.Proven {
			im.MD5 = id
		}
	}
	out.Images = append(out.Images, im)
	return lookErr
}
