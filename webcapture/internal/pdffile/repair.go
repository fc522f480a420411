package pdffile

// Repair opens the bytes of f again without the cross-reference data. The reason, found, becomes a notice. Earlier
// Readers and objects of f must not be used any more. If Repair fails, f can only be closed.
func (f *File) Repair(passwords []string, found error) error {
	err := f.open(Options{Passwords: passwords, WithoutXRef: true})
	if err == nil {
		f.notice("%v", found)
	}
	return err
}
