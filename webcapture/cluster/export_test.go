package cluster

import "time"

// Tune sets a short lease and small chunks for a test.
func Tune(l time.Duration, inputs int) { lease, chunkInputs = l, inputs }
