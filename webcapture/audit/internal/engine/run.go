package engine

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/witness"
)

// engineOptions says how to go over a file.
type Options struct {
	Rules      []*rule.Rule  // to check
	Source     source.Source // what was retrieved; nil if nothing is known of it
	Embedded   bool          // files in the PDF are sources, too
	Witness    source.Source // tells which of two URLs was retrieved; nil for Source
	Prefer     witness.Side  // what the user chose, where no witness decides
	HasBase    bool          // relative URLs can be resolved
	SourceLost bool          // Source does not have all that was given
	Phase      func(string)  // is called with what begins

	// For tests.
	AllUnresolved bool      // take the long way for every set
	Budget        int64     // of work, 0 for the usual one
	Findings      int64     // how many may be kept, 0 for the usual number
	Now           time.Time // when the audit takes place; zero for the present
}

func (o *Options) begins(what string) {
	if o.Phase != nil {
		o.Phase(what)
	}
}

// Result is what an audit finds.
type Result struct {
	Findings   rule.Findings // in the order of their places
	Omitted    []rule.Omitted
	Unread     []rule.Unread
	Identities []rule.Identity // nil if none were asked for

	// By the text of places: see describe.
	Subjects, Positions map[string]string

	Sets    [3]int           // by subtype
	Digests [rule.Proofs]int // images, by proof

	Audit   *rule.Audit
	Work    int64 // the budget, in bytes
	Records int   // how many things of a kind there may be
}

// runEngine checks rules.
func Run(f *webcapture.File, db *webcapture.Database, opt Options) (*Result, error) {
	r := NewRunner(f, db, opt)
	if err := r.Phases(); err != nil {
		return nil, err
	}
	if err := f.Err(); err != nil {
		return nil, err // what was found by then is not all, and may be much to sort
	}
	opt.begins("sorting findings")
	res := &Result{Digests: r.digests, Audit: r.Audit, Work: r.Budget, Records: r.records}
	for subtype := range r.sets {
		res.Sets[subtype] = int(r.sets[subtype].Load())
	}
	slices.SortFunc(r.verdicts, func(a, b rule.Identity) int { return a.Place.Compare(b.Place) })
	if res.Identities = r.verdicts; r.wantsIdentities() && res.Identities == nil {
		res.Identities = []rule.Identity{} // that they are not known is in unread
	}
	r.report(res)
	return res, r.describe(res)
}

// A run is one audit. It first checks the two trees and their keys, for which no other
// object is needed. Then it goes over the database in six phases, because a million
// content sets are visited fastest in the order in which they lie in the file, and
// because nearly all of them are consistent: what their own dictionary says and what
// their entries say agrees, so that nothing has to be looked up.
//
//  1. values: every object that a value refers to, once. Consistent sets are done
//     then; the others are unresolved, and so are the entries that lead to them.
//  2. unresolvedEntries: each of these entries with all sets of its value.
//  3. unresolvedSets: each of these sets with all entries that lead to it. Those
//     whose value is an array are known by now.
//  4. info: SpiderInfo and its commands.
//  5. document: pages, the images that they show, and the members of sets, if there
//     are rules about the document as a whole.
//  6. identities: each set with its source, if sources are given.
//
// A phase that goes over the budget is dropped as a whole, with those after it.
type Runner struct {
	*rule.Audit
	DB      *webcapture.Database
	opt     Options
	links   *LinkTable
	workers []Worker // of the phases, one after the other

	rules    ruleSet
	visited  object.RefSet   // done in the first phase
	repeated bool            // IDS may have a key twice
	sets     [3]atomic.Int64 // number of sets, by subtype
	Spent    atomic.Int64    // see spend
	Budget   int64
	Over     bool // the budget

	members  []rule.MemberRow
	rows     atomic.Int64 // of members; more than records if there are too many
	records  int          // how many things of a kind there may be
	masks    []object.Ref // soft masks of images
	carriers []rule.Carrier
	digests  [rule.Proofs]int // images, by proof

	found    Found        // by all phases that are done
	phase    Found        // by the one that is running
	count    atomic.Int64 // about how many findings these and the workers have
	findings int64        // how many there may be

	asked     sync.Once    // whether the witness has something
	witnessed *page.Search // in the witness; nil until then

	sourced  []sourcedSet // if identities are wanted
	verdicts []rule.Identity

	pageIndexes map[object.Ref]int // of the pages, from 0; nil unless the document was looked at
}

