package diff

import "github.com/webcap-tools/webcap/webcapture"

// CompareOnce compares two files like Compare, but never repairs them. It returns an error together with the file that
// the error is about.
func CompareOnce(a, b *webcapture.File) (*Result, *webcapture.File, error) {
	files := [2]*webcapture.File{a, b}
	res, of, err := compare(files)
	if err == nil {
		return res, nil, nil
	}
	return res, files[of], err
}
