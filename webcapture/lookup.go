package webcapture

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// Lookup returns the value, as stored, of the entry with a key in one of the trees. It reads only the nodes on the
// path to the key, see [nametree.Lookup]. The error is an I/O error, or about the catalog.
func (r *Reader) Lookup(tree TreeName, k nametree.Key) (value object.Object, ok bool, err error) {
	catalog, err := r.Resolve(r.file.pdf.Trailer().Lookup("Root"))
	if err != nil {
		return object.Object{}, false, err
	}
	d, _ := catalog.Dict()
	names, err := r.Resolve(d.Lookup("Names"))
	if err != nil {
		return object.Object{}, false, object.IgnoreMalformed(err)
	}
	d, _ = names.Dict()
	return nametree.Lookup(r, d.Lookup(tree.String()), k)
}
