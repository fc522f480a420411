package webcapture

import (
	"errors"
	"sync"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A Database is the Web Capture content database of a file.
type Database struct {
	Version    string        // version of PDF: the later one of the header and the catalog
	Catalog    object.Dict   // document catalog
	Names      object.Dict   // name dictionary; empty if there is none
	NamesKind  object.Kind   // kind of the object in place of the name dictionary
	NamesErr   error         // reason why the name dictionary could not be read, or nil
	SpiderInfo object.Object // Web Capture information dictionary (14.10.2), resolved; null if there is none
	URLS       *Tree         // canonical URLs; nil if the file has no such tree
	IDS        *Tree         // digital identifiers; nil if the file has no such tree
	Traces     Traces        // only if neither tree has entries
}

// Database reads both trees of the file. The error is an I/O error, or damage (see IsDamage), or means that the
// catalog could not be read. NamesErr is the error of the name dictionary, and each tree has its defects.
func (f *File) Database() (*Database, error) {
	r := f.NewReader()
	catalog, err := r.src.Catalog()
	if err != nil {
		return nil, err
	}
	db := &Database{Version: f.pdf.HeaderVersion()}
	db.Catalog, _ = catalog.Dict()
	version, err := r.Resolve(db.Catalog.Lookup("Version"))
	if err != nil && !object.IsMalformed(err) {
		return nil, err
	}
	name, _ := version.Name()
	db.Version = max(db.Version, string(name))
	names, err := r.Resolve(db.Catalog.Lookup("Names"))
	if err != nil && !object.IsMalformed(err) {
		return nil, err
	}
	db.Names, _ = names.Dict()
	db.NamesErr = err
	db.NamesKind = names.Kind()
	if db.SpiderInfo, err = r.Resolve(db.Catalog.Lookup("SpiderInfo")); err != nil && !object.IsMalformed(err) {
		return nil, err
	}
	if err := r.readTrees(db); err != nil {
		return db, err
	}
	for _, t := range db.Trees() {
		if t.Len() > 0 {
			return db, nil
		}
	}
	db.Traces, err = r.readTraces()
	return db, err
}

// sideBySide is the minimum size for reading the two trees of a file in parallel. For smaller files, starting a
// goroutine takes longer than reading.
const sideBySide = 1 << 20

// readTrees reads the trees, in parallel if that saves time.
func (r *Reader) readTrees(db *Database) error {
	read := func(r *Reader, t **Tree, name TreeName) error {
		root := db.Names.Lookup(name.String())
		if root.IsNull() {
			return nil
		}
		nt, err := r.Tree(root)
		if err == nil {
			*t = &Tree{Tree: nt, Name: name, Root: root}
		}
		return err
	}
	if r.file.Size() < sideBySide {
		return errors.Join(read(r, &db.URLS, URLS), read(r, &db.IDS, IDS))
	}
	var other error
	var panicked any
	var wg sync.WaitGroup
	wg.Go(func() {
		defer func() { panicked = recover() }() // the caller raises the panic again
		other = read(r.file.NewReader(), &db.IDS, IDS)
	})
	err := read(r, &db.URLS, URLS)
	wg.Wait()
	if panicked != nil {
		panic(panicked)
	}
	return errors.Join(err, other)
}

// Present reports whether the catalog has URLS, IDS, or SpiderInfo.
func (db *Database) Present() bool {
	return db.URLS != nil || db.IDS != nil || !db.Catalog.Lookup("SpiderInfo").IsNull()
}
