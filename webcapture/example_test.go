package webcapture_test

import (
	"context"
	"fmt"
	"log"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// site is a PDF with two captured pages; real programs open a file.
var site = webcapturetest.Sets(2, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})

// The first question about a file: which URLs were captured, and into how many pages?
func Example() {
	f, err := webcapture.New(context.Background(), site, webcapture.Options{}) // or Open("site.pdf", …)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	db, err := f.Database()
	if err != nil {
		log.Fatal(err)
	}
	if !db.Present() {
		log.Fatal("nothing was captured")
	}
	for c, err := range f.Contents(db).All(f.NewReader()) {
		if err != nil {
			log.Fatal(err)
		}
		if c.Set == nil { // an array of content sets, which come next
			continue
		}
		pages := 0
		for range c.Set.Members() {
			pages++
		}
		for i := range c.Set.Sources {
			for _, url := range c.Set.Sources[i].URLs() {
				fmt.Printf("%s is a %v of %d page\n", url, c.Set.Subtype, pages)
			}
		}
	}
	// Output:
	// http://www.example.org/archive/00000000/index.html?rev=0 is a page set of 1 page
	// http://www.example.org/archive/00000001/index.html?rev=1 is a page set of 1 page
}

// Find looks up a URL as a viewer does; canon.URL gives the key. The value of an entry is a content set, or an
// array of them.
func ExampleReader_Values() {
	f, err := webcapture.New(context.Background(), site, webcapture.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	db, err := f.Database()
	if err != nil {
		log.Fatal(err)
	}
	r := f.NewReader()
	var set webcapture.ContentSet
	for _, key := range []nametree.Key{
		"http://www.example.org/archive/00000001/index.html?rev=1",
		"http://www.example.org/archive/00000001/",
	} {
		i, found := db.URLS.Find(key)
		if !found {
			fmt.Println(key, "was not captured")
			continue
		}
		for value, err := range r.Values(db.URLS.Entry(i).Value) {
			if err == nil {
				err = r.Read(value, &set)
			}
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(key, "is a", set.Subtype)
		}
	}
	// Output:
	// (http://www.example.org/archive/00000001/index.html?rev=1) is a page set
	// (http://www.example.org/archive/00000001/) was not captured
}

// RetryWithoutXRef calls its function again if the file is damaged, so the function must discard earlier results.
func ExampleFile_RetryWithoutXRef() {
	f, err := webcapture.New(context.Background(), site, webcapture.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	var sets int
	err = f.RetryWithoutXRef(func() error {
		sets = 0
		db, err := f.Database()
		if err != nil {
			return err
		}
		for _, err := range f.Contents(db).All(f.NewReader()) {
			if err != nil {
				return err
			}
			sets++
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sets, "content sets, repaired:", f.WithoutXRef())
	// Output: 2 content sets, repaired: false
}
