package rule

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Findings is a list of findings. A file may have a million, and most callers look at a
// few of them or at one after the other: so they are kept packed (engine_pack.go), in some
// dozens of bytes each, and a Finding is made, with its words, when somebody asks for it.
// The zero value is an empty list.
type Findings struct {
	List []Packed
	into *block // takes the next one; nil if there is none yet
}

// FindingsOf returns a list of findings.
func FindingsOf(list ...Finding) Findings {
	var l Findings
	for _, f := range list {
		l.Add(f)
	}
	return l
}

// Len returns the number of findings.
func (l Findings) Len() int { return len(l.List) }

// At returns finding i.
func (l Findings) At(i int) Finding { return l.List[i].Unpack().Finding() }

// Rule returns the rule of finding i, which takes much less time than the rest of it.
func (l Findings) Rule(i int) *Rule { return l.List[i].Kind().Rule }

// Place returns the place of finding i, for which no words have to be made.
func (l Findings) Place(i int) Place {
	p, _ := l.List[i].placed()
	return p
}

// Repairable reports whether a rewrite repairs what finding i says without being asked for
// the rule by name. No words have to be made for it.
func (l Findings) Repairable(i int) bool {
	_, r := l.List[i].placed()
	var fix bool
	r.bool(&fix)
	return fix && !l.Rule(i).OnRequest
}

// All yields the findings with their indexes, in the order of the list.
func (l Findings) All() iter.Seq2[int, Finding] {
	return func(yield func(int, Finding) bool) {
		for i := range l.List {
			if !yield(i, l.At(i)) {
				return
			}
		}
	}
}

// String returns the findings on a line each.
func (l Findings) String() string {
	var lines []string
	for _, f := range l.All() {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

// Add adds a finding to the end of the list.
func (l *Findings) Add(f Finding) {
	l.AddStatement(Statement{Rule: f.Rule, Place: f.Place, fix: f.Fix, Args: []any{f.Message}})
}

// DeleteFunc removes the findings for which del returns true. It is called once for
// each, in order.
func (l *Findings) DeleteFunc(del func(i int, f Finding) bool) {
	kept := l.List[:0:0]
	for i, f := range l.All() {
		if !del(i, f) {
			kept = append(kept, l.List[i])
		}
	}
	l.List = kept
}

// add adds what a check has found.
func (l *Findings) AddStatement(s Statement) {
	if l.into == nil {
		l.into = &block{bytes: make([]byte, 0, firstBlock)}
	} else if room := cap(l.into.bytes); len(l.into.bytes)+usual > room {
		l.into = &block{bytes: make([]byte, 0, min(2*room, maxBlock))}
	}
	l.List = append(l.List, l.into.pack(&s))
}

// merge adds the findings of another list.
func (l *Findings) Merge(m Findings) {
	if l.List == nil {
		*l = m
		return
	}
	l.List = append(l.List, m.List...)
}

// repack leaves those of the findings that are in list, and nothing of the others.
func (l *Findings) Repack(list []Packed) {
	*l = Findings{}
	for _, p := range list {
		l.AddStatement(p.Unpack())
	}
}

// Sort puts the findings in the order of [Finding.Compare].
func (l *Findings) Sort() { slices.SortFunc(l.List, Packed.Compare) }

// compact removes findings that stand there again, which come one after the other.
func (l *Findings) Compact() {
	l.List = slices.CompactFunc(l.List, func(a, b Packed) bool { return a.Compare(b) == 0 })
}

// A statement is what a check says: a Finding before its words are made.
type Statement struct {
	Rule   *Rule
	Place  Place
	fix    *Fix
	format string // of the message; empty if args is the message
	Args   []any
}

func (s *Statement) Message() string {
	if s.format == "" {
		return s.Args[0].(string)
	}
	return fmt.Sprintf(s.format, s.Args...)
}

func (s Statement) Finding() Finding {
	return Finding{Rule: s.Rule, Place: s.Place, Message: s.Message(), Fix: s.fix}
}

// compare orders as [Finding.Compare] does.
func (p Packed) Compare(q Packed) int {
	if p.order != q.order {
		return cmp.Compare(p.order, q.order)
	}
	a, b := p.Unpack(), q.Unpack()
	if c := cmp.Or(a.Place.Compare(b.Place), cmp.Compare(a.Rule.ID, b.Rule.ID)); c != 0 {
		return c
	}
	return cmp.Compare(a.Message(), b.Message())
}
