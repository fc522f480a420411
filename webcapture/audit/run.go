package audit

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Options says how to audit. The zero value suits most.
type Options struct {
	Password string  // for encrypted files
	Rules    []*Rule // the rules to check; nil for all

	// Database is that of the file, for callers of Run that have read it already;
	// nil for the others.
	Database *webcapture.Database

	// Only says which values to look at, by what entries refer to as their value;
	// nil for all. Then the keys, values and content sets of the other entries are
	// left out, and so are rules about the document as a whole. Rules about trees
	// see all of them, and so does whatever is looked up.
	Only func(value object.Ref) bool

	// Source has what was retrieved from URLs: the ID of every content set is held
	// against what it has. With Embedded, so it is against the files that are
	// embedded in the PDF (7.11.4). Nil and false leave Report.Identities nil.
	Source   source.Source
	Embedded bool

	// Outline asks for Report.Outline, which is of the database as a whole.
	Outline bool

	allLoud bool      // for tests: take the long way for every set
	budget  int64     // for tests: see budgetFor; 0 for the usual one
	now     time.Time // for tests: when the audit takes place; zero for the present
}

// File audits the PDF at path. A file whose cross-reference data turns out not
// to lead to its objects is read again with repair. The error says that the file
// could not be read; its findings are in the Report.
func File(path string, opt Options) (*Report, error) {
	return reopen(opt, func(o webcapture.Options) (*webcapture.File, error) { return webcapture.Open(path, o) }, path)
}

// Bytes audits the PDF that data holds, under the name path.
func Bytes(path string, data []byte, opt Options) (*Report, error) {
	return reopen(opt, func(o webcapture.Options) (*webcapture.File, error) { return webcapture.New(data, o) }, path)
}

func reopen(opt Options, open func(webcapture.Options) (*webcapture.File, error), path string) (*Report, error) {
	rep, damage, err := once(webcapture.Options{Password: opt.Password}, opt, open)
	if damage {
		found := err
		if rep, _, err = once(webcapture.Options{Password: opt.Password, Repair: true}, opt, open); err == nil {
			rep.Notices = append(rep.Notices, found.Error())
		}
	}
	if err != nil {
		return nil, err
	}
	rep.Path = path
	return rep, nil
}

// once opens and audits a file. It reports whether the error is one that
// opening the file with repair may overcome.
func once(o webcapture.Options, opt Options, open func(webcapture.Options) (*webcapture.File, error)) (rep *Report, damage bool, err error) {
	f, err := open(o)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	rep, err = Run(f, opt)
	return rep, webcapture.IsDamage(err) && !f.Repaired(), err
}

// Run audits an open file. The Report keeps nothing of the file: it may be used
// after the file is closed.
func Run(f *webcapture.File, opt Options) (*Report, error) {
	db := opt.Database
	if db == nil {
		var err error
		if db, err = f.Database(); err != nil {
			return nil, err
		}
	}
	rep := &Report{Facts: f.Facts(db)}
	r := &run{file: f, db: db, opt: opt, now: opt.now, unread: UnreadOf(f, db)}
	if r.now.IsZero() {
		r.now = time.Now()
	}
	r.lost.Store(len(r.unread) > 0)
	for _, t := range db.Trees() {
		r.trees[t.Name] = &Tree{t}
	}
	if err := r.all(); err != nil {
		return nil, err
	}
	rep.PageSets, rep.ImageSets, rep.OtherSets = int(r.sets[webcapture.PageSet].Load()), int(r.sets[webcapture.ImageSet].Load()), int(r.sets[webcapture.NoSubtype].Load())
	rep.DigestsVerified, rep.DigestsDiffer, rep.DigestsUnchecked = r.digests[Verified], r.digests[Mismatch], r.digests[NotCheckable]
	slices.SortFunc(r.proven, func(a, b Identity) int { return a.Place.Compare(b.Place) })
	if rep.Identities = r.proven; r.wantsIdentities() && rep.Identities == nil {
		rep.Identities = []Identity{} // that they are not known is in Unread
	}
	slices.SortFunc(r.findings, Finding.compare)
	rep.Findings = slices.CompactFunc(r.findings, func(a, b Finding) bool { return a.compare(b) == 0 })
	slices.SortFunc(r.unread, func(a, b Unread) int {
		return cmp.Or(a.Place.Compare(b.Place), cmp.Compare(a.Err.Error(), b.Err.Error()))
	})
	rep.Unread = slices.CompactFunc(r.unread, func(a, b Unread) bool {
		return a.Place.Compare(b.Place) == 0 && a.Err.Error() == b.Err.Error()
	})
	if opt.Outline {
		var err error
		if rep.Outline, err = r.outline(rep); err != nil {
			return nil, err
		}
	}
	return rep, nil
}

