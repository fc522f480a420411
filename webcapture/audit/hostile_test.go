package audit

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit/internal/engine"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A hostile document makes an audit that is not careful take time that grows
// with the square of n.
type hostile struct {
	name string
	make func(n int) *webcapturetest.Document
}

func id16(i int) string    { return fmt.Sprintf("<%032x>", i) }
func urlOf(i int) string   { return fmt.Sprintf("(http://a.example/%08d)", i) }
func refTo(num int) string { return strconv.Itoa(num) + " 0 R" }

// repeatText returns the results of f for 0 to n-1, each with a blank after it.
func repeatText(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
		b.WriteByte(' ')
	}
	return b.String()
}

// A database is a document under construction; url and id add entries to its trees.
type database struct {
	*webcapturetest.Document
	urls, ids strings.Builder
}

func newDatabase() *database { return &database{Document: new(webcapturetest.Document)} }

func (d *database) url(key, value string) { fmt.Fprintf(&d.urls, "%s %s ", key, value) }
func (d *database) id(key, value string)  { fmt.Fprintf(&d.ids, "%s %s ", key, value) }

func (d *database) set(id, o, si string) string {
	return refTo(d.Add("<< /S /SPS /ID " + id + " /O " + o + " /SI " + si + " >>"))
}

func au(i int) string { return "<< /AU " + urlOf(i) + " >>" }

func (d *database) done() *webcapturetest.Document {
	names := "<< "
	if d.urls.Len() > 0 {
		names += "/URLS " + refTo(d.Add("<< /Names [ "+d.urls.String()+"] >>"))
	}
	if d.ids.Len() > 0 {
		names += " /IDS " + refTo(d.Add("<< /Names [ "+d.ids.String()+"] >>"))
	}
	d.Root = d.Add("<< /Type /Catalog /Names " + names + " >> /SpiderInfo << /V 1.25 >> >>")
	return d.Document
}

