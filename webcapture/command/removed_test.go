package command

import (
	"os"
	"testing"
)

// TestRemovedNames: a name that webcap no longer has gives one line with the replacement, and no suggestion.
func TestRemovedNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct{ line, want string }{
		{"merge a.ndjson b.ndjson", "webcap: webcap merge was removed; use webcap report"},
		{"config", "webcap: webcap config was removed; use webcap audit -v"},
		{"name find site.pdf", "webcap: webcap name was removed; use webcap audit, "},
		{"source stats a.warc", "webcap: webcap source stats was removed; use webcap source list"},
		{"audit --shard 1/2 in", "webcap: audit: --shard was removed; use --files-from"},
		{"audit --shard=1/2 in", "webcap: audit: --shard was removed; use --files-from"},
		{"--shard 1/2 audit in", "webcap: --shard was removed; use --files-from"},
		{"list --dedupe in", "webcap: list: --dedupe was removed; use --files-from "},
		{"audit --source a.warc --source-index idx in", "webcap: audit: --source-index was removed; use --source "},
		{"audit --strict in", "webcap: audit: --strict was removed; use --fail-on"},
		{"rewrite --full --salvage a.pdf -o b.pdf", "webcap: rewrite: --salvage was removed; use qpdf or mutool "},
		{"digest --check list", "webcap: digest: --check was removed; use md5sum --check"},
		{"rewrite --source a.warc a.pdf", "webcap: rewrite: --source was removed; use webcap audit --source, which verifies; "},
		{"audit -f parquet in", "webcap: audit: the format parquet was removed; use ndjson"},
		{"audit -o parquet:out in", "webcap: audit: -o parquet:out: the format parquet was removed; use ndjson"},
		{"list -f parquet in", "webcap: list: the format parquet was removed; use ndjson"},
		{"cluster work --for html", "webcap: cluster work: --for was removed; use cluster results -f"},
		{"worker", "webcap: webcap worker was removed; use webcap audit --files-from - -f ndjson"},
		{"cluster run --store s in", "webcap: webcap cluster run was removed; use webcap audit --journal, or "},
		{"cluster serve --store s", "webcap: webcap cluster serve was removed; use nats-server: docs/many-files.md"},
		{"cluster cancel a", "webcap: webcap cluster cancel was removed; use webcap cluster rm"},
		{"cluster purge a", "webcap: webcap cluster purge was removed; use webcap cluster rm"},
		{"cluster submit --upload in", "webcap: cluster submit: --upload was removed; use a shared file system"},
		{"cluster submit --lease 60s in", "webcap: cluster submit: --lease was removed; use no option: a silent worker"},
		{"cluster work --metrics :1", "webcap: cluster work: --metrics was removed; use the monitoring of nats-server"},
		{"cluster status --watch", "webcap: cluster status: --watch was removed; use watch webcap cluster status"},
		{"audit -j 2 --quiet in", "webcap: audit: --quiet was removed; use no option: only files with problems are listed"},
		{"audit --no-config in", "webcap: audit: --no-config was removed; use --config none"},
		{"report -f gitlab a.json", "webcap: report: the format gitlab was removed; use junit"},
		{"audit s3://bucket/a.pdf", "webcap: audit: s3://bucket/a.pdf: s3:// was removed; use the path of a mounted bucket"},
		{"find http://h/ gs://bucket/", "webcap: find: gs://bucket/: gs:// was removed; use the path of a mounted bucket"},
		{"keys s3://bucket/a.pdf", "webcap: keys: s3://bucket/a.pdf: s3:// was removed; "},
		{"diff a.pdf azblob://b/a.pdf", "webcap: diff: azblob://b/a.pdf: azblob:// was removed; "},
		{"rewrite s3://bucket/a.pdf", "webcap: rewrite: s3://bucket/a.pdf: s3:// was removed; "},
		{"digest s3://bucket/a.gif", "webcap: digest: s3://bucket/a.gif: s3:// was removed; "},
	} {
		t.Run(tt.line, func(t *testing.T) { checkWrongLine(t, tt.line, tt.want) })
	}
	if err := os.WriteFile(configName, []byte("exit-zero: true\nstrict: true\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	checkWrongLine(t, "audit in", "webcap: audit: .webcap.yaml:2: --strict was removed; use --fail-on")
	t.Setenv("WEBCAP_DEDUPE", "true")
	checkWrongLine(t, "audit in", "webcap: audit: WEBCAP_DEDUPE: --dedupe was removed; use --files-from ")
	t.Setenv("WEBCAP_DEDUPE", "") // counts as unset
	checkWrongLine(t, "audit --config none", "webcap: audit: name at least one file or folder")
}

// TestRemovedNamesAreGone: no name in the table is that of a command or an option.
func TestRemovedNamesAreGone(t *testing.T) {
	app := (&program{}).app()
	for _, c := range app.Commands {
		if text := removed("webcap " + c.Name); text != "" {
			t.Error(text)
		}
		for _, f := range c.Flags {
			if text := removedOption(c.Name, f.Names()[0]); text != "" {
				t.Errorf("webcap %s: %s", c.Name, text)
			}
		}
	}
	for _, name := range formatNames() {
		if text := removed("the format " + name); text != "" {
			t.Error(text)
		}
	}
}
