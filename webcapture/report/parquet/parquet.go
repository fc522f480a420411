// Package parquet writes the results of audits as Parquet files.
//
// The files are tables for DuckDB, Spark, pandas, and other programs that query a collection with SQL. Each file
// has one table and its own writer. docs/tables.md describes the columns, which are the fields of the row types
// here. Text is UTF-8, escaped as in JSON; keys are bytes without escapes. The metadata at the end of a file names the
// program, and says whether the results are complete or why not.
//
// Package report does not include this package, because the Parquet module imports net.
package parquet

import (
	"encoding/hex"
	"io"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Format is the format of results.
var Format = report.Format{Name: "parquet", Doc: "a folder of tables, for DuckDB and its like", Files: []report.Format{
	{Name: "inputs.parquet", SHA256: true, New: newInputs},
	{Name: "findings.parquet", SHA256: true, New: newFindings, Entries: true},
	{Name: "entries.parquet", SHA256: true, New: newEntries, Entries: true},
}}

// Sizes of the parts of a Parquet file.
const (
	// rowGroup is the number of rows in a group. Readers read or skip whole groups; DuckDB reads each group in one
	// thread.
	rowGroup = 1 << 17

	// pageBytes is the size of a page of a column before compression. It is smaller than usual, because each sorted
	// run holds a page of each column in memory.
	pageBytes = 32 << 10

	// batchRows is the number of rows passed to the Parquet module at once.
	batchRows = 512
)

// A rowWriter writes the rows of a table.
type rowWriter[T any] interface {
	Write([]T) (int, error)
	SetKeyValueMetadata(key, value string)
	Close() error
}

// A tableWriter writes records as rows of a table.
type tableWriter[T any] struct {
	to   rowWriter[T]
	rows func(r *report.Record, add func(T))
	opt  report.Options

	tally report.Tally

	batch []T
	err   error
}

// newTableWriter returns a tableWriter that keeps the order of rows.
func newTableWriter[T any](w io.Writer, o report.Options, rows func(*report.Record, func(T))) *tableWriter[T] {
	return &tableWriter[T]{to: parquet.NewGenericWriter[T](w, tableOptions()...), rows: rows, opt: o}
}

func tableOptions() []parquet.WriterOption {
	return []parquet.WriterOption{
		parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(rowGroup), parquet.PageBufferSize(pageBytes),
		parquet.CreatedBy("webcap", "", ""), parquet.DataPageStatistics(true),
	}
}

// Add writes the rows of a record.
func (t *tableWriter[T]) Add(r *report.Record) error {
	t.tally.Add(r)
	t.rows(r, t.add)
	return t.err
}

func (t *tableWriter[T]) add(row T) {
	if t.batch = append(t.batch, row); len(t.batch) == batchRows {
		t.flush()
	}
}

func (t *tableWriter[T]) flush() {
	if t.err == nil {
		_, t.err = t.to.Write(t.batch)
	}
	clear(t.batch)
	t.batch = t.batch[:0]
}

// Close writes the end of the file.
func (t *tableWriter[T]) Close(end report.End) error {
	t.flush()
	if t.err != nil {
		return t.err
	}
	t.to.SetKeyValueMetadata("webcap.version", jsondoc.Text(t.opt.Version))
	t.to.SetKeyValueMetadata("webcap.complete", strconv.FormatBool(end == report.Complete))
	if text := t.tally.ConfigurationText(&t.opt.Head); text != "" {
		t.to.SetKeyValueMetadata("webcap.configuration", text)
	}
	if end != report.Complete {
		t.to.SetKeyValueMetadata("webcap.end", end.String())
	}
	return t.to.Close()
}

// An inputRow is an input with its outcome.
type inputRow struct {
	Path    string   `parquet:"path"`
	Archive *string  `parquet:"archive,optional,dict"`
	Member  *string  `parquet:"member,optional"`
	Outcome string   `parquet:"outcome,dict"`
	Reason  *string  `parquet:"reason,optional"`
	Size    *int64   `parquet:"size,optional"`
	SHA256  *string  `parquet:"sha256,optional"`
	Seconds *float64 `parquet:"seconds,optional"`

	// Only for an audited file.
	Version   *string `parquet:"pdf_version,optional,dict"`
	Encrypted *bool   `parquet:"encrypted,optional"`
	Repaired  *bool   `parquet:"repaired,optional"`
	Producer  *string `parquet:"producer,optional,dict"`
	Creator   *string `parquet:"creator,optional,dict"`

	// Only for a file with a content database.
	URLS      *int64 `parquet:"urls,optional"`
	IDS       *int64 `parquet:"ids,optional"`
	PageSets  *int64 `parquet:"page_sets,optional"`
	ImageSets *int64 `parquet:"image_sets,optional"`

	Errors   *int64 `parquet:"errors,optional"`
	Warnings *int64 `parquet:"warnings,optional"`
	Notes    *int64 `parquet:"notes,optional"`
	Ignored  *int64 `parquet:"ignored,optional"`
	Unread   *int64 `parquet:"unread,optional"`

	Verified     *int64 `parquet:"verified,optional"`
	Mismatch     *int64 `parquet:"mismatch,optional"`
	NotCheckable *int64 `parquet:"not_checkable,optional"`

	EntriesLeft *int64 `parquet:"entries_left,optional"`
}

// newInputs returns a writer of inputs.parquet.
func newInputs(w io.Writer, o report.Options) report.Writer {
	return newTableWriter(w, o, func(r *report.Record, add func(inputRow)) { add(inputRowOf(r)) })
}

func inputRowOf(r *report.Record) inputRow {
	archive, member := inArchive(r)
	row := inputRow{
		Path: jsondoc.Text(r.Path), Archive: archive, Member: member,
		Outcome: r.Outcome().String(), Reason: OrNull(jsondoc.Text(r.Reason())), Size: OrNull(r.Size),
		SHA256: OrNull(r.SHA256), Seconds: OrNull(r.Seconds),
	}
	rep := r.Report
	if rep == nil {
		return row
	}
	row.Version, row.Encrypted, row.Repaired = new(jsondoc.Text(rep.Version)), &rep.Encrypted, &rep.Repaired
	row.Producer, row.Creator = OrNull(jsondoc.Text(rep.Producer)), OrNull(jsondoc.Text(rep.Creator))
	if row.Size == nil {
		row.Size = OrNull(rep.Size) // if digests were not requested, only the report has the size
	}
	if len(rep.Unread) > 0 {
		row.Reason = OrNull(jsondoc.Text(phrase.Unread(rep.Unread[0])))
	}
	row.Errors, row.Warnings, row.Notes = number(rep.Count(rule.Error)), number(rep.Count(rule.Warning)),
		number(rep.Count(rule.Note))
	row.Ignored, row.Unread = number(len(r.Ignored)), number(len(rep.Unread))
	if rep.HasURLS {
		row.URLS = number(rep.URLS)
	}
	if rep.HasIDS {
		row.IDS = number(rep.IDS)
	}
	if rep.Present {
		row.PageSets, row.ImageSets = number(rep.PageSets), number(rep.ImageSets)
	}
	if rep.Present && rep.Identities != nil {
		verified, mismatch, notCheckable := rep.Proofs()
		row.Verified, row.Mismatch, row.NotCheckable = number(verified), number(mismatch), number(notCheckable)
	}
	if rep.Entries != nil {
		row.EntriesLeft = number(rep.Entries.Left)
	}
	return row
}

func number(n int) *int64 { return new(int64(n)) }

// inArchive returns the archive of an input, and its name in the archive. Both are nil if the input is not in an
// archive.
func inArchive(r *report.Record) (archive, member *string) {
	if r.Archive == "" || len(r.Path) <= len(r.Archive) {
		return nil, nil
	}
	return new(jsondoc.Text(r.Archive)), new(jsondoc.Text(r.Path[len(r.Archive)+1:]))
}

// fileColumns identifies the file of a row, in tables with many rows for each file.
type fileColumns struct {
	Path    string  `parquet:"path,dict"`
	Archive *string `parquet:"archive,optional,dict"`
	Member  *string `parquet:"member,optional,dict"`
	SHA256  *string `parquet:"sha256,optional,dict"`
}

func fileColumnsOf(r *report.Record) fileColumns {
	archive, member := inArchive(r)
	return fileColumns{jsondoc.Text(r.Path), archive, member, OrNull(r.SHA256)}
}

// A findingRow is a finding, which may be ignored.
type findingRow struct {
	fileColumns
	Rule    string  `parquet:"rule,dict"`
	Level   string  `parquet:"level,dict"`
	Place   string  `parquet:"place"`
	Tree    *string `parquet:"tree,optional,dict"`
	Key     *[]byte `parquet:"key,optional"`
	Set     *uint32 `parquet:"content_set,optional"`
	URL     *string `parquet:"url,optional"`
	Message string  `parquet:"message"`
	Fix     *string `parquet:"fix,optional,dict"`
	Ignored *string `parquet:"ignored,optional,dict"` // reason why the finding is ignored; null if it is not
}

// newFindings returns a writer of findings.parquet.
func newFindings(w io.Writer, o report.Options) report.Writer {
	return newTableWriter(w, o, findingRows)
}

func findingRows(r *report.Record, add func(findingRow)) {
	if r.Report == nil {
		return
	}
	of := findingRow{fileColumns: fileColumnsOf(r)}
	urls := urlsOfSets(r)
	for _, f := range r.Report.Findings.All() {
		add(of.with(&f, urls))
	}
	for i := range r.Ignored {
		row := of.with(&r.Ignored[i].Finding, urls)
		row.Ignored = new(jsondoc.Text(r.Ignored[i].Reason))
		add(row)
	}
}

// with returns a copy of the row with the columns of a finding.
func (of findingRow) with(f *rule.Finding, urls map[object.Ref]string) findingRow {
	of.Rule, of.Level, of.Message = jsondoc.Text(f.Rule.ID), f.Level().String(), jsondoc.Text(f.Message)
	of.Place = jsondoc.Text(f.Place.String())
	of.Tree, of.Set = OrNull(jsondoc.Text(f.Place.Tree)), OrNull(f.Place.Set.Num)
	if f.Place.Key != "" {
		of.Key = new([]byte(f.Place.Key))
	}
	if of.URL = OrNull(urls[f.Place.Set]); f.Place.Tree == webcapture.URLS.String() && f.Place.Key != "" {
		of.URL = OrNull(canonical(string(f.Place.Key)))
	}
	if f.Fix != nil {
		of.Fix = OrNull(f.Fix.Action.String())
	}
	return of
}

// urlsOfSets returns the canonical URLs of the content sets that have findings. It needs the entries of the trees,
// which are listed only on request.
func urlsOfSets(r *report.Record) map[object.Ref]string {
	if r.Report.Entries == nil {
		return nil
	}
	urls := map[object.Ref]string{}
	for i := range r.Report.Findings.Len() {
		urls[r.Report.Findings.Place(i).Set] = ""
	}
	for i := range r.Ignored {
		urls[r.Ignored[i].Place.Set] = ""
	}
	delete(urls, object.Ref{})
	if len(urls) == 0 {
		return nil
	}
	for e := range r.Report.Entries.All() {
		if known, wanted := urls[e.Set]; wanted && known == "" {
			urls[e.Set] = canonical(e.URL)
		}
	}
	return urls
}

func canonical(url string) string { return jsondoc.Text(canon.URL(url)) }

// An entryRow is an entry of a tree with one of its content sets.
type entryRow struct {
	Host *string `parquet:"host,optional,dict"`
	URL  *string `parquet:"url,optional"`
	fileColumns
	Tree      string     `parquet:"tree,dict"`
	Key       []byte     `parquet:"key"`
	Set       *uint32    `parquet:"content_set,optional"`
	Kind      *string    `parquet:"kind,optional,dict"`
	ID        *string    `parquet:"id,optional"` // hexadecimal
	Created   *time.Time `parquet:"created,optional,timestamp(millisecond)"`
	Retrieved *time.Time `parquet:"retrieved,optional,timestamp(millisecond)"`
	Expires   *time.Time `parquet:"expires,optional,timestamp(millisecond)"`
}

// newEntries returns a writer of entries.parquet. The rows of all inputs are sorted by host and URL, so that rows
// with the same host are contiguous.
func newEntries(w io.Writer, o report.Options) report.Writer {
	return &tableWriter[entryRow]{to: newSortedWriter[entryRow](w, sortedRows, entryOrder()), rows: entryRows, opt: o}
}

func entryOrder() (by []parquet.SortingColumn) {
	for _, column := range []string{"host", "url", "path", "tree", "key", "content_set"} {
		by = append(by, parquet.Ascending(column))
	}
	return by
}

func entryRows(r *report.Record, add func(entryRow)) {
	if r.Report == nil || r.Report.Entries == nil {
		return
	}
	of := entryRow{fileColumns: fileColumnsOf(r)}
	for e := range r.Report.Entries.All() {
		row := of
		row.Tree, row.Key = e.Tree.String(), []byte(e.Key)
		row.Set, row.ID = OrNull(e.Set.Num), OrNull(hex.EncodeToString([]byte(e.ID)))
		row.Kind = OrNull(e.Kind())
		row.Created, row.Retrieved, row.Expires = OrNull(e.Created), OrNull(e.Retrieved), OrNull(e.Expires)
		url := e.URL
		if e.Tree == webcapture.URLS {
			url = string(e.Key)
		}
		if e.Tree == webcapture.URLS || url != "" {
			row.setURL(url)
		}
		add(row)
	}
}

// setURL sets the URL of the row, and its host if there is one.
func (row *entryRow) setURL(raw string) {
	url := canon.URL(raw)
	row.URL = new(jsondoc.Text(url))
	if parts := canon.Split([]byte(url)); len(parts.Host) > 0 {
		row.Host = new(jsondoc.Text(string(parts.Host)))
	}
}
