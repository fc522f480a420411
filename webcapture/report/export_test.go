package report

// all has the formats of report/format, which tests of this package cannot import.
var all []Format

// SetFormats sets the formats for the tests of this package.
func SetFormats(list []Format) { all = list }

// allFormats returns all formats, with the files of a folder in place of the folder.
func allFormats() (list []Format) {
	for _, f := range all {
		if f.Files == nil {
			list = append(list, f)
		}
		list = append(list, f.Files...)
	}
	return list
}