func NewRunner(f *webcapture.File, db *webcapture.Database, opt Options) *Runner {
	r := &Runner{Audit: &rule.Audit{File: f, Now: opt.Now, Witness: opt.Witness, Prefer: opt.Prefer,
		HasBase: opt.HasBase}, DB: db, opt: opt, found: Found{unread: rule.UnreadOf(f, db)}}
	if r.Witness == nil {
		r.Witness = opt.Source
	}
	if opt.SourceLost {
		r.Witness = nil // what it does not have may be in what is lost
	}
	if r.Now.IsZero() {
		r.Now = time.Now()
	}
	r.Lost.Store(len(r.found.unread) > 0)
	r.found.unread = r.found.undecoded.TakeAll(r.found.unread)
	for _, t := range db.Trees() {
		r.Trees[t.Name] = &rule.Tree{Tree: t, Whole: t.IsWhole()}
	}
	return r
}

// A ruleSet is the rules of a run by what they look at.
type ruleSet struct {
	tree, url, value, set, links []*rule.Rule
	info, identity               []*rule.Rule

	page, image, member, document []*rule.Rule

	drops bool // some rule has fixes that drop elements of O: see keepElements
}

func newRuleSet(list []*rule.Rule) (s ruleSet) {
	for _, r := range list {
		s.drops = s.drops || r.Action == rule.DropMember
		switch {
		case r.CheckTree != nil:
			s.tree = append(s.tree, r)
		case r.CheckURL != nil:
			s.url = append(s.url, r)
		case r.CheckValue != nil:
			s.value = append(s.value, r)
		case r.CheckSet != nil:
			s.set = append(s.set, r)
		case r.CheckLinks != nil:
			s.links = append(s.links, r)
		case r.CheckInfo != nil:
			s.info = append(s.info, r)
		case r.CheckIdentity != nil:
			s.identity = append(s.identity, r)
		default:
			s.addDocument(r)
		}
	}
	return s
}

// addDocument adds a rule about the document as a whole, which may have several
// checks.
func (s *ruleSet) addDocument(r *rule.Rule) {
	if r.CheckPage != nil {
		s.page = append(s.page, r)
	}
	if r.CheckImage != nil {
		s.image = append(s.image, r)
	}
	if r.CheckMember != nil {
		s.member = append(s.member, r)
	}
	if r.CheckDocument != nil {
		s.document = append(s.document, r)
	}
}

func (r *Runner) Phases() error {
	b := r.File.Budget()
	r.Budget, r.findings, r.records = cmp.Or(r.opt.Budget, b.Work), cmp.Or(r.opt.Findings, int64(b.Findings)), b.Records
	if !r.DB.Present() {
		return nil // as it is with most files of an archive
	}
	r.rules = newRuleSet(r.opt.Rules)
	for _, t := range r.DB.Trees() {
		if t.DefectCount(nametree.TooManyDefects) > 0 {
			r.findings = 0 // defects have used it up, and nearly all of them are findings
		}
	}
	r.links = newLinkTable(r.DB.Trees())
	if t := r.Trees[webcapture.IDS]; t != nil {
		r.repeated = t.DefectCount(nametree.DuplicateKey) > 0
	}
	for _, t := range r.Trees {
		if t == nil {
			continue
		}
		r.opt.begins("checking keys of " + t.Name.String())
		if err := r.tree(t); err != nil {
			return err
		}
		if err := r.within(func() error { return r.keys(t) }); err != nil {
			return err
		}
	}
	for _, phase := range []struct {
		what string
		do   func() error
	}{
		{"checking content sets", r.values},
		{"comparing entries with content sets", r.unresolvedEntries},
		{"comparing content sets with entries", r.unresolvedSets},
		{"checking SpiderInfo", r.info},
		{"checking pages and images", r.document},
		{"comparing identifiers with sources", r.identities},
	} {
		r.opt.begins(phase.what)
		if err := r.within(phase.do); err != nil {
			return err
		}
	}
	return nil
}

