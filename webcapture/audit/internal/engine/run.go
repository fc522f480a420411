// Package engine reads a file in phases, and runs the checks of rules on its parts.
package engine

import (
	"cmp"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Options are the options of Run.
type Options struct {
	Rules      []*rule.Rule  // rules to check
	Source     source.Source // source of captures; nil for none
	Prefer     rule.Side     // the user's choice
	Base       rule.Base     // base of relative URLs in the file
	SourceLost bool          // a part of the given sources is missing in Source
	Keys       bool          // set Result.Keys
	Phase      func(string)  // called at the start of each phase, with its name

	// Only for tests.
	AllDeferred bool      // treat all content sets as inconsistent
	Budget      int64     // of work, in addition to that done before; 0 for the default
	Findings    int64     // maximum number of kept findings; 0 for the default
	Now         time.Time // time of the audit; zero for the present
}

func (o *Options) begins(what string) {
	if o.Phase != nil {
		o.Phase(what)
	}
}

// Result is the result of an audit.
type Result struct {
	rule.Found // findings and unread parts in the order of their places
	Omitted    []rule.Omitted
	Identities []rule.Identity // nil if no sources are given
	Keys       *rule.KeyFacts  // nil unless Options.Keys

	// Descriptions by the text of places; see describe.
	Subjects, Positions map[string]string
}

// OnlyCounted is the error for findings that are only counted, because a file of this size has too many.
type OnlyCounted struct{ what string }

func (e *OnlyCounted) Error() string { return "too many findings for a file of this size: " + e.what }

// Run checks rules.
func Run(f *webcapture.File, db *webcapture.Database, opt Options) (*Result, error) {
	r := NewRunner(f, db, opt)
	if err := r.Phases(); err != nil {
		return nil, err
	}
	if err := f.Err(); err != nil {
		return nil, err // the findings so far are incomplete, and may take long to sort
	}
	opt.begins("sorting findings")
	if int64(r.found.Total()) > r.MaxFindings {
		r.found.Cut()
	}
	if what := r.found.Counted(); what != "" {
		leave(&r.found, &OnlyCounted{what})
	}
	r.found.Finish()
	res := &Result{Found: r.found, Omitted: r.found.Omitted(opt.Rules), Identities: r.identified}
	slices.SortFunc(res.Identities, func(a, b rule.Identity) int { return a.Place.Compare(b.Place) })
	if r.opt.Source != nil && res.Identities == nil {
		res.Identities = []rule.Identity{} // unread says that they are unknown
	}
	if opt.Keys {
		res.Keys = r.keySummary()
	}
	err := r.describe(res)
	if over := f.Meter().Over(); over != nil && !r.Over { // no finding is missing, but some descriptions are
		leave(&res.Found, over)
		slices.SortFunc(res.Unread, rule.Unread.Compare)
		err = nil
	}
	return res, err
}

// leave records an omitted part of the audit.
func leave(f *rule.Found, err error) {
	f.Unread = append(f.Unread, rule.Unread{Place: rule.Place{Part: "file"}, Err: err})
}

// Runner is one audit. It reads the database in phases. A million content sets are read fastest in file order, and
// nearly all are consistent: a content set and its entries agree, so nothing has to be looked up.
//
//  1. trees and keys: the two trees as a whole, and their entries alone, which needs no
//     other objects.
//  2. sets: each object to which a value refers, once. Consistent content sets are
//     finished. The others, and their entries, are deferred.
//  3. deferred: each deferred entry with all content sets in its value, then each deferred
//     content set with all its entries, including those with array values, which are known
//     now.
//  4. document: SpiderInfo and its commands. If there are rules about the whole document,
//     then pages, the images that they show, and the members of content sets.
//  5. identities: each content set with its source, if sources are given.
//
// A phase that exceeds the meter of the file is dropped as a whole, and the later phases do not run. The total work of
// a phase does not depend on its order, but the order decides which findings were found before.
type Runner struct {
	*rule.Audit
	DB      *webcapture.Database
	opt     Options
	links   *LinkTable
	workers []Worker // reused by each phase

	rules    ruleSet
	visited  object.RefSet // objects read in the phase of sets
	repeated bool          // IDS may have repeated keys
	Over     bool          // the meter is exceeded

	lists

	found, phase rule.Found // of completed phases, and of the running one
	identified   []rule.Identity
	doc          *rule.Document // empty if the pages were not read
}

// lists are what workers collect for later phases.
type lists struct {
	entries  [webcapture.TreeCount][]int // deferred entries
	sets     []object.Ref                // deferred content sets
	members  []rule.MemberRow
	masks    []object.Ref // soft masks of images
	carriers []rule.Carrier
	tagged   int          // number of images with an ID
	sourced  []sourcedSet // content sets to compare with sources
}

func (l *lists) merge(m *lists) {
	for t := range l.entries {
		l.entries[t] = append(l.entries[t], m.entries[t]...)
	}
	l.sets = append(l.sets, m.sets...)
	l.members = append(l.members, m.members...)
	l.masks = append(l.masks, m.masks...)
	l.carriers = append(l.carriers, m.carriers...)
	l.tagged += m.tagged
	l.sourced = append(l.sourced, m.sourced...)
}

func NewRunner(f *webcapture.File, db *webcapture.Database, opt Options) *Runner {
	if spent, _ := f.Meter().Spent(); opt.Budget > 0 {
		f.Meter().Limit(spent+opt.Budget, 1<<62)
	}
	r := &Runner{
		Audit: &rule.Audit{File: f, Now: opt.Now, Prefer: opt.Prefer, Base: opt.Base, WantsKeys: opt.Keys,
			MaxFindings: cmp.Or(opt.Findings, rule.MaxFindings(f.Size()))},
		DB: db, opt: opt, rules: newRuleSet(opt.Rules), links: newLinkTable(db.Trees()), doc: new(rule.Document),
	}
	if r.Now.IsZero() {
		r.Now = time.Now()
	}
	unread := rule.UnreadOf(f, db)
	r.Lost.Store(len(unread) > 0)
	r.found.Unread = unread
	for _, t := range db.Trees() {
		r.Trees[t.Name] = &rule.Tree{Tree: t, Whole: t.IsWhole()}
		r.repeated = r.repeated || t.Name == webcapture.IDS && t.DefectCount(nametree.DuplicateKey) > 0
	}
	return r
}

// ruleSet holds the rules of an audit by the kind of their checks.
type ruleSet struct {
	tree, url, value, set, links, info, identity []*rule.Rule
	page, image, member, document                []*rule.Rule

	drops bool // some rule has fixes that drop elements of O; see keepElements
}

func newRuleSet(list []*rule.Rule) (s ruleSet) {
	for _, r := range list {
		add := func(to *[]*rule.Rule, has bool) {
			if has {
				*to = append(*to, r)
			}
		}
		add(&s.tree, r.CheckTree != nil)
		add(&s.url, r.CheckURL != nil)
		add(&s.value, r.CheckValue != nil)
		add(&s.set, r.CheckSet != nil)
		add(&s.links, r.CheckLinks != nil)
		add(&s.info, r.CheckInfo != nil)
		add(&s.identity, r.CheckIdentity != nil)
		add(&s.page, r.CheckPage != nil)
		add(&s.image, r.CheckImage != nil)
		add(&s.member, r.CheckMember != nil)
		add(&s.document, r.CheckDocument != nil)
		s.drops = s.drops || r.Action == rule.DropMember
	}
	return s
}

// Phases runs all phases.
func (r *Runner) Phases() error {
	if !r.DB.Present() && !r.DB.Traces.Any() {
		return nil // most files of an archive
	}
	if twice, err := r.encryptedTwice(); twice || err != nil {
		return err
	}
	for _, phase := range []struct {
		what string
		do   func() error
	}{
		{"checking name trees", r.trees},
		{"checking keys", r.keys},
		{"checking content sets", r.contentSets},
		{"comparing entries with content sets", r.deferred},
		{"checking pages and images", r.document},
		{"comparing identifiers with sources", r.identities},
	} {
		r.opt.begins(phase.what)
		if err := r.run(phase.do); err != nil {
			return err
		}
	}
	return nil
}

// run runs a phase. If the phase exceeds the meter of the file, its findings are dropped, and the later phases do not
// run.
func (r *Runner) run(phase func() error) error {
	if r.Over {
		return nil
	}
	err := phase()
	over := r.File.Meter().Over()
	if over == nil || err != nil && !errors.Is(err, over) {
		r.found.Merge(&r.phase)
		r.phase = rule.Found{}
		return err
	}
	r.Over = true
	r.phase = rule.Found{}
	r.Recorded.Store(int64(r.found.Total()))
	leave(&r.found, over)
	return nil
}

// Worker holds the state of one goroutine in a phase.
type Worker struct {
	rule.Pass
	Run *Runner
	lists

	set   rule.Set   // reused for each content set
	entry rule.Entry // reused for each entry
	canon []byte     // scratch buffer
	urls  []int
	ids   []int
	last  sharedValue // last read value

	err      error
	panicked any
}

// Chunk is the number of items in a range for one worker. It is large enough that two workers rarely decode the same
// object stream, and small enough to keep all workers busy.
const Chunk = 4096

// each calls do for each number in [0, n), in ranges on all cores, and collects the workers' findings.
func (r *Runner) each(n int, do func(w *Worker, i int) error) error {
	if n == 0 {
		return nil
	}
	var next atomic.Int64
	workers := r.freshWorkers(min(runtime.GOMAXPROCS(0), (n+Chunk-1)/Chunk))
	work := func(w *Worker) {
		// A panic of a worker reaches the caller, who may be auditing other files.
		defer func() { w.panicked = recover() }()
		for w.err == nil {
			to := int(next.Add(Chunk))
			from := to - Chunk
			if from >= n {
				return
			}
			w.last = sharedValue{} // the work of a range does not depend on the worker
			w.Reader.Forget()
			for i := from; i < min(to, n) && w.err == nil; i++ {
				if w.err = w.step(0); w.err == nil {
					w.err = do(w, i)
				}
			}
			if w.err != nil {
				next.Store(int64(n))
			}
		}
	}
	var wg sync.WaitGroup
	for i := 1; i < len(workers); i++ {
		wg.Go(func() { work(&workers[i]) })
	}
	work(&workers[0])
	wg.Wait()
	var err error // the same for all workers
	for i := range workers {
		w := &workers[i]
		if w.panicked != nil {
			panic(w.panicked)
		}
		over := w.Reader.Settle()
		r.phase.Merge(w.Found)
		r.merge(&w.lists)
		err = cmp.Or(err, w.Failed, w.err, over)
	}
	return cmp.Or(err, r.File.Meter().Over())
}

// eachObject calls do for each of the objects once, in file order, like each.
func (r *Runner) eachObject(targets []object.Ref, do func(w *Worker, ref object.Ref) error) error {
	r.File.SortByPosition(targets)
	targets = slices.Compact(targets)
	return r.each(len(targets), func(w *Worker, i int) error { return do(w, targets[i]) })
}

// once calls do with one worker.
func (r *Runner) once(do func(w *Worker) error) error {
	return r.each(1, func(w *Worker, _ int) error { return do(w) })
}

// step pays for a piece of work. The error is that of [webcapture.Reader.Pay].
func (w *Worker) step(cost int64) error {
	if !w.Spend(cost) {
		return w.Reader.Settle()
	}
	return nil
}

// freshWorkers returns n workers for a phase. They reuse the readers of the previous phase.
func (r *Runner) freshWorkers(n int) []Worker {
	for len(r.workers) < n {
		r.workers = append(r.workers, Worker{Pass: rule.Pass{Reader: r.File.NewReader()}})
	}
	for i := range r.workers {
		r.workers[i] = Worker{Pass: rule.NewPass(r.DB, r.workers[i].Reader, r.Audit), Run: r}
	}
	return r.workers[:n]
}
