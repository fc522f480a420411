package canon

import "bytes"

// Diagnosis says how a key came to be other than canonical.
type Diagnosis struct {
	// the first of the profiles that are not of PDF to leave the key as it is; nil if they all change it
	Profile *Profile
	Skipped []Step // the steps of PDF that would still change the key, never empty
}

// Diagnose looks into a key that is not canonical by PDF; ok is false if it is. Profile is a guess, as little is left
// to tell: it says that a program which reduces URLs that way may have written the key. Faehnri is never guessed, as it
// leaves nearly every URL as it is.
func Diagnose(key []byte) (d Diagnosis, ok bool) {
	changes := PDF.Changes(key)
	if changes == 0 {
		return d, false
	}
	for _, s := range PDF.Steps() {
		if changes.Has(s.Letter) {
			d.Skipped = append(d.Skipped, s)
		}
	}
	var form []byte
	for _, p := range Profiles() {
		if !p.telling {
			continue
		}
		if form = p.Append(form[:0], key); bytes.Equal(form, key) {
			d.Profile = p
			break
		}
	}
	return d, true
}
