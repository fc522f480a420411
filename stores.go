//go:build cloud

package main

// The stores that names of objects may lead to, beside those of package store.
import (
	_ "gocloud.dev/blob/azureblob"
	_ "gocloud.dev/blob/gcsblob"
	_ "gocloud.dev/blob/s3blob"
)
