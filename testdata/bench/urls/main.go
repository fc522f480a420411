// Command urls reads URLs, one a line, and writes each by a library: urls purell | whatwg-url.
//
// It is a module of its own, so that webcap does not depend on these libraries.
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/PuerkitoBio/purell"
	"github.com/nlnwa/whatwg-url/url"
)

var libraries = map[string]func(string) (string, error){
	"purell": func(s string) (string, error) {
		return purell.NormalizeURLString(s, purell.FlagsSafe|purell.FlagRemoveFragment)
	},
	"whatwg-url": func(s string) (string, error) {
		u, err := url.Parse(s)
		if err != nil {
			return "", err
		}
		return u.Href(true), nil
	},
}

func main() {
	if len(os.Args) != 2 || libraries[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: urls purell | whatwg-url")
		os.Exit(2)
	}
	form := libraries[os.Args[1]]
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		s, err := form(in.Text())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		out.WriteString(s)
		out.WriteByte('\n')
	}
	out.Flush()
}
