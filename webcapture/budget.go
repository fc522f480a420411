package webcapture

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// A Budget limits the work and the memory that a file may cost. The limits are in proportion
// to the bytes that are stored, not to what they decode to or how often they refer to each
// other. Callers ask before they spend: what a small file expands to must not be in memory
// first. A caller that would exceed the budget reports it.
type Budget struct {
	Work     int64 // about the time that a byte takes to be parsed
	Records  int   // things of one kind: pairs or kids of a tree, elements of an array, members of sets
	Output   int64 // bytes that a command writes about the file
	Findings int   // what is kept of them with all particulars: findings, defects, parts that cannot be read
}

// Budget returns what may be made of the file, by its size.
func (f *File) Budget() Budget {
	size := f.Size()
	return Budget{
		Work:     baseWork + size*byteWork,
		Output:   baseOutput + size*byteOutput,
		Records:  int(baseRecords + size/recordBytes),
		Findings: int(baseFindings + size/findingBytes),
	}
}

// TreeBudget returns what a name tree of the file may take.
func (f *File) TreeBudget() nametree.Budget {
	b := f.Budget()
	return nametree.Budget{Kids: b.Records, Pairs: b.Records, Bytes: baseTree + f.Size()*byteTree, Defects: b.Findings}
}

// Tree reads a name tree of the file, within the budget. The error is that of
// [nametree.Read].
func (r *Reader) Tree(root object.Object) (*nametree.Tree, error) {
	return nametree.ReadWithin(r, root, r.file.TreeBudget())
}

// treeAfter is Tree for one that before was, in the file that this is a preview of; before may be nil.
func (r *Reader) treeAfter(before *Tree, root object.Object) (*nametree.Tree, error) {
	if before == nil {
		return r.Tree(root)
	}
	return nametree.ReadAgain(r, root, r.file.TreeBudget(), before.Tree,
		func(ref object.Ref) bool { return !r.file.pdf.Shows(ref) })
}
