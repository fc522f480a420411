package report

import (
	"fmt"
	"slices"
	"strings"
)

// ofRun are the options that affect the exit code and the outputs of a run, but not its records. A run that joins
// the records has its own exit code and outputs.
var ofRun = []string{"exit-zero", "allow-empty", "fail-on", "output"}

// Join returns one head for the results of several readers, with all configurations. Records of all readers refer to
// its rules afterwards. Join fails if the audits had different versions, sources, or rules, because their findings
// would not be comparable. Its error has the name of a reader.
func Join(names []string, readers []*Reader) (Head, error) {
	first := readers[0].head
	h := first
	h.Configuration = nil
	for i, r := range readers {
		if why := differentAudit(r.head, first); why != "" {
			return Head{}, fmt.Errorf("the results cannot be joined: %s has %s", names[i], why)
		}
		for _, clause := range r.head.Configuration {
			option, _, _ := strings.Cut(clause, " ")
			if !slices.Contains(ofRun, option) && !slices.Contains(h.Configuration, clause) {
				h.Configuration = append(h.Configuration, clause)
			}
		}
		if r.head.Directory != first.Directory { // the paths are relative to different folders
			h.Directory = ""
		}
		r.rules = readers[0].rules
	}
	for _, r := range readers {
		if h.Directory == "" {
			r.directory = r.head.Directory
		}
	}
	return h, nil
}
