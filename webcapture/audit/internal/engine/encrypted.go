package engine

import (
	"fmt"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// encryptedTwice records whether strings of content sets are encrypted twice, as PDFBox leaves them. Then IDs and URLs
// are noise, and nothing about them can be checked. The proof is a URL that is only readable if it is decrypted again.
func (r *Runner) encryptedTwice() (twice bool, err error) {
	if !r.File.Encrypted() {
		return false, nil
	}
	const maxSets, maxTries = 64, 4
	reader := r.File.NewReader()
	sets, tries := 0, 0
	for c, err := range r.File.Contents(r.DB).All(reader) {
		if err := object.IgnoreMalformed(err); err != nil {
			return false, err
		}
		if sets++; sets > maxSets || tries == maxTries || c.Set == nil {
			break
		}
		for _, s := range c.Set.Sources {
			if !s.AU.OK() || isURL(s.AU.Bytes) {
				continue
			}
			tries++
			plain, ok := r.File.DecryptAgain(s.AU.Bytes, isURL)
			if !ok {
				continue
			}
			at := rule.Place{Set: c.Ref}
			r.found.Unread = append(r.found.Unread, rule.Unread{Place: at, Ref: c.Ref, Err: &object.Malformed{Ref: c.Ref,
				Reason: fmt.Sprintf("strings are encrypted twice, so IDs and URLs cannot be read: decrypted again, the URL is "+
					"%s; decrypt an original, and encrypt it with another tool", rule.Short(nametree.Key(plain)))}})
			return true, reader.Settle()
		}
	}
	return false, reader.Settle()
}

// isURL reports whether b is an absolute URL. A short one may be noise that looks like a URL, so it does not count.
func isURL(b []byte) bool {
	const enough = 20
	for _, c := range b {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return len(b) >= enough && len(canon.Split(b).Scheme) > 0
}
