package outline

import (
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// New returns the shape of a database. sets is the number of its content sets. Nodes list their pairs with findings.
// The error is an error of the disk.
func New(a *rule.Audit, db *webcapture.Database, findings rule.Findings, sets int) (*Outline, error) {
	out := &Outline{}
	for _, t := range a.Trees {
		if t != nil {
			out.Trees = append(out.Trees, newTree(t, findings))
		}
	}
	o := outliner{audit: a, db: db, reader: a.File.NewReader(), out: out, seen: map[object.Ref]bool{},
		sets: map[object.Ref]int{}}
	err := o.gather()
	if err == nil && len(o.pages) > 0 {
		err = o.number()
	}
	out.SetsLeft = max(0, sets-len(out.Sets))
	return out, err
}

// newTree returns the shape of a tree.
func newTree(t *rule.Tree, findings rule.Findings) Tree {
	out := Tree{Name: t.Name.String()}
	bad := badPairs(t, findings)
	faults := faultsOf(t)
	number := map[int]int{} // index in out.Nodes of each included node
	take := func(n int) {
		var path []int
		for ; n >= 0; n = t.Node(n).Parent {
			if _, taken := number[n]; taken {
				break
			}
			path = append(path, n)
		}
		if len(number)+len(path) <= MaxOutlineNodes {
			for _, n := range path {
				number[n] = 0
			}
		}
	}
	for n := range t.NodeCount() {
		if faults[n] != LimitsRight || len(bad[n]) > 0 {
			take(n)
		}
	}
	for n := 0; n < t.NodeCount() && len(number) < MaxOutlineNodes; n++ {
		take(n)
	}
	taken := make([]int, 0, len(number))
	for n := range number {
		taken = append(taken, n)
	}
	slices.Sort(taken)
	for i, n := range taken {
		number[n] = i
		node := newNode(t, n, bad[n])
		node.Fault = faults[n]
		if node.Parent >= 0 {
			node.Parent = number[node.Parent] // a node comes after its parent
		}
		out.Nodes = append(out.Nodes, node)
	}
	out.NodesLeft = t.NodeCount() - len(out.Nodes)
	return out
}

// badPairs returns, for each node, the sorted indexes of its pairs with findings.
func badPairs(t *rule.Tree, findings rule.Findings) map[int][]int {
	bad := map[int][]int{}
	for _, f := range findings.All() {
		at := f.Place
		if at.Tree != t.Name.String() || at.Node == nil || at.Node.Kid || at.Node.Index < 0 {
			continue
		}
		n := at.Node.Position()
		if pairs := bad[n]; len(pairs) == 0 || pairs[len(pairs)-1] != at.Node.Index {
			bad[n] = append(pairs, at.Node.Index)
		}
	}
	return bad
}

func faultsOf(t *rule.Tree) map[int]LimitsFault {
	faults := map[int]LimitsFault{}
	for _, f := range []struct {
		kind  nametree.DefectKind
		fault LimitsFault
	}{
		{nametree.LimitsMissing, LimitsMissing},
		{nametree.LimitsMalformed, LimitsMalformed},
		{nametree.LimitsWrong, LimitsWrong},
		{nametree.RootLimits, LimitsOnRoot},
	} {
		for d := range t.DefectsOf(f.kind) {
			faults[d.Node] = f.fault
		}
	}
	return faults
}

func newNode(t *rule.Tree, n int, bad []int) Node {
	node := t.Node(n)
	out := Node{Ref: node.Ref, Parent: node.Parent, Depth: node.Depth, Kids: len(node.Kids), Pairs: node.Count}
	if node.HasLimits {
		out.Limits = cutLimits(node.Limits)
	}
	if node.HasBounds {
		out.Bounds = cutLimits(node.Bounds)
	}
	if node.Count > 0 {
		out.First, out.Last = rule.CutKey(t.Entry(node.First).Key), rule.CutKey(t.Entry(node.First+node.Count-1).Key)
	}
	for _, index := range bad[:min(len(bad), maxOutlinePairs)] {
		pair := Pair{Index: index}
		if i, ok := t.EntryAt(n, index); ok {
			pair.Entry, pair.Key = true, rule.CutKey(t.Entry(i).Key)
		}
		out.Bad = append(out.Bad, pair)
	}
	out.BadLeft = len(bad) - len(out.Bad)
	return out
}

func cutLimits(l nametree.Limits) *nametree.Limits {
	return &nametree.Limits{Least: rule.CutKey(l.Least), Greatest: rule.CutKey(l.Greatest)}
}

// outliner collects content sets.
type outliner struct {
	audit  *rule.Audit
	db     *webcapture.Database
	reader *webcapture.Reader
	out    *Outline
	seen   map[object.Ref]bool // values and elements read so far
	sets   map[object.Ref]int  // index of each content set among them
	set    webcapture.ContentSet
	pages  map[object.Ref]int // pages of page sets, with their numbers when known

	pictures int // total bytes of pictures
}

// full reports whether a limit on content sets or reading is reached.
func (o *outliner) full() bool {
	return len(o.out.Sets) >= MaxOutlineSets || len(o.seen) >= maxOutlineValues || o.reader.BytesRead() > maxOutlineRead
}

// gather reads the values of both trees. After a limit is reached, it only records the entries of content sets
// collected so far.
func (o *outliner) gather() error {
	for _, t := range o.audit.Trees {
		if t == nil {
			continue
		}
		for _, e := range t.Entries() {
			at := rule.PlaceOf(t.Tree, e)
			if o.full() || o.again(e.Value) {
				o.leads(at, e.Value)
				continue
			}
			for value, err := range o.reader.Values(e.Value) {
				if err == nil && (object.Same(value, e.Value) || !o.again(value)) {
					err = o.add(value, at)
				}
				if object.IgnoreMalformed(err) != nil {
					return err
				}
				o.leads(at, value)
				if o.full() {
					break
				}
			}
		}
	}
	return nil
}

// leads records an entry of a content set, if that was collected.
func (o *outliner) leads(at rule.Place, value object.Object) {
	ref, _ := value.Ref()
	i, ok := o.sets[ref]
	if !ok {
		return
	}
	set := &o.out.Sets[i]
	at = rule.Place{Tree: at.Tree, Node: at.Node}
	if n := len(set.Entries); n < MaxOutlineURLs && (n == 0 || set.Entries[n-1].Compare(at) != 0) {
		set.Entries = append(set.Entries, at)
	}
}

// again reports whether a reference was seen before, and marks it as seen.
func (o *outliner) again(value object.Object) bool {
	ref, ok := value.Ref()
	if !ok {
		return false
	}
	before := o.seen[ref]
	o.seen[ref] = true
	return before
}

// add adds a content set. It ignores other objects.
func (o *outliner) add(value object.Object, at rule.Place) error {
	cs := &o.set
	if err := o.reader.Read(value, cs); err != nil || !cs.Recognized() {
		return err
	}
	out := Set{Place: at, Subtype: cs.Subtype, ID: rule.CutKey(nametree.Key(cs.ID.Bytes))}
	if ref, ok := value.Ref(); ok {
		out.Place = rule.Place{Set: ref}
		o.sets[ref] = len(o.out.Sets)
	} else {
		out.Entries = []rule.Place{{Tree: at.Tree, Node: at.Node}}
	}
	for i := range cs.Sources {
		for _, url := range cs.Sources[i].URLs() {
			switch cut := string(rule.CutKey(nametree.Key(url))); {
			case slices.Contains(out.URLs, cut):
			case len(out.URLs) < MaxOutlineURLs:
				out.URLs = append(out.URLs, cut)
			default:
				out.URLsLeft++
			}
		}
	}
	out.Title = rule.TitleText(o.text(cs.T))
	out.ContentType = strings.ToValidUTF8(string(o.text(cs.CT)), "\uFFFD")
	date := o.text(cs.TS)
	if t, fault := rule.ParseDate(date); fault == "" {
		out.Date = t.Format(rule.DateLayout)
	} else {
		out.Date = strings.ToValidUTF8(string(date), "\uFFFD")
	}
	err := o.members(cs, &out)
	o.out.Sets = append(o.out.Sets, out)
	return err
}

// text returns the beginning of a string entry; nil if the entry is not a string.
func (o *outliner) text(entry object.Object) []byte {
	s, _ := o.reader.String(entry) // the audit reports unreadable objects
	return s.Bytes[:min(len(s.Bytes), rule.MaxShown)]
}

func (o *outliner) members(cs *webcapture.ContentSet, out *Set) error {
	for member := range cs.Members() {
		if len(out.Members) == MaxOutlineMembers {
			list, _ := cs.O.Array()
			out.MembersLeft = list.Len() - len(out.Members)
			return nil
		}
		var m Member
		m.Ref, _ = member.Ref()
		switch {
		case m.Ref.Num == 0:
		case cs.Subtype == webcapture.ImageSet:
			image, err := o.reader.Get(m.Ref)
			if object.IgnoreMalformed(err) != nil {
				return err
			}
			d, _ := image.Dict()
			m.Width, _ = d.Lookup("Width").Int()
			m.Height, _ = d.Lookup("Height").Int()
			if len(out.Members) == 0 {
				m.Picture = o.picture(m.Ref, d)
			}
		default:
			if o.pages == nil {
				o.pages = map[object.Ref]int{}
			}
			o.pages[m.Ref] = 0
		}
		out.Members = append(out.Members, m)
	}
	return nil
}

// number sets the page numbers of members.
func (o *outliner) number() error {
	for pg, err := range o.reader.Pages(o.db) {
		if object.IgnoreMalformed(err) != nil {
			return err
		}
		if _, wanted := o.pages[pg.Ref]; wanted && err == nil && !pg.Again {
			o.pages[pg.Ref] = pg.Index + 1
		}
	}
	for i := range o.out.Sets {
		for k := range o.out.Sets[i].Members {
			m := &o.out.Sets[i].Members[k]
			m.Page = o.pages[m.Ref]
		}
	}
	return nil
}
