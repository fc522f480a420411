package canon

import "bytes"

// Diagnosis says why a key is not canonical.
type Diagnosis struct {
	// first of the profiles of WWWOFFLE and Hyvatti that leaves the key unchanged; nil if all of them change it
	Profile *Profile
	Skipped []Step // steps of PDF that would still change the key, never empty
}

// Diagnose explains why a key is not canonical under PDF; ok is false if the key is canonical. The Profile of d is a
// guess: a program that reduces URLs in this way may have written the key. It is never Faehnri, which leaves nearly all
// URLs unchanged, nor SURT.
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
