package httrack

const (
	// maxCacheDirectory is that of the cache of HTTrack, which has an entry for each URL of a
	// mirror, of some hundred bytes.
	maxCacheDirectory = 16 << 20
)
