package diff

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// member adds the change of an element of O that differs in B.
func (c *comparison) member(at Place, m, n *member) error {
	switch id := nametree.Key(at.Set.ID[:]); {
	case c.of[1].isNull(n):
		c.nulled++
		c.gone[id] += min(int(m.page), 1)
	case c.of[0].isNull(m):
		c.gone[id] -= min(int(n.page), 1)
	}
	a, b := c.of[0].describe(m), c.of[1].describe(n)
	if a == b {
		for side, text := range []*string{&a, &b} {
			one := []*member{m, n}[side]
			what, err := c.of[side].differenceText(one)
			if object.IsMalformed(err) {
				c.of[side].unreadPage(one.page, err)
			} else if err != nil {
				return c.of[side].failed(err)
			}
			*text += what
		}
	}
	c.add(Changed, at, a, b)
	return nil
}

// differenceText returns a hash of a member's content as text, for members that differ only in content.
func (c *content) differenceText(m *member) (string, error) {
	if m.page > 0 {
		sum, err := c.lookOf(m.page)
		return fmt.Sprintf(", content %x", sum[:4]), err
	}
	o := c.nonPage(m) // an image: other objects hardly ever differ only in content
	sum, err := c.samplesOf(&o)
	return fmt.Sprintf(", samples %x", sum[:4]), err
}

// lookOf returns the hash of what a page shows: its content and the images that it paints.
func (c *content) lookOf(page int32) (contentHash, error) {
	sum, err := c.shownContent(page)
	if err != nil {
		return sum, err
	}
	refs, err := c.painted(page)
	if err != nil || len(refs) == 0 {
		return sum, err
	}
	b := sum[:]
	for _, ref := range refs {
		image, err := c.hashOfStream(ref)
		if err != nil {
			return sum, err
		}
		b = append(b, image[:]...)
	}
	return hashOf(b), nil
}

// sameMember reports whether two elements of O are the same. It returns true for elements that cannot be compared.
func (c *comparison) sameMember(m, n *member) (bool, error) {
	if m.page > 0 || n.page > 0 {
		return c.samePage(m, n)
	}
	x, y := c.of[0].nonPage(m), c.of[1].nonPage(n)
	switch {
	case x.unread || y.unread:
		return true, nil
	case x.id != y.id:
		return false, nil
	}
	return c.sameObject(&x, &y)
}

// sameObject reports whether two objects that are not pages are the same, ignoring their IDs. It returns true for
// objects that cannot be compared.
func (c *comparison) sameObject(x, y *nonPage) (bool, error) {
	switch {
	case x.kind != y.kind || x.isImage != y.isImage || x.width != y.width || x.height != y.height:
		return false, nil
	case !x.isImage:
		return true, nil
	case x.data != (contentHash{}) && y.data != (contentHash{}):
		return x.data == y.data, nil
	}
	return c.sameImage(x, y)
}

func (c *comparison) samePage(m, n *member) (bool, error) {
	switch {
	case m.page == 0 || n.page == 0:
		return m.page == 0 && c.of[0].nonPage(m).unread || n.page == 0 && c.of[1].nonPage(n).unread, nil
	case m.page == n.page:
		return c.sameContent(m.page, n.page)
	}
	// Pages with the same content and ID are told apart by their order.
	a, err := c.of[0].pageHashes()
	if err != nil {
		return false, err
	}
	b, err := c.of[1].pageHashes()
	if err != nil {
		return false, err
	}
	x, y := a[m.page-1], b[n.page-1]
	switch {
	case x.id != y.id || x.hash == y.hash && x.rank != y.rank:
		return false, nil
	case x.hash == y.hash && x.hash != (contentHash{}): // the contents were compared already
		return c.samePainted(m.page, n.page)
	}
	return c.sameContent(m.page, n.page)
}

// nonPage returns the properties of a member that is not a page.
func (c *content) nonPage(m *member) nonPage {
	if m.nonPage == 0 {
		return nonPage{kind: m.direct}
	}
	return c.nonPages[m.nonPage-1]
}

func (c *content) isNull(m *member) bool {
	return m.page == 0 && !c.nonPage(m).unread && c.nonPage(m).kind == object.Null
}

const null = "null"

// describe describes a member in words.
func (c *content) describe(m *member) string {
	if m.page > 0 {
		return fmt.Sprintf("page %d", m.page)
	}
	o := c.nonPage(m)
	text := o.kind.String()
	switch {
	case o.unread:
		return "unreadable"
	case o.isImage:
		text = fmt.Sprintf("image of %d × %d", o.width, o.height)
	case o.kind == object.Dictionary:
		text = "dictionary outside the page tree"
	case o.kind == object.Stream:
		text = "stream that is not an image"
	}
	if o.id != "" {
		text += ", ID " + short(o.id)
	}
	if o.data != (contentHash{}) {
		text += fmt.Sprintf(", data %x", o.data[:4])
	}
	return text
}

// text describes a value in a few words.
func (c *content) text(o object.Object) string {
	o, err := c.r.Resolve(o)
	switch {
	case err != nil:
		return "unreadable"
	case o.Kind() == object.String:
		b, _ := o.AppendString(nil)
		return short(nametree.Key(b))
	case o.Kind() == object.Array:
		return c.arrayText(o)
	case o.Kind() == object.Dictionary || o.Kind() == object.Stream:
		return o.Kind().String()
	case o.IsNull():
		return null
	}
	raw := o.Raw()
	return string(raw[:min(len(raw), maxShown)])
}

// arrayText describes an array by its first elements.
func (c *content) arrayText(o object.Object) string {
	const shown = 8
	list, _ := o.Array()
	text, n := "", 0
	for e := range list.All() {
		if n++; n > shown {
			text += " …"
			break
		}
		if e, err := c.r.Resolve(e); err == nil && e.Kind() == object.Array {
			text += " array"
		} else {
			text += " " + c.text(e)
		}
	}
	return "[" + text + " ]"
}
