package rewrite

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// Steps is a list of steps. There may be a million, nearly all of which say what the fix of
// a finding says: of these only the number of the finding is kept, and a Step is made when
// somebody asks for it. The zero value is an empty list.
type Steps struct {
	list     []step
	asking   []int32 // numbers of findings, those of one step side by side
	findings audit.Findings
	speller
}

// A speller knows the form that keys of URLS get.
type speller struct {
	profile *canon.Profile
	base    []byte
}

// canonical returns the form of a URL that a key has. The base, if there is one, is for
// relative URLs alone.
func (p speller) canonical(url nametree.Key) nametree.Key {
	if !canon.Split([]byte(url)).Absolute() {
		return nametree.Key(p.profile.Resolve(nil, p.base, []byte(url)))
	}
	return nametree.Key(p.profile.Append(nil, []byte(url)))
}

// A step is a Step as it is kept.
type step struct {
	from, to int32 // in asking: the findings that ask for it
	own      *Step // has it all; nil if the findings say all
}

// Len returns the number of steps.
func (l Steps) Len() int { return len(l.list) }

// At returns step i.
func (l Steps) At(i int) Step {
	s := l.list[i]
	if s.own != nil {
		return *s.own
	}
	f := l.finding(s)
	out := Step{
		Rules: l.Rules(i), Action: actionOf(f.Fix.Action), Tree: cmp.Or(f.Fix.Tree, f.Place.Tree), Place: f.Place,
		Reason: f.Message, findings: l.asking[s.from:s.to],
	}
	out.Old, out.New = l.change(&f)
	return out
}

// Rules returns the rules that ask for step i, which takes much less time than the rest
// of it.
func (l Steps) Rules(i int) []*audit.Rule {
	s := l.list[i]
	if s.own != nil {
		return s.own.Rules
	}
	rules := make([]*audit.Rule, 0, s.to-s.from)
	for _, n := range l.asking[s.from:s.to] {
		rules = append(rules, l.findings.Rule(int(n)))
	}
	return rules
}

// Action returns the action of step i.
func (l Steps) Action(i int) audit.Action {
	if s := l.list[i]; s.own == nil {
		return actionOf(l.findings.Rule(int(l.asking[s.from])).Action)
	}
	return l.list[i].own.Action
}

// All yields the steps with their indexes.
func (l Steps) All() iter.Seq2[int, Step] {
	return func(yield func(int, Step) bool) {
		for i := range l.list {
			if !yield(i, l.At(i)) {
				return
			}
		}
	}
}

// String returns the steps on a line each.
func (l Steps) String() string {
	var lines []string
	for _, s := range l.All() {
		lines = append(lines, s.String())
	}
	return strings.Join(lines, "\n")
}

// Add adds a step to the end of the list.
func (l *Steps) Add(s Step) { l.own(&s) }

func (l *Steps) own(s *Step) { l.list = append(l.list, step{own: s}) }

func (l Steps) finding(s step) audit.Finding {
	return l.findings.At(int(l.asking[s.from]))
}

// deleteFunc removes the steps for which del returns true.
func (l *Steps) deleteFunc(del func(Step) bool) {
	kept := l.list[:0]
	for i, s := range l.list {
		if !del(l.At(i)) {
			kept = append(kept, s)
		}
	}
	clear(l.list[len(kept):])
	l.list = kept
}

// gather adds a step for each finding of a list that asks for one. Findings about one place
// that have one remedy share it.
func (l *Steps) gather(asking []int32) {
	slices.Sort(asking) // so those about one place come one after the other
	l.list = slices.Grow(l.list, len(asking))
	l.asking = make([]int32, 0, len(asking))
	var group []int32 // about one place
	var at audit.Place
	for _, n := range asking {
		place := l.findings.Place(int(n))
		if len(group) > 0 && place.Compare(at) != 0 {
			l.share(group)
			group = group[:0]
		}
		group, at = append(group, n), place
	}
	l.share(group)
}

