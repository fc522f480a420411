package webcapture

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// Budget limits the work and the memory for a file. The limits grow with the stored bytes, not with decoded bytes or
// the number of references. Callers check the budget before they do work, so the expansion of a small file is never in
// memory. A caller that would exceed the budget reports that instead.
type Budget struct {
	Work     int64 // in units of the time to parse a byte
	Records  int   // items of one kind: pairs or kids of a tree, elements of an array, or members of sets
	Output   int64 // bytes of output about the file
	Findings int   // findings, defects, and unread parts that are kept with all details
}

// Budget returns the budget of the file, which depends on its size.
func (f *File) Budget() Budget {
	size := f.Size()
	return Budget{
		Work:     baseWork + size*byteWork,
		Output:   baseOutput + size*byteOutput,
		Records:  int(baseRecords + size/recordBytes),
		Findings: int(baseFindings + size/findingBytes),
	}
}

// TreeBudget returns the budget of one name tree of the file.
func (f *File) TreeBudget() nametree.Budget {
	b := f.Budget()
	return nametree.Budget{Kids: b.Records, Pairs: b.Records, Bytes: baseTree + f.Size()*byteTree, Defects: b.Findings}
}

// Tree reads a name tree of the file, within the budget. The error is that of [nametree.ReadWithin].
func (r *Reader) Tree(root object.Object) (*nametree.Tree, error) {
	return nametree.ReadWithin(r, root, r.file.TreeBudget())
}

// treeAfter reads a tree like Tree, for a preview. before is the same tree in the original file, or nil.
func (r *Reader) treeAfter(before *Tree, root object.Object) (*nametree.Tree, error) {
	if before == nil {
		return r.Tree(root)
	}
	return nametree.ReadAgain(r, root, r.file.TreeBudget(), before.Tree,
		func(ref object.Ref) bool { return !r.file.pdf.Shows(ref) })
}
