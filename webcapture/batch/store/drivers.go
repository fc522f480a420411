//go:build cloud

package store

// The drivers of the supported stores.
import (
	_ "gocloud.dev/blob/azureblob" // azblob
	_ "gocloud.dev/blob/fileblob"  // file
	_ "gocloud.dev/blob/gcsblob"   // gs
	_ "gocloud.dev/blob/memblob"   // mem
	_ "gocloud.dev/blob/s3blob"    // s3
)
