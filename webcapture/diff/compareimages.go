package diff

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// errForms means that the samples of two images have different forms, so that they cannot be compared.
var errForms = &object.Malformed{Reason: "the image cannot be compared: the two files store its samples in " +
	"different forms"}

// sameImage compares two images of which at least one is not stored as fetched. If their samples have the same form, it
// compares the samples, because tools change filters. It records images that cannot be compared, and returns true for
// them.
func (c *comparison) sameImage(x, y *nonPage) (bool, error) {
	for _, of := range []func(*content, *nonPage) (contentHash, error){(*content).storedImage, (*content).samplesOf} {
		var sums [2]contentHash
		for side, image := range []*nonPage{x, y} {
			var err error
			if sums[side], err = of(c.of[side], image); object.IsMalformed(err) {
				c.of[side].notCompared(image.ref, err)
				return true, nil
			} else if err != nil {
				return false, c.of[side].failed(err)
			}
		}
		if sums[0] == sums[1] {
			return true, nil
		}
		if (x.form == contentHash{} || x.form != y.form) {
			c.of[1].notCompared(y.ref, errForms)
			return true, nil
		}
	}
	return false, nil
}

// notCompared records that an image cannot be compared. It does so only once, because a content set may list the image
// and pages may paint it.
func (c *content) notCompared(image object.Ref, err error) {
	if c.incomparable[image] {
		return
	}
	c.incomparable[image] = true
	c.report.Unread = append(c.report.Unread, rule.Unread{Place: rule.Place{Object: image}, Err: err})
}

// storedImage returns the hash of an image as stored, and sets the form of its samples in n.
func (c *content) storedImage(n *nonPage) (sum contentHash, err error) {
	o, err := c.r.Get(n.ref)
	if err != nil {
		return sum, err
	}
	d, _ := o.Dict()
	if n.form, err = c.formOf(d); err != nil {
		return sum, err
	}
	if sum, err = c.hashOfStream(n.ref); err != nil {
		return sum, err
	}
	return sum, c.spend(elementCost)
}

// sampleForms are the entries of an image that define the meaning of its samples (table 87).
var sampleForms = [...]string{"BitsPerComponent", "ColorSpace", "Decode", "ImageMask"}

// formOf returns the hash of the form of an image's samples. It is zero if an image filter codes the samples, because
// the decoded data are then not the samples.
func (c *content) formOf(d object.Dict) (form contentHash, err error) {
	filters, err := c.lookup(d, "Filter")
	if err != nil {
		return form, err
	}
	list := []object.Object{filters}
	if a, ok := filters.Array(); ok {
		list = list[:0]
		for f := range a.All() {
			list = append(list, f)
		}
	}
	for _, f := range list {
		f, err := c.r.Resolve(f)
		if err != nil {
			return form, err
		}
		for _, name := range []string{"DCTDecode", "JPXDecode", "CCITTFaxDecode", "JBIG2Decode"} {
			if f.IsName(name) {
				return form, nil
			}
		}
	}
	var b []byte
	for _, key := range sampleForms {
		if b, err = c.hasher.append(b, d.Lookup(key)); err != nil {
			return form, err
		}
	}
	return hashOf(b), nil
}

// samplesOf returns the hash of the decoded data of an image.
func (c *content) samplesOf(n *nonPage) (contentHash, error) {
	sum, err := c.hashOfData(c.r.Data(n.ref))
	if err == nil {
		err = c.spend(elementCost)
	}
	return sum, err
}
