package source_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/source"
)

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	// As wget -x does it.
	if err := os.Mkdir(filepath.Join(dir, "www.example.com"), 0o755); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "www.example.com", "index.html"), []byte("Hello\n"), 0o644); err != nil {
		log.Fatal(err)
	}

	src, err := source.Open("", dir)
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	for c, err := range source.Find(src, "http://www.example.com") {
		if err != nil {
			log.Fatal(err)
		}
		for _, body := range c.Bodies {
			r, err := body.Open()
			if err != nil {
				log.Fatal(err)
			}
			id, err := digest.Image(r)
			r.Close()
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(id, body.Form)
		}
	}
	// Output: 09f7e02f1290be211da707a266f153b3 as stored
}

func ExampleSplitSpec() {
	fmt.Println(source.SplitSpec("har:site.har"))
	fmt.Println(source.SplitSpec("crawl/site.har"))
	// Output:
	// har site.har
	//  crawl/site.har
}
