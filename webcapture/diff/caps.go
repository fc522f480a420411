package diff

const (
	// maxShownContent is the maximum size in bytes of decoded page content that is compared. Longer content counts as
	// unreadable.
	maxShownContent = 32 << 20
)
