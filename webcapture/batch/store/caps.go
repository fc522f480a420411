//go:build cloud

package store

import "time"

const (
	// maxWait is the maximum time without a response of a store. Drivers retry before that.
	maxWait = time.Minute

	// listed is the number of objects to list in one request: all stores allow as many.
	listed = 1000
)
