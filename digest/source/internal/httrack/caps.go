package httrack

const (
	// maxCacheDirectory is the maximum size of the directory of an HTTrack cache. The directory has an entry of some
	// hundred bytes for each URL of a mirror.
	maxCacheDirectory = 16 << 20
)
