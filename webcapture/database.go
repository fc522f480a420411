package webcapture

import (
	"errors"
	"sync"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A Database is the Web Capture content database of a file.
type Database struct {
	Version    string        // of PDF: the header's, or the catalog's if that is later
	Catalog    object.Dict   // the document catalog
	Names      object.Dict   // its name dictionary; empty if there is none
	NamesKind  object.Kind   // of what stands in the place of the name dictionary
	NamesErr   error         // why that could not be read; nil if it was
	SpiderInfo object.Object // the Web Capture information dictionary (14.10.2), resolved; null if there is none
	URLS       *Tree         // canonical URLs; nil if the file has no such tree
	IDS        *Tree         // digital identifiers; nil if the file has no such tree
}

// Database reads both trees of the file. The error is that of the disk, or
// speaks of the catalog or the name dictionary; defects of the trees are kept
// with them.
func (f *File) Database() (*Database, error) { return f.DatabaseAfter(&Database{}) }

// DatabaseAfter is Database of a Preview: before is that of the file. What the update leaves as it
// is, is not read again.
func (f *File) DatabaseAfter(before *Database) (*Database, error) {
	r := f.NewReader()
	catalog, err := r.Resolve(f.pdf.Trailer().Lookup("Root"))
	if err != nil {
		return nil, err
	}
	db := &Database{Version: f.pdf.HeaderVersion()}
	db.Catalog, _ = catalog.Dict()
	if v, err := r.Resolve(db.Catalog.Lookup("Version")); err == nil {
		if name, _ := v.Name(); string(name) > db.Version {
			db.Version = string(name)
		}
	}
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
	decoded := f.OverDecoded()
	err = r.readTrees(db, before)
	if err == nil && !decoded && f.OverDecoded() {
		// What was left out of which tree depends on which of them came first. Now it is
		// all that would have to be decoded.
		err = r.readTrees(db, before)
	}
	return db, err
}

// readTrees reads the trees as far as they are not those of before, side by side if that saves time.
func (r *Reader) readTrees(db, before *Database) error {
	read := func(r *Reader, t **Tree, name TreeName) error {
		root := db.Names.Lookup(name.String())
		if root.IsNull() {
			return nil
		}
		nt, err := r.treeAfter(before.Tree(name), root)
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
		defer func() { panicked = recover() }() // a panic is the caller's
		other = read(r.file.NewReader(), &db.IDS, IDS)
	})
	err := read(r, &db.URLS, URLS)
	wg.Wait()
	if panicked != nil {
		panic(panicked)
	}
	return errors.Join(err, other)
}

// Present reports whether the file holds anything of Web Capture in its
// catalog: one of the trees, or SpiderInfo.
func (db *Database) Present() bool {
	return db.URLS != nil || db.IDS != nil || !db.Catalog.Lookup("SpiderInfo").IsNull()
}