// UnreadOf returns what of the file as a whole could not be read, and what is in the
// way to the trees: that something is missing then says nothing of what the file
// holds, or once held.
func UnreadOf(f *webcapture.File, db *webcapture.Database) []Unread {
	var all []Unread
	for _, err := range f.Unread() {
		all = append(all, Unread{Place: Place{Part: "file"}, Err: err})
	}
	ref, _ := db.Catalog.Lookup("Names").Ref()
	if err := lostNames(f, db); err != nil {
		all = append(all, Unread{Ref: ref, Err: err})
	}
	return all
}

// lostNames returns why the name dictionary cannot be read; nil if it can, or if
// there is none.
func lostNames(f *webcapture.File, db *webcapture.Database) error {
	names := db.Catalog.Lookup("Names")
	ref, isRef := names.Ref()
	malformed := func(reason string) error { return &object.Malformed{Ref: ref, Reason: reason} }
	switch {
	case db.NamesErr != nil:
		return db.NamesErr
	case names.IsNull() || db.Names.Raw() != nil:
		return nil
	case !isRef || db.NamesKind != object.Null:
		return malformed(fmt.Sprintf("the name dictionary is %s", article(db.NamesKind)))
	case f.Repaired():
		return malformed("the name dictionary is not in what is left of the file")
	}
	return malformed("the name dictionary is not in the file")
}

// A run is one audit. It goes over the database in three rounds, because a
// million content sets are visited fastest in the order in which they lie in
// the file, and most of them are quiet: what their own dictionary says and what
// their entries say agrees, so that nothing has to be looked up.
//
//  1. Trees and keys, and every object that a value refers to, once. Quiet sets
//     are done then; the others are loud, and so are the entries that lead to them.
//  2. Every loud entry with all sets of its value.
//  3. Every loud set with all entries that lead to it: those whose value is an
//     array are known by now.
type run struct {
	file  *webcapture.File
	db    *webcapture.Database
	opt   Options
	trees [webcapture.TreeCount]*Tree // nil if the file has no such tree
	links *linkTable

	rules      ruleSet
	visited    []uint64            // bits by object number: done in the first round
	visitedGen map[object.Ref]bool // the same for generations other than 0
	repeated   bool                // IDS may have a key twice
	sets       [3]atomic.Int64     // number of sets, by subtype
	spent      atomic.Int64        // see spend
	budget     int64
	over       bool // the budget
	now        time.Time
	commands   commandList

	members  []membership
	lost     atomic.Bool  // a set, or what leads to it, could not be read
	masks    []object.Ref // soft masks of images
	digests  [proofs]int  // images, by proof
	findings []Finding

	identified []identified // if identities are wanted
	proven     []Identity
	unread     []Unread
	loud       loud
}

// A ruleSet is the rules of a run by what they look at.
type ruleSet struct {
	tree, value, set, links []*Rule
	info, identity          []*Rule

	page, image, member, document []*Rule

	entry [webcapture.TreeCount][]*Rule
}