var hostiles = []hostile{
	{"one key n times", func(n int) *webcapturetest.Document {
		d := newDatabase()
		for range n {
			d.url(urlOf(0), d.set(id16(1), "[ ]", au(0)))
			d.id(id16(1), refTo(1))
		}
		return d.done()
	}},
	{"one key n times, one set", func(n int) *webcapturetest.Document {
		d := newDatabase()
		s := d.set(id16(1), "[ ]", au(0))
		for range n {
			d.url(urlOf(0), s)
			d.id(id16(1), s)
		}
		return d.done()
	}},
	{"n keys share an array of n sets", func(n int) *webcapturetest.Document {
		d := newDatabase()
		array := refTo(d.Reserve())
		d.Set(1, "[ "+repeatText(n, func(i int) string { return d.set(id16(i), "[ ]", au(i)) })+"]")
		for i := range n {
			d.url(urlOf(i), array)
			d.id(id16(i), array)
		}
		return d.done()
	}},
	{"one key, an array of n sets", func(n int) *webcapturetest.Document {
		d := newDatabase()
		array := refTo(d.Reserve())
		d.Set(1, "[ "+repeatText(n, func(i int) string { return d.set(id16(1), "[ ]", au(0)) })+"]")
		d.url(urlOf(0), array)
		d.id(id16(1), array)
		return d.done()
	}},
	{"n sets name a key with an array of n sets", func(n int) *webcapturetest.Document {
		d := newDatabase()
		array := refTo(d.Reserve())
		s := d.set(id16(n), "[ ]", au(0))
		d.Set(1, "[ "+repeatText(n, func(int) string { return s })+"]")
		d.url(urlOf(0), array)
		for i := range n {
			d.url(urlOf(i+1), d.set(id16(i), "[ ]", "[ "+au(0)+" "+au(i+1)+" ]"))
		}
		return d.done()
	}},
	{"n keys to one set with n sources", func(n int) *webcapturetest.Document {
		d := newDatabase()
		s := d.set(id16(1), "[ ]", "[ "+repeatText(n, au)+"]")
		for i := range n {
			d.url(urlOf(i), s)
		}
		d.id(id16(1), s)
		return d.done()
	}},
	{"n keys to one set with n sources elsewhere", func(n int) *webcapturetest.Document {
		d := newDatabase()
		s := d.set(id16(1), "[ ]", "[ "+repeatText(n, func(i int) string { return au(n + i) })+"]")
		for i := range n {
			d.url(urlOf(i), s)
		}
		d.id(id16(1), s)
		return d.done()
	}},
	{"n arrays of a set with n sources", func(n int) *webcapturetest.Document {
		d := newDatabase()
		s := d.set(id16(1), "[ ]", "[ "+repeatText(n, au)+"]")
		for i := range n {
			d.url(urlOf(i), "[ "+s+" ]")
		}
		return d.done()
	}},
	{"n identifiers of a set with n sources", func(n int) *webcapturetest.Document {
		d := newDatabase()
		s := d.set(id16(1), "[ ]", "[ "+repeatText(n, au)+"]")
		for i := range n {
			d.id(id16(i), s)
		}
		return d.done()
	}},
	{"n sets share an SI array of n", func(n int) *webcapturetest.Document {
		d := newDatabase()
		si := refTo(d.Add("[ " + repeatText(n, au) + "]"))
		for i := range n {
			d.url(urlOf(i), d.set(id16(i), "[ ]", si))
		}
		return d.done()
	}},
	{"n sets share an alias with n chains", func(n int) *webcapturetest.Document {
		d := newDatabase()
		a := refTo(d.Add("<< /U " + urlOf(0) + " /C [ " + repeatText(n, func(i int) string { return "[ " + urlOf(i+1) + " ]" }) + "] >>"))
		for i := range n {
			d.url(urlOf(i), d.set(id16(i), "[ ]", "<< /AU "+a+" >>"))
		}
		return d.done()
	}},
	{"one alias with n chains that are one", func(n int) *webcapturetest.Document {
		d := newDatabase()
		chain := refTo(d.Add("[ " + repeatText(n, urlOf) + "]"))
		d.url(urlOf(0), d.set(id16(1), "[ ]", "<< /AU << /U "+urlOf(0)+" /C [ "+repeatText(n, func(int) string { return chain })+"] >> >>"))
		return d.done()
	}},
	{"n sources that are one alias with n chains", func(n int) *webcapturetest.Document {
		d := newDatabase()
		source := refTo(d.Add("<< /AU << /U " + urlOf(0) + " /C [ " + repeatText(n, func(i int) string { return "[ " + urlOf(i) + " ]" }) + "] >> >>"))
		d.url(urlOf(0), d.set(id16(1), "[ ]", "[ "+repeatText(n, func(int) string { return source })+"]"))
		return d.done()
	}},
	{"n sets of n shared members, not in IDS", func(n int) *webcapturetest.Document {
		d := newDatabase()
		page := refTo(d.Add("<< /Type /Page >>"))
		o := refTo(d.Add("[ " + repeatText(n, func(int) string { return page }) + "]"))
		d.id(id16(n+1), d.set(id16(n+1), "[ ]", au(n+1)))
		for i := range n {
			d.url(urlOf(i), d.set(id16(i), o, au(i)))
		}
		return d.done()
	}},
	{"n sets with a huge member, not in IDS", func(n int) *webcapturetest.Document {
		d := newDatabase()
		page := refTo(d.Add("<< /Type /Page " + repeatText(n, func(i int) string { return fmt.Sprintf("/X%d 0", i) }) + ">>"))
		d.id(id16(n+1), d.set(id16(n+1), "[ ]", au(n+1)))
		for i := range n {
			d.url(urlOf(i), d.set(id16(i), "[ "+page+" ]", au(i)))
		}
		return d.done()
	}},
	{"n sets with a huge string for an ID", func(n int) *webcapturetest.Document {
		d := newDatabase()
		id := refTo(d.Add("(" + strings.Repeat("x", 16*n) + ")"))
		for i := range n {
			d.id(id16(i), d.set(id, "[ ]", au(i)))
		}
		return d.done()
	}},
	{"a huge set before n others with its ID", func(n int) *webcapturetest.Document {
		d := newDatabase()
		array := refTo(d.Reserve())
		big := d.set(id16(1), "[ ]", "[ "+repeatText(n, au)+"]")
		d.Set(1, "[ "+big+" "+repeatText(n, func(i int) string { return d.set(id16(1), "[ ]", au(i)) })+"]")
		d.id(id16(1), array)
		return d.done()
	}},
	{"n spellings of one URL", func(n int) *webcapturetest.Document {
		d := newDatabase()
		s := d.set(id16(1), "[ ]", au(0))
		for i := range n {
			d.url(fmt.Sprintf("(http://a.example/00000000#%08d)", i), s)
		}
		return d.done()
	}},
	{"n non-canonical keys, n copies of their form", func(n int) *webcapturetest.Document {
		d := newDatabase()
		s := d.set(id16(1), "[ ]", au(0))
		for i := range n {
			d.url(fmt.Sprintf("(http://a.example/00000000#%08d)", i), s)
			d.url(urlOf(0), s)
		}
		return d.done()
	}},
	{"n references to references", func(n int) *webcapturetest.Document {
		d := newDatabase()
		at := d.set(id16(1), "[ ]", au(0))
		for range 14 {
			at = refTo(d.Add(at))
		}
		for i := range n {
			d.url(urlOf(i), refTo(d.Add(at)))
		}
		return d.done()
	}},
	{"one array, its element an array of n arrays", func(n int) *webcapturetest.Document {
		d := newDatabase()
		inner := refTo(d.Add("[ " + repeatText(n, func(int) string { return "[ ]" }) + "]"))
		array := refTo(d.Add("[ " + repeatText(n, func(int) string { return inner }) + "]"))
		d.url(urlOf(0), array)
		return d.done()
	}},
	{"n keys lead to a huge dictionary", func(n int) *webcapturetest.Document {
		d := newDatabase()
		huge := refTo(d.Add("<< " + repeatText(n, func(i int) string { return fmt.Sprintf("/X%d 0", i) }) + ">>"))
		for i := range n {
			d.url(urlOf(i), huge)
		}
		return d.done()
	}},
	{"n long keys to n sources", func(n int) *webcapturetest.Document {
		d := newDatabase()
		key := "(http://a.example/" + strings.Repeat("../a/", n/40) + ")"
		k := refTo(d.Add(key))
		for i := range n {
			d.url(k, d.set(id16(i), "[ ]", "<< /AU "+k+" >>"))
		}
		return d.done()
	}},
}

