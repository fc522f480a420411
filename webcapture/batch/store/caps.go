//go:build cloud

package store

import "time"

const (
	// maxWait is how long a store may be silent. The drivers ask again by themselves before that.
	maxWait = time.Minute

	// listed is the number of objects of which a store is asked at once: no store gives more.
	listed = 1000
)
