package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
)

// Fingerprints returns a name for each finding of a record, by which it is known
// again in the results of another day: made of the rule, the path below base, the
// key and the identifier of the content set, and of no object number. The names
// of a record differ from each other.
func Fingerprints(r *Record, base string) []string {
	if r.Report == nil {
		return nil
	}
	path := r.Path
	if abs, err := filepath.Abs(path); err == nil && base != "" {
		if rel, err := filepath.Rel(base, abs); err == nil {
			path = rel
		}
	}
	seen := map[string]int{}
	list := make([]string, len(r.Report.Findings))
	for i, f := range r.Report.Findings {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d", path, f.Rule.ID, f.Message, seen[f.Rule.ID+f.Message]))
		seen[f.Rule.ID+f.Message]++
		list[i] = hex.EncodeToString(sum[:16])
	}
	return list
}
