package webcapture_test

import (
	"fmt"
	"log"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// site is a PDF with two captured pages; programs have a file.
var site = webcapturetest.Sets(2, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})

// The first thing to do with a file: what was captured, and into how many pages.
func Example() {
	f, err := webcapture.New(site, webcapture.Options{}) // or Open("site.pdf", …)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	db, err := f.Database()
	if err != nil {
		log.Fatal(err)
	}
	if db.URLS == nil {
		log.Fatal("nothing was captured")
	}
	r := f.NewReader()
	var set webcapture.ContentSet
	for _, e := range db.URLS.Entries() {
		for value, err := range r.Values(e.Value) {
			if err == nil {
				err = r.Read(value, &set)
			}
			if err != nil {
				log.Fatal(err)
			}
			pages := 0
			for range set.Members() {
				pages++
			}
			fmt.Println(e.Key, "is a", set.Subtype, "of", pages, "page")
		}
	}
	// Output:
	// (http://www.example.org/archive/00000000/index.html?rev=0) is a page set of 1 page
	// (http://www.example.org/archive/00000001/index.html?rev=1) is a page set of 1 page
}

// Find looks a URL up as a viewer does; canon.URL gives the key.
func ExampleFile_Database() {
	f, err := webcapture.New(site, webcapture.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	db, err := f.Database()
	if err != nil {
		log.Fatal(err)
	}
	for _, key := range []nametree.Key{
		"http://www.example.org/archive/00000001/index.html?rev=1",
		"http://www.example.org/archive/00000001/",
	} {
		_, found := db.URLS.Find(key)
		fmt.Println(key, found)
	}
	// Output:
	// (http://www.example.org/archive/00000001/index.html?rev=1) true
	// (http://www.example.org/archive/00000001/) false
}
