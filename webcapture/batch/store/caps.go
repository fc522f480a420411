//go:build cloud

package store

import "time"

const (
	// maxWait is the maximum time without a response of a store. Drivers retry before that.
	maxWait = time.Minute

	// listed is the number of objects to list in one request: the maximum of all stores.
	listed = 1000
)