// share adds the steps for findings about one place.
func (l *Steps) share(group []int32) {
	if len(group) == 1 {
		l.ask(group)
		return
	}
	type remedy struct {
		action        audit.Action
		before, after string
	}
	number := map[remedy]int{}
	var list [][]int32
	for _, n := range group {
		f := l.findings.At(int(n))
		r := remedy{action: actionOf(f.Fix.Action)}
		r.before, r.after = l.change(&f)
		i, known := number[r]
		if !known {
			i = len(list)
			number[r] = i
			list = append(list, nil)
		}
		if !slices.ContainsFunc(list[i], func(m int32) bool { return l.findings.Rule(int(m)) == f.Rule }) {
			list[i] = append(list[i], n)
		}
	}
	for _, findings := range list {
		l.ask(findings)
	}
}

// ask adds a step that says what findings say.
func (l *Steps) ask(findings []int32) {
	from := len(l.asking)
	l.asking = append(l.asking, findings...)
	l.list = append(l.list, step{from: int32(from), to: int32(len(l.asking))})
}

// sort puts the steps in the order of their places, and of the findings that ask for them
// first. Those that are made of findings are in this order already.
func (l *Steps) sort() {
	var own, others []step
	for _, s := range l.list {
		if s.own != nil {
			own = append(own, s)
		} else {
			others = append(others, s)
		}
	}
	if len(own) == 0 {
		return
	}
	slices.SortStableFunc(own, l.compare)
	l.list = l.list[:0]
	for _, s := range others {
		for len(own) > 0 && l.compare(own[0], s) < 0 {
			l.list, own = append(l.list, own[0]), own[1:]
		}
		l.list = append(l.list, s)
	}
	l.list = append(l.list, own...)
}

func (l *Steps) compare(a, b step) int {
	placeA, firstA := l.origin(a)
	placeB, firstB := l.origin(b)
	return cmp.Or(placeA.Compare(placeB), cmp.Compare(firstA, firstB))
}

// origin returns the place of a step, and the number of the finding that asks for it
// first; what only an option asks for comes last.
func (l *Steps) origin(s step) (audit.Place, int32) {
	switch {
	case s.own == nil:
		return l.findings.Place(int(l.asking[s.from])), l.asking[s.from]
	case len(s.own.findings) > 0:
		return s.own.Place, s.own.findings[0]
	}
	return s.own.Place, math.MaxInt32
}

// actionOf returns the action of a step that does what fixes with an action say.
func actionOf(a audit.Action) audit.Action {
	if a == audit.MakeAbsolute { // a key may have other faults besides, and changes once
		return audit.ChangeKey
	}
	return a
}

// change returns what becomes of what when the fix of a finding is carried out, as far as
// the finding says it.
func (p speller) change(f *audit.Finding) (before, after string) {
	switch fix := f.Fix; fix.Action {
	case audit.AddKey:
		return "", p.addedKey(fix).String() + " " + fix.Set.String()
	case audit.ChangeKey, audit.MakeAbsolute:
		return fix.Old.String(), p.changedKey(f).String()
	case audit.RenameDestination:
		return fix.Old.String(), fix.New.String()
	case audit.RemoveEntry, audit.MergeEntries:
		return fix.Old.String(), ""
	case audit.RemoveSet:
		return fix.Set.String(), ""
	}
	return "", ""
}

// addedKey returns the key that a content set gets by AddKey.
func (p speller) addedKey(fix *audit.Fix) nametree.Key {
	if fix.Tree == webcapture.IDS.String() {
		return fix.New
	}
	return p.canonical(fix.New)
}

// changedKey returns the key that an entry gets by ChangeKey or MakeAbsolute.
func (p speller) changedKey(f *audit.Finding) nametree.Key {
	if f.Place.Tree == webcapture.IDS.String() {
		return f.Fix.New
	}
	key := f.Fix.New
	if key == "" {
		key = f.Fix.Old
	}
	return p.canonical(key)
}