func newRuleSet(list []*Rule) (s ruleSet) {
	for _, r := range list {
		switch {
		case r.CheckTree != nil:
			s.tree = append(s.tree, r)
		case r.CheckURL != nil:
			s.entry[webcapture.URLS] = append(s.entry[webcapture.URLS], r)
		case r.CheckID != nil:
			s.entry[webcapture.IDS] = append(s.entry[webcapture.IDS], r)
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
func (s *ruleSet) addDocument(r *Rule) {
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

// loud is what a round leaves to the next.
type loud struct {
	entries [webcapture.TreeCount][]int // indexes
	sets    []object.Ref
}

func (r *run) all() error {
	list := r.opt.Rules
	if list == nil {
		list = rules
	}
	r.rules = newRuleSet(list)
	r.budget = r.budgetFor()
	r.links = newLinkTable(r.db.Trees())
	if t := r.trees[webcapture.IDS]; t != nil {
		r.repeated = len(t.defects(nametree.DuplicateKey, nametree.TooManyDefects)) > 0
	}
	for _, t := range r.trees {
		if t == nil {
			continue
		}
		if err := r.tree(t); err != nil {
			return err
		}
		if err := r.within(func() error { return r.keys(t) }); err != nil {
			return err
		}
	}
	for _, round := range []func() error{r.values, r.loudEntries, r.loudSets, r.info, r.document, r.identities} {
		if err := r.within(round); err != nil {
			return err
		}
	}
	return nil
}

// chunk is how many items a worker takes at a time. Large enough that an object
// stream is seldom decoded by two workers, small enough to keep all busy.
const chunk = 4096

// A worker is a goroutine's share of a run.
type worker struct {
	Pass
	set   Set   // overwritten with every set
	entry Entry // overwritten with every entry
	loud  loud
	canon []byte // scratch
	urls  []int
	ids   []int
	last  shared // the value that was read last

	members    []membership
	masks      []object.Ref
	identified []identified
}

// each calls do for the ranges that [0, n) is cut into, on all cores, and
// gathers what the workers found.
func (r *run) each(n int, do func(w *worker, from, to int) error) error {
	if n == 0 {
		return nil
	}
	var next atomic.Int64
	workers := make([]worker, min(runtime.GOMAXPROCS(0), (n+chunk-1)/chunk))
	errs := make([]error, len(workers))
	panics := make([]any, len(workers))
	work := func(i int) {
		// A panic of any worker is the caller's, who may be auditing other files.
		defer func() { panics[i] = recover() }()
		w := &workers[i]
		w.Pass = Pass{DB: r.db, Reader: r.file.NewReader(), run: r}
		errs[i] = r.file.Guard(func() error {
			for {
				to := int(next.Add(chunk))
				from := to - chunk
				if from >= n {
					return nil
				}
				if err := do(w, from, min(to, n)); err != nil {
					next.Store(int64(n))
					return err
				}
			}
		})
	}
	var wg sync.WaitGroup
	for i := 1; i < len(workers); i++ {
		wg.Go(func() { work(i) })
	}
	work(0)
	wg.Wait()
	for i := range workers {
		if panics[i] != nil {
			panic(panics[i])
		}
		w := &workers[i]
		r.spent.Add(w.spent)
		if errs[i] == errBudget {
			errs[i] = nil
		}
		if errs[i] == nil {
			errs[i] = w.failed
		}
		r.findings = append(r.findings, w.findings...)
		r.unread = append(r.unread, w.unread...)
		r.members = append(r.members, w.members...)
		r.masks = append(r.masks, w.masks...)
		r.identified = append(r.identified, w.identified...)
		for i, n := range w.digests {
			r.digests[i] += n
		}
		r.loud.sets = append(r.loud.sets, w.loud.sets...)
		for t := range w.loud.entries {
			r.loud.entries[t] = append(r.loud.entries[t], w.loud.entries[t]...)
		}
	}
	for _, err := range errs {
		if err != nil {
			return err // all workers meet the same
		}
	}
	if r.spent.Load() > r.budget {
		return errBudget
	}
	return nil
}