// TestHostile makes sure that an audit with a small budget always has the same report: what it omits does not depend on
// the order of the work.
func TestHostile(t *testing.T) {
	const n = engine.Chunk + 900 // for two workers
	for _, h := range webcapturetest.Sample(3, hostiles) {
		t.Run(h.name, func(t *testing.T) {
			data := h.make(n).Bytes(plainLayout)
			var first *Report
			for _, procs := range []int{1, 4} {
				rep := auditWith(t, procs, data, Options{budget: 4 << 20})
				if first == nil {
					first = rep
				}
				sameReport(t, first, rep)
			}
		})
	}
}

// TestHonest makes sure that databases which are large in one way or another,
// but share nothing that they need not share, stay within the budget.
func TestHonest(t *testing.T) {
	for _, row := range []struct {
		name string
		make func() *webcapturetest.Document
	}{
		{"one set with many sources", func() *webcapturetest.Document {
			return hostileNamed(t,
				"n keys to one set with n sources")(10_000)
		}},
		{"many captures of one URL", func() *webcapturetest.Document {
			d := newDatabase()
			array := refTo(d.Reserve())
			d.Set(1, "[ "+repeatText(2000, func(i int) string {
				s := d.set(id16(i), "[ ]", au(0))
				d.id(id16(i), s)
				return s
			})+"]")
			d.url(urlOf(0), array)
			return d.done()
		}},
		{"everything that Sets can make", func() *webcapturetest.Document {
			return webcapturetest.Sets(5000,
				webcapturetest.Options{Leaf: 64, IndirectKeys: true, Images: 2, Shared: 3, Mirrors: 5, Aliases: 7,
					Commands: 10})
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			rep := auditBytes(t, row.make().Bytes(plainLayout), Options{allDeferred: true})
			if len(rep.Unread) > 0 {
				t.Errorf("unread: %s", unreadLines(rep))
			}
			for _, f := range rep.Findings {
				if id := f.Rule.ID; id != "WC121" && id != "WC407" {
					t.Fatal(f)
				}
			}
		})
	}
}

func hostileNamed(t *testing.T, name string) func(n int) *webcapturetest.Document {
	for _, h := range hostiles {
		if h.name == name {
			return h.make
		}
	}
	t.Fatalf("no hostile document %q", name)
	return nil
}

// TestHostileByHand prints how long the hostile documents take: for a quarter
// of WEBCAP_HOSTILE items, half, and all.
func TestHostileByHand(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("WEBCAP_HOSTILE"))
	if n == 0 {
		t.Skip("WEBCAP_HOSTILE is not set")
	}
	for _, h := range hostiles {
		var times []time.Duration
		var size, findings, unread int
		for _, k := range []int{n / 4, n / 2, n} {
			data := h.make(k).Bytes(plainLayout)
			start := time.Now()
			rep := auditBytes(t, data, Options{})
			times = append(times, time.Since(start).Round(time.Millisecond))
			size, findings, unread = len(data), len(rep.Findings), len(rep.Unread)
		}
		fmt.Printf("%-45s %8.1f MB %8d findings %d unread %v\n", h.name, float64(size)/1e6, findings, unread, times)
	}
}
