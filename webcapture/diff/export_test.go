package diff

import "github.com/webcap-tools/webcap/webcapture"

// CompareOnce compares two files like Compare, but never repairs them. It returns an error together with the file that
// the error is about.
func CompareOnce(a, b *webcapture.File) (*Result, *webcapture.File, error) {
	res, of, err := compare(&input{file: a}, &input{file: b})
	if of == nil {
		return res, nil, err
	}
	return res, of.file, err
}
