package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// scale returns the size of an input: quick in a quick run, otherwise full.
func (b *bench) scale(full, quick int) int {
	if b.quick {
		return quick
	}
	return full
}

// own returns a task of webcap. The exit code for findings counts as success.
func (b *bench) own(name string, args ...string) task {
	return task{name: name, command: append([]string{b.webcap}, args...), codes: []int{1}}
}

// peer returns a task of another program. args are appended to the command of the program.
func (b *bench) peer(program, does string, args ...string) task {
	p := b.programs[program]
	t := task{name: program + ": " + does, peer: true, command: append(slices.Clone(p.command), args...)}
	if p.version == "" {
		t.missing = program
	}
	return t
}

// printing returns the task t with a check: the task succeeds only if it prints the text want.
func printing(want string, t task) task {
	t.want = want
	return t
}

// columnOf returns a column. Its tasks process all items, unless they have their own number of items.
func columnOf(items int, tasks ...task) column {
	for i := range tasks {
		if tasks[i].items == 0 {
			tasks[i].items = items
		}
	}
	return column{items, tasks}
}

// questions returns the questions of the page, in order. Each has a table.
func (b *bench) questions() (list []question, err error) {
	for _, make := range []func() (question, error){b.audits, b.smallFiles, b.largeFiles, b.urls, b.commands} {
		q, err := make()
		if err != nil {
			return nil, err
		}
		list = append(list, q)
	}
	return list, nil
}

func (b *bench) audits() (question, error) {
	sizes := []int{1_000, 10_000, 100_000, 1_000_000}
	if b.quick {
		sizes = []int{100, 1_000}
	}
	q := question{title: "An audit", unit: "a set"}
	for _, n := range sizes {
		table, err := b.auditTasks("table", n)
		if err != nil {
			return q, err
		}
		streams, err := b.auditTasks("objstm", n)
		if err != nil {
			return q, err
		}
		for i := range streams {
			streams[i].name += inStreams
			streams[i].base = len(table)
		}
		q.columns = append(q.columns, columnOf(n, append(table, streams...)...))
	}
	largest := sizes[len(sizes)-1]
	q.intro = fmt.Sprintf("A walk reads both trees: each key, and the URL or ID of its content set, without any check. The largest "+
		"file has %d MB with a classic cross-reference table, and %d MB with object streams.",
		size(b.path("table", largest))>>20, size(b.path("objstm", largest))>>20)
	return q, nil
}

// inStreams is the suffix of the names of tasks whose file has object streams.
const inStreams = ", object streams"

func (b *bench) auditTasks(kind string, n int) ([]task, error) {
	path, err := b.input(kind, n)
	walks := fmt.Sprintf("%d entries, 0 unlike", 2*n)
	return []task{
		printing(fmt.Sprintf("%d URLS, %d IDS", n, n), b.own("webcap: `audit`", "audit", path)),
		printing(walks, b.peer("mutool", "a walk", "run", "testdata/bench/walk.js", path)),
		printing(walks, b.peer("pikepdf", "a walk", path)),
		printing(walks, b.peer("PDFBox", "a walk", path)),
		b.peer("pdfcpu", "`ValidateFile`", path),
		printing("No syntax", b.peer("qpdf", "`--check`", "--check", path)),
	}, err
}

func (b *bench) commands() (question, error) {
	n := b.scale(1_000_000, 1_000)
	path, err := b.input("objstm", n)
	if err != nil {
		return question{}, err
	}
	broken, err := b.input("broken", n)
	if err != nil {
		return question{}, err
	}
	found := "http://www.example.org/archive/00000007/index.html?rev=0"
	miss := b.own("`find`, a URL that is not there", "find", "http://www.example.org/none", path)
	miss.codes = append(miss.codes, 4)
	return question{
		title: "Other commands",
		intro: "They read the largest file with object streams, or a file with as many content sets and a classic table, " +
			"in which each key of IDS is damaged as by pdfcpu optimize. No other program does this work.",
		unit: "a set",
		columns: []column{columnOf(n,
			b.own("webcap: `audit`", "audit", path),
			b.own("`audit --only trees,urls,ids`", "audit", "--only", "trees,urls,ids", path),
			b.own("`audit`, results as NDJSON, with SHA-256", "audit", "-f", "ndjson", path),
			b.own("`list`", "list", "--timeout", "0", path),
			b.own("`list`, results as NDJSON", "list", "--timeout", "0", "-f", "ndjson", path),
			printing("found: ", b.own("`find`, a URL that a viewer finds", "find", found, path)),
			printing("not found", miss),
			b.own("`diff` of the file with itself", "diff", "--timeout", "0", path, path),
			b.own("`audit`, each key damaged", "audit", "--timeout", "0", broken),
			b.own("`rewrite -o`, each key damaged", "rewrite", "--timeout", "0", broken,
				"-o", filepath.Join(b.work, "repaired.pdf")),
		)}}, nil
}

