package webcapture

import (
	"github.com/webcap-tools/webcap/nametree/object"
)

// Traces are the numbers of objects that only captured files have. If the file has no entries in URLS and IDS, a tool
// dropped them.
type Traces struct {
	Pages  int // pages with a digital identifier (14.10.6)
	Images int // images with a digital identifier
	Zooms  int // other pages with a preferred zoom, PZ
	Links  int // links that keep a URI action in PA (12.5.6.5)
	Sets   int // content sets
}

// Any reports whether there are traces.
func (t Traces) Any() bool { return t != Traces{} }

// readTraces reads all objects that may be traces. It skips unreadable objects.
func (r *Reader) readTraces() (t Traces, err error) {
	refs, err := r.src.Mentioning([]string{"/ID", "/PZ", "/PA", "/SPS", "/SIS"})
	if err != nil {
		return t, err
	}
	for _, ref := range refs {
		if err := r.addTrace(&t, ref); err != nil && !object.IsMalformed(err) && !IsDamage(err) {
			return t, err
		}
	}
	return t, nil
}

// addTrace counts an object if it is a trace.
func (r *Reader) addTrace(t *Traces, ref object.Ref) error {
	o, err := r.Get(ref)
	if err != nil {
		return err
	}
	d, _ := o.Dict()
	isPage := d.Lookup("Type").IsName("Page")
	subtype, kind := d.Lookup("Subtype"), d.Lookup("S")
	switch {
	case isPage || subtype.IsName("Image"):
		return r.addTagged(t, d, isPage)
	case subtype.IsName("Link"):
		return r.addLink(t, d)
	case kind.IsName("SPS"), kind.IsName("SIS"):
		if !d.Lookup("O").IsNull() || !d.Lookup("SI").IsNull() {
			t.Sets++
		}
	}
	return nil
}

// addTagged counts a page or image with an ID, or a page with PZ.
func (r *Reader) addTagged(t *Traces, d object.Dict, isPage bool) error {
	id, err := r.String(d.Lookup("ID"))
	if err != nil {
		return err
	}
	zoom, err := r.Resolve(d.Lookup("PZ"))
	if err != nil {
		return err
	}
	hasID := id.OK() && len(id.Bytes) == 16
	_, hasZoom := zoom.Number()
	switch {
	case isPage && hasID:
		t.Pages++
	case isPage && hasZoom:
		t.Zooms++
	case hasID:
		t.Images++
	}
	return nil
}

// addLink counts a link with PA. A link that is a URI action was not converted: other programs write the same action
// twice.
func (r *Reader) addLink(t *Traces, d object.Dict) error {
	pa, err := r.Resolve(d.Lookup("PA"))
	if err != nil {
		return err
	}
	action, err := r.Resolve(d.Lookup("A"))
	if err != nil {
		return err
	}
	retained, _ := pa.Dict()
	present, _ := action.Dict()
	if retained.Lookup("S").IsName("URI") && (!d.Lookup("Dest").IsNull() || present.Lookup("S").IsName("GoTo")) {
		t.Links++
	}
	return nil
}
