package pdffile

// Repair opens the bytes of f again without the file's own cross-reference data,
// because of found, which becomes a notice. No Reader and no object that came of f
// may be used any more; when Repair fails, f can only be closed.
func (f *File) Repair(passwords []string, found error) error {
	err := f.open(Options{Passwords: passwords, Repair: true})
	if err == nil {
		f.notice("%v", found)
	}
	return err
}