// A Worker is a goroutine's share of a run.
type Worker struct {
	rule.Pass
	Run   *Runner
	Found Found
	fresh int64 // findings since they were counted

	digests [rule.Proofs]int // images, by proof
	failed  error            // to read the file, which no check can tell its caller

	spent, read int64 // see Spend
	over        bool

	set        rule.Set   // overwritten with every set
	entry      rule.Entry // overwritten with every entry
	unresolved rule.Unresolved
	canon      []byte // scratch
	urls       []int
	ids        []int
	last       sharedValue // the value that was read last

	members  []rule.MemberRow
	masks    []object.Ref
	carriers []rule.Carrier
	sourced  []sourcedSet

	err      error
	panicked any
}

// each calls do for the ranges that [0, n) is cut into, on all cores, and
// gathers what the workers found.
func (r *Runner) each(n int, do func(w *Worker, from, to int) error) error {
	if n == 0 {
		return nil
	}
	var next atomic.Int64
	workers := r.freshWorkers(min(runtime.GOMAXPROCS(0), (n+Chunk-1)/Chunk))
	work := func(w *Worker) {
		// A panic of any worker is the caller's, who may be auditing other files.
		defer func() { w.panicked = recover() }()
		for w.err == nil {
			to := int(next.Add(Chunk))
			from := to - Chunk
			if from >= n {
				return
			}
			if w.err = do(w, from, min(to, n)); w.err != nil {
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
	for i := range workers {
		if w := &workers[i]; w.panicked != nil {
			panic(w.panicked)
		}
		r.gather(&workers[i])
	}
	for i := range workers {
		if err := workers[i].err; err != nil {
			return err // all workers meet the same
		}
	}
	if r.Spent.Load() > r.Budget {
		return ErrBudget
	}
	return nil
}

// gather takes what a worker found in a phase.
func (r *Runner) gather(w *Worker) {
	r.Spent.Add(w.spent)
	if w.err == ErrBudget {
		w.err = nil
	}
	if w.err == nil {
		w.err = w.failed
	}
	r.phase.merge(&w.Found)
	r.members = append(r.members, w.members...)
	r.masks = append(r.masks, w.masks...)
	r.carriers = append(r.carriers, w.carriers...)
	r.sourced = append(r.sourced, w.sourced...)
	for i, n := range w.digests {
		r.digests[i] += n
	}
	r.Unresolved.Sets = append(r.Unresolved.Sets, w.unresolved.Sets...)
	r.Unresolved.Inconsistent = append(r.Unresolved.Inconsistent, w.unresolved.Inconsistent...)
	for t := range w.unresolved.Entries {
		r.Unresolved.Entries[t] = append(r.Unresolved.Entries[t], w.unresolved.Entries[t]...)
	}
}

// freshWorkers returns n workers for a phase. Their readers are those of the phase before, and
// keep what was decoded for it.
func (r *Runner) freshWorkers(n int) []Worker {
	for len(r.workers) < n {
		r.workers = append(r.workers, Worker{Pass: rule.Pass{Reader: r.File.NewReader()}})
	}
	for i := range r.workers {
		reader := r.workers[i].Reader
		w := &r.workers[i]
		*w = Worker{Pass: rule.Pass{DB: r.DB, Reader: reader, Audit: r.Audit, Engine: w}, Run: r,
			read: reader.BytesRead()}
	}
	return r.workers[:n]
}

// Chunk is how many items a worker takes at a time. Large enough that an object
// stream is seldom decoded by two workers, small enough to keep all busy.
const Chunk = 4096
