package store_test

import (
	"testing"

	"github.com/webcap-tools/webcap/webcapture/batch/store"
)

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		path           string
		isName, prefix bool
	}{
		{"s3://bucket/key.pdf", true, false},
		{"s3://bucket", true, true},
		{"s3://bucket/", true, true},
		{"gs://bucket/a/", true, true},
		{"azblob://c/a/?domain=x/y", true, true},
		{"azblob://c/a.pdf?domain=x/", true, false},
		{"file:///a/b.pdf", true, false},
		{"mem://b/a/b.pdf", true, false},
		{"https://example.com/a.pdf", false, false},
		{"s3:/bucket/key.pdf", false, false},
		{"a/s3://b", false, false},
		{"S3://b/k", false, false},
		{"", false, false},
	} {
		if got := store.IsName(tt.path); got != tt.isName {
			t.Errorf("IsName(%q) = %v", tt.path, got)
		}
		if got := store.IsPrefix(tt.path); tt.isName && got != tt.prefix {
			t.Errorf("IsPrefix(%q) = %v", tt.path, got)
		}
	}
}
