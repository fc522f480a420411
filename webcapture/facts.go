package webcapture

// Facts are what is known of a file before any content set is read.
type Facts struct {
	Size      int64  // of the file in bytes
	Version   string // of PDF
	Encrypted bool
	Repaired  bool     // objects were found without the file's own cross-reference data
	Notices   []string // what was wrong with the file's structure, and did not keep it from being read

	// Present says whether the catalog holds anything of Web Capture. If not,
	// there is nothing to look at, which is not the same as nothing wrong.
	Present   bool
	HasURLS   bool
	HasIDS    bool
	URLS, IDS int // entries
}

// Facts returns the facts of the file and its database.
func (f *File) Facts(db *Database) Facts {
	facts := Facts{
		Size: f.Size(), Version: db.Version, Encrypted: f.Encrypted(), Repaired: f.Repaired(), Notices: f.Notices(),
		Present: db.Present(), HasURLS: db.URLS != nil, HasIDS: db.IDS != nil,
	}
	for _, t := range db.Trees() {
		if t.Name == URLS {
			facts.URLS = t.Len()
		} else {
			facts.IDS = t.Len()
		}
	}
	return facts
}
