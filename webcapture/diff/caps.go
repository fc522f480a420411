package diff

const (
	// maxShownContent is in bytes: the decoded content of a page that is compared. Longer content counts as content
	// that cannot be read.
	maxShownContent = 32 << 20
)
