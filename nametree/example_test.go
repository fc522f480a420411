package nametree_test

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object/objecttest"
)

func exampleTree() *nametree.Tree {
	src, err := objecttest.Parse(`
		root: << /Kids [ 4 0 R 5 0 R ] >>
		4 0 obj << /Limits [ (http://a/) (http://a/) ] /Names [ (http://a/) 8 0 R 6 0 R 9 0 R ] >> endobj
		5 0 obj << /Limits [ (http://c/) (http://c/) ] /Names [ (http://c/) 8 0 R ] >> endobj
		6 0 obj (http://b/) endobj
	`)
	if err != nil {
		panic(err)
	}
	tree, err := nametree.Read(src, src.Object("root"), nil)
	if err != nil {
		panic(err)
	}
	return tree
}

func Example() {
	tree := exampleTree()
	for _, e := range tree.Entries() {
		fmt.Printf("%v: %v\n", e.Key, e.Value)
	}
	for d := range tree.Defects() {
		n := tree.Node(d.Node)
		fmt.Printf("%v: %v: limits should be %v %v\n", n.Ref, d.Kind, n.Bounds.Least, n.Bounds.Greatest)
	}
	// Output:
	// (http://a/): 8 0 R
	// (http://b/): 9 0 R
	// (http://c/): 8 0 R
	// 4 0 R: LimitsWrong: limits should be (http://a/) (http://b/)
}

func ExampleTree_Find() {
	tree := exampleTree()
	for _, k := range []nametree.Key{"http://a/", "http://b/"} {
		i, ok := tree.Find(k)
		fmt.Println(k, i, ok)
	}
	for i := range tree.All("http://b/") {
		fmt.Println("but entry", i, "is", tree.Entry(i).Key)
	}
	// Output:
	// (http://a/) 0 true
	// (http://b/) -1 false
	// but entry 1 is (http://b/)
}

func ExampleEdit() {
	store, err := objecttest.Parse(`
		root: << /Kids [ 4 0 R 5 0 R ] >>
		4 0 obj << /Limits [ (http://a/) (http://b/) ] /Names [ (http://a/) 8 0 R (http://b/) 9 0 R ] >> endobj
		5 0 obj << /Limits [ (http://c/) (http://d/) ] /Names [ (http://c/) 8 0 R (http://d/) 8 0 R ] >> endobj
	`)
	if err != nil {
		panic(err)
	}
	root := store.Object("root")
	tree, err := nametree.Read(store, root, nil)
	if err != nil {
		panic(err)
	}
	edit := tree.Edit()
	edit.SetKey(2, "http://c/x")
	edit.Add("http://cc/", []byte("9 0 R"))
	if root, err = edit.Write(store, store, root); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(root.Raw()))
	for _, ref := range store.Puts() {
		o, _ := store.Get(ref)
		fmt.Printf("%v: %s\n", ref, o.Raw())
	}
	// Output:
	// << /Kids [ 4 0 R 5 0 R ] >>
	// 5 0 R: <</Limits [(http://c/x) (http://d/)]
	// /Names [(http://c/x) 8 0 R
	// (http://cc/) 9 0 R
	// (http://d/) 8 0 R]
	// >>
}
