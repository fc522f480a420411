package source_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

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
		if c.Body == nil {
			continue // unusable; c.Doubt says why
		}
		sums, err := c.Sums(nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v; doubt: %q\n", sums.ID[source.Decoded], sums.Doubt)
	}
	// Output: 09f7e02f1290be211da707a266f153b3; doubt: ""
}

func ExampleSplitSpec() {
	fmt.Println(source.SplitSpec("har:site.har"))
	fmt.Println(source.SplitSpec("crawl/site.har"))
	// Output:
	// har site.har
	//  crawl/site.har
}
