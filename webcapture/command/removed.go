package command

import (
	"maps"
	"os"
	"slices"
	"strings"
)

// removedNames maps names that webcap no longer has to what replaces them: commands, options, formats, and kinds of
// paths. An option may follow the only command that had it. An option of audits also stands for its configuration key
// and its environment variable.
var removedNames = map[string]string{
	"webcap config":       "webcap audit -v",
	"webcap merge":        "webcap report",
	"webcap name":         "webcap audit, which checks unique names",
	"webcap source stats": "webcap source list",
	"webcap worker":       "webcap audit --files-from - -f ndjson",

	"webcap cluster cancel": "webcap cluster rm",
	"webcap cluster purge":  "webcap cluster rm",
	"webcap cluster run":    "webcap audit --journal, or nats-server and webcap cluster submit",
	"webcap cluster serve":  "nats-server: docs/many-files.md",

	"cluster status --watch":    "watch webcap cluster status",
	"cluster submit --chunk":    "no option: a chunk has up to 500 inputs",
	"cluster submit --for":      "cluster results -f: results now have what each format needs",
	"cluster submit --lease":    "no option: a silent worker is replaced after 30s",
	"cluster submit --replicas": "no option: three servers keep three copies",
	"cluster submit --upload":   "a shared file system, or a mounted bucket",
	"cluster work --for":        "cluster results -f: results now have what each format needs",
	"cluster work --metrics":    "the monitoring of nats-server",

	"--color":             "the environment variables NO_COLOR and CLICOLOR_FORCE",
	"--enable":            "--only and --disable: on the command line, they replace the lists of the configuration",
	"--no-config":         "--config none",
	"--no-recurse":        "a pattern, such as \"folder/*.pdf\"",
	"--notes":             "-v, which lists all files and notes",
	"--quiet":             "no option: only files with problems are listed",
	"--canonical-sources": "webcap canon, which shows the canonical form: a URL in a content set need not have it",
	"--dedupe":            "--files-from with one path of each content",
	"--salvage":           "qpdf or mutool to recover a damaged file",
	"--shard":             "--files-from",
	"--source-index":      "--source alone: webcap scans sources, and needs no index",
	"--strict":            "--fail-on",
	"digest --check":      "md5sum --check",
	"export --cdxj":       "-o FILE.cdxj",

	"list --tree": "webcap keys",

	"rewrite --source": "webcap audit --source, which verifies; sources decide no repair",

	"the format gitlab":  "junit",
	"the format parquet": "ndjson",
	"the format premis":  "json",

	"azblob://": mountedBucket,
	"gs://":     mountedBucket,
	"s3://":     mountedBucket,
}

const mountedBucket = "the path of a mounted bucket: docs/many-files.md"

// removed returns a sentence about a name that webcap no longer has, or "" for any other name.
func removed(name string) string {
	use, ok := removedNames[name]
	if !ok {
		return ""
	}
	return name + " was removed; use " + use
}

// removedOption is like removed, for an option of a command.
func removedOption(command, name string) string {
	if text := removed(command + " --" + name); text != "" {
		return strings.TrimPrefix(text, command+" ")
	}
	return removed("--" + name)
}

// unknownFormat returns the error for an unknown value of an option whose values are formats.
func unknownFormat(command, option, name string, formats []string) error {
	if text := removed("the format " + name); text != "" {
		return usagef(command, "%s", text)
	}
	return usagef(command, "--%s must be %s, not %q%s", option, either(formats), name, didYouMean(name, "", formats))
}

// removedStores returns an error if a path is the URL of an object, such as s3://bucket/site.pdf.
func removedStores(command string, paths ...string) error {
	for _, path := range paths {
		scheme, _, _ := strings.Cut(path, "://")
		if text := removed(strings.ToLower(scheme) + "://"); text != "" {
			return usagef(command, "%s: %s", path, text)
		}
	}
	return nil
}

// removedVariables returns an error if an environment variable sets an option that webcap no longer has.
func removedVariables() error {
	for _, name := range slices.Sorted(maps.Keys(removedNames)) {
		option, ok := strings.CutPrefix(name, "--")
		if ok && os.Getenv(variable(option)) != "" {
			return configErrorf(variable(option), "%s", removed(name))
		}
	}
	return nil
}