func (b *bench) smallFiles() (question, error) {
	n := b.scale(10_000, 50)
	paths := map[string]string{}
	for _, kind := range []string{"small", "stored", "deflated"} {
		var err error
		if paths[kind], err = b.input(kind, n); err != nil {
			return question{}, err
		}
	}
	some, err := filepath.Glob(filepath.Join(paths["small"], "*.pdf"))
	if err != nil {
		return question{}, err
	}
	some = some[:min(len(some), b.scale(500, 5))]
	pdfcpu := b.peer("pdfcpu", fmt.Sprintf("`ValidateFile`, one process, %d files", len(some)), some...)
	pdfcpu.items = len(some)
	withJournal := b.own("`audit --journal`")
	withJournal.command = []string{"sh", "-c", `rm -f "$1"; exec "$2" audit --journal "$1" "$3"`, "sh",
		filepath.Join(b.work, "journal"), b.webcap, paths["small"]}
	tasks := []task{
		printing(fmt.Sprint(n, " clean"), b.own("webcap: `audit` of a folder", "audit", paths["small"])),
		withJournal,
		b.own("`audit` of a zip file, stored", "audit", paths["stored"]),
		b.own("`audit` of a zip file, deflated", "audit", paths["deflated"]),
		b.own("`list` of a folder, NDJSON", "list", "-f", "ndjson", paths["small"]),
		pdfcpu,
	}
	base := len(tasks)
	for _, t := range []task{
		b.own("webcap: `audit`", "audit"),
		b.peer("qpdf", "`--check`", "--check"),
		b.peer("mutool", "`info`", "info"),
	} {
		// start a process for each file, as a script does
		script := `n=$1; shift; for f in "${@:n+1}"; do "${@:1:n}" "$f" || exit; done`
		t.command = append([]string{"bash", "-c", script, "bash", fmt.Sprint(len(t.command))}, append(t.command, some...)...)
		t.name += fmt.Sprintf(", %d processes", len(some))
		t.items, t.base = len(some), base
		tasks = append(tasks, t)
	}
	return question{
		title: "Small files",
		intro: fmt.Sprintf("%s captures of one to eight pages, %d kB each on average. With a process for each file, the start of the "+
			"program is most of the time.", thousands(n), size(paths["small"])/int64(n)>>10),
		unit:    "a file",
		columns: []column{columnOf(n, tasks...)},
	}, nil
}

func (b *bench) largeFiles() (question, error) {
	n, count := b.scale(200, 2), b.scale(140, 2)
	images, err := b.input("images", count)
	if err != nil {
		return question{}, err
	}
	warc, err := b.input("warc", n)
	if err != nil {
		return question{}, err
	}
	named := warc + ".warc.gz" // warcio needs this name
	if err := os.Link(warc, named); err != nil && !os.IsExist(err) {
		return question{}, err
	}
	tasks := []task{
		printing(": clean", b.own("webcap: `audit` of images", "audit", images)),
		b.own("`audit` of images, results as NDJSON", "audit", "-f", "ndjson", images),
		b.peer("md5sum", "the file", images),
		b.peer("sha256sum", "the file", images),
		b.peer("pdfcpu", "`ValidateFile`", images),
		b.peer("qpdf", "`--check`", "--check", images),
	}
	for i := range tasks {
		tasks[i].items = int(size(images) >> 20)
	}
	base := len(tasks)
	for _, t := range []task{
		b.own("webcap: `source list`, a WARC file", "source", "list", named),
		b.peer("gunzip", "`-c`, a WARC file", "-c", named),
		b.peer("warcio.js", "reads each record", named),
		b.peer("warcio", "`index`", named),
	} {
		t.base = base
		tasks = append(tasks, t)
	}
	return question{
		title: "Large files",
		intro: fmt.Sprintf("One page with %d images, %d MB. An audit computes the MD5 of each image; NDJSON also has the SHA-256 of the file. The "+
			"WARC file has %d MB of pages in %d MB; each record is compressed by itself, and gunzip only inflates them.", count,
			size(images)>>20, n, size(warc)>>20),
		unit:    "a MB",
		columns: []column{columnOf(n, tasks...)},
	}, nil
}

func (b *bench) urls() (question, error) {
	n := b.scale(5_000_000, 5_000)
	path, err := b.input("urls", n)
	if err != nil {
		return question{}, err
	}
	from := func(t task) task { t.stdin = path; return t }
	return question{
		title: "Canonical URLs",
		intro: fmt.Sprintf("%s URLs, one a line, %d MB. Each program reads them and writes a form of each. Only webcap writes keys "+
			"of URLS.", thousands(n), size(path)>>20),
		unit: "a URL",
		columns: []column{columnOf(n,
			from(b.own("webcap: `canon`", "canon")),
			from(b.own("`canon --profile hyvatti`", "canon", "--profile", "hyvatti")),
			from(b.peer("net/url", "parsed and written")),
			from(b.peer("purell", "`FlagsSafe`")),
			from(b.peer("whatwg-url", "parsed and written")),
			from(b.peer("Node.js", "`URL`")),
			from(b.peer("Python", "`urllib.parse`")),
		)}}, nil
}
