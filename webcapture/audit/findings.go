package audit

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
	list []packed
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
func (l Findings) Len() int { return len(l.list) }

// At returns finding i.
func (l Findings) At(i int) Finding { return l.list[i].unpack().finding() }

// Rule returns the rule of finding i, which takes much less time than the rest of it.
func (l Findings) Rule(i int) *Rule { return l.list[i].kind().rule }

// Place returns the place of finding i, for which no words have to be made.
func (l Findings) Place(i int) Place {
	p, _ := l.list[i].placed()
	return p
}

// Repairable reports whether a rewrite repairs what finding i says without being asked for
// the rule by name. No words have to be made for it.
func (l Findings) Repairable(i int) bool {
	_, r := l.list[i].placed()
	var fix bool
	r.bool(&fix)
	return fix && !l.Rule(i).OnRequest
}

// All yields the findings with their indexes, in the order of the list.
func (l Findings) All() iter.Seq2[int, Finding] {
	return func(yield func(int, Finding) bool) {
		for i := range l.list {
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
	l.add(statement{rule: f.Rule, place: f.Place, fix: f.Fix, args: []any{f.Message}})
}

// DeleteFunc removes the findings for which del returns true. It is called once for
// each, in order.
func (l *Findings) DeleteFunc(del func(i int, f Finding) bool) {
	kept := l.list[:0:0]
	for i, f := range l.All() {
		if !del(i, f) {
			kept = append(kept, l.list[i])
		}
	}
	l.list = kept
}

// add adds what a check has found.
func (l *Findings) add(s statement) {
	if l.into == nil {
		l.into = &block{bytes: make([]byte, 0, firstBlock)}
	} else if room := cap(l.into.bytes); len(l.into.bytes)+usual > room {
		l.into = &block{bytes: make([]byte, 0, min(2*room, maxBlock))}
	}
	l.list = append(l.list, l.into.pack(&s))
}

// merge adds the findings of another list.
func (l *Findings) merge(m Findings) {
	if l.list == nil {
		*l = m
		return
	}
	l.list = append(l.list, m.list...)
}

// repack leaves those of the findings that are in list, and nothing of the others.
func (l *Findings) repack(list []packed) {
	*l = Findings{}
	for _, p := range list {
		l.add(p.unpack())
	}
}

// Sort puts the findings in the order of [Finding.Compare].
func (l *Findings) Sort() { slices.SortFunc(l.list, packed.compare) }

// compact removes findings that stand there again, which come one after the other.
func (l *Findings) compact() {
	l.list = slices.CompactFunc(l.list, func(a, b packed) bool { return a.compare(b) == 0 })
}

// A statement is what a check says: a Finding before its words are made.
type statement struct {
	rule   *Rule
	place  Place
	fix    *Fix
	format string // of the message; empty if args is the message
	args   []any
}

func (s *statement) message() string {
	if s.format == "" {
		return s.args[0].(string)
	}
	return fmt.Sprintf(s.format, s.args...)
}

func (s statement) finding() Finding {
	return Finding{Rule: s.rule, Place: s.place, Message: s.message(), Fix: s.fix}
}

// compare orders as [Finding.Compare] does.
func (p packed) compare(q packed) int {
	if p.order != q.order {
		return cmp.Compare(p.order, q.order)
	}
	a, b := p.unpack(), q.unpack()
	if c := cmp.Or(a.place.Compare(b.place), cmp.Compare(a.rule.ID, b.rule.ID)); c != 0 {
		return c
	}
	return cmp.Compare(a.message(), b.message())
}
