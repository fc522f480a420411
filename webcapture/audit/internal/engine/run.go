package engine

import (
	"cmp"
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
	Embedded   bool          // files embedded in the PDF are sources too
	Prefer     rule.Side     // the user's choice
	Base       rule.Base     // base of relative URLs in the file
	SourceLost bool          // a part of the given sources is missing in Source
	Phase      func(string)  // called at the start of each phase, with its name

	// Only for tests.
	AllUnresolved bool      // treat all content sets as inconsistent
	Budget        int64     // of work; 0 for the default
	Findings      int64     // maximum number of kept findings; 0 for the default
	Now           time.Time // time of the audit; zero for the present
}

func (o *Options) begins(what string) {
	if o.Phase != nil {
		o.Phase(what)
	}
}

// Result is the result of an audit.
type Result struct {
	Findings   rule.Findings // in the order of their places
	Omitted    []rule.Omitted
	Unread     []rule.Unread
	Identities []rule.Identity // nil if no sources are given

	// Descriptions by the text of places; see describe.
	Subjects, Positions map[string]string

	Sets    [3]int           // number of content sets by subtype
	Digests [rule.Proofs]int // number of images by proof

	Audit *rule.Audit
}

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
	res := &Result{Digests: r.digests, Audit: r.Audit}
	for subtype := range r.sets {
		res.Sets[subtype] = int(r.sets[subtype].Load())
	}
	slices.SortFunc(r.verdicts, func(a, b rule.Identity) int { return a.Place.Compare(b.Place) })
	if res.Identities = r.verdicts; r.wantsIdentities() && res.Identities == nil {
		res.Identities = []rule.Identity{} // unread says that they are unknown
	}
	r.report(res)
	return res, r.describe(res)
}

// Runner is one audit. It first checks the two trees and their keys, which needs no other objects. Then it reads the
// database in six phases. A million content sets are read fastest in file order, and nearly all are consistent: a
// content set and its entries agree, so nothing has to be looked up.
//
//  1. values: each object to which a value refers, once. Consistent content sets are
//     finished. The others, and their entries, are recorded as unresolved.
//  2. unresolvedEntries: each unresolved entry with all content sets in its value.
//  3. unresolvedSets: each unresolved content set with all its entries, including those
//     with array values, which are known now.
//  4. info: SpiderInfo and its commands.
//  5. document: pages, the images that they show, and the members of content sets. It
//     runs only if there are rules about the whole document.
//  6. identities: each content set with its source, if sources are given.
//
// A phase that exceeds the budget is dropped as a whole, and the later phases do not run.
type Runner struct {
	*rule.Audit
	DB      *webcapture.Database
	opt     Options
	links   *LinkTable
	workers []Worker // reused by each phase

	rules    ruleSet
	visited  object.RefSet   // objects read in the first phase
	repeated bool            // IDS may have repeated keys
	sets     [3]atomic.Int64 // number of content sets by subtype
	Spent    atomic.Int64    // see Spend
	Budget   int64
	Over     bool // the budget is exceeded

	members  []rule.MemberRow
	rows     atomic.Int64 // rows of members; more than records if there are too many
	records  int          // maximum number of rows in proportion to the file
	masks    []object.Ref // soft masks of images
	carriers []rule.Carrier
	digests  [rule.Proofs]int // images, by proof

	found    Found        // by completed phases
	phase    Found        // by the running phase
	count    atomic.Int64 // approximate number of findings of these and the workers
	findings int64        // maximum number of findings

	sourced  []sourcedSet // content sets to check; only with sources
	verdicts []rule.Identity

	pageIndexes map[object.Ref]int // page indexes from 0; nil if the pages were not read
}

func NewRunner(f *webcapture.File, db *webcapture.Database, opt Options) *Runner {
	r := &Runner{
		Audit: &rule.Audit{File: f, Now: opt.Now, Prefer: opt.Prefer, Base: opt.Base},
		DB:    db, opt: opt, found: Found{unread: rule.UnreadOf(f, db)},
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

// ruleSet holds the rules of an audit by the kind of their checks.
type ruleSet struct {
	tree, url, value, set, links []*rule.Rule
	info, identity               []*rule.Rule

	page, image, member, document []*rule.Rule

	drops bool // some rule has fixes that drop elements of O; see keepElements
}

func newRuleSet(list []*rule.Rule) (s ruleSet) {
	for _, r := range list {
		s.drops = s.drops || r.Action == rule.DropMember
		for _, check := range []struct {
			isSet bool
			rules *[]*rule.Rule
		}{
			{r.CheckTree != nil, &s.tree},
			{r.CheckURL != nil, &s.url},
			{r.CheckValue != nil, &s.value},
			{r.CheckSet != nil, &s.set},
			{r.CheckLinks != nil, &s.links},
			{r.CheckInfo != nil, &s.info},
			{r.CheckIdentity != nil, &s.identity},
			{r.CheckPage != nil, &s.page},
			{r.CheckImage != nil, &s.image},
			{r.CheckMember != nil, &s.member},
			{r.CheckDocument != nil, &s.document},
		} {
			if check.isSet {
				*check.rules = append(*check.rules, r)
			}
		}
	}
	return s
}

func (r *Runner) Phases() error {
	b := r.File.Budget()
	r.Budget, r.findings, r.records = cmp.Or(r.opt.Budget, b.Work), cmp.Or(r.opt.Findings, int64(b.Findings)), b.Records
	if !r.DB.Present() {
		return nil // most files of an archive
	}
	r.rules = newRuleSet(r.opt.Rules)
	for _, t := range r.DB.Trees() {
		if t.DefectCount(nametree.TooManyDefects) > 0 {
			r.findings = 0 // defects have used up the limit, and nearly all are findings
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

// Worker holds the state of one goroutine in a phase.
type Worker struct {
	rule.Pass
	Run   *Runner
	Found Found
	fresh int64 // findings since the last update of the common count

	digests [rule.Proofs]int // number of images by proof
	failed  error            // error in reading the file, see Fail

	spent, read int64 // see Spend
	over        bool

	set        rule.Set   // reused for each content set
	entry      rule.Entry // reused for each entry
	unresolved rule.Unresolved
	canon      []byte // scratch buffer
	urls       []int
	ids        []int
	last       sharedValue // last read value

	members  []rule.MemberRow
	masks    []object.Ref
	carriers []rule.Carrier
	sourced  []sourcedSet

	err      error
	panicked any
}

// each divides [0, n) into ranges, calls do for them on all cores, and collects the workers' findings.
func (r *Runner) each(n int, do func(w *Worker, from, to int) error) error {
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
			return err // such an error is the same for all workers
		}
	}
	if r.Spent.Load() > r.Budget {
		return ErrBudget
	}
	return nil
}

// gather collects a worker's findings of a phase.
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

// freshWorkers returns n workers for a phase. They reuse the readers of the previous phase, with their decoded streams.
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

// Chunk is the number of items in a range for one worker. It is large enough that two workers rarely decode the same
// object stream, and small enough to keep all workers busy.
const Chunk = 4096
