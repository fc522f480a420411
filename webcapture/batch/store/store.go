// Package store finds PDF files in object stores, and reads them in parts.
//
//	for o, err := range store.Find(ctx, "s3://bucket/2024/") {
//		f, err := webcapture.OpenRemote(o, webcapture.Options{})
//		…
//	}
//
// It does so where the program is built with the tag cloud. Where it is not, it knows which
// names are those of objects, and Find says what is missing.
package store

import (
	"errors"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture"
)

// schemes are what the names of objects begin with.
var schemes = []string{"azblob", "file", "gs", "mem", "s3"}

// IsName reports whether a path is the name of an object, or of all that are below it.
func IsName(path string) bool {
	scheme, _, ok := strings.Cut(path, "://")
	return ok && slices.Contains(schemes, scheme)
}

// IsPrefix reports whether the name of an object is that of all below it.
func IsPrefix(name string) bool {
	name, _, _ = strings.Cut(name, "?")
	_, rest, _ := strings.Cut(name, "://")
	return !strings.Contains(rest, "/") || strings.HasSuffix(rest, "/")
}

// An Object is one object of a store. It is safe for concurrent use.
type Object interface {
	webcapture.Remote

	// Name returns what Find finds the object by.
	Name() string
}

// ErrNotBuilt is the error of a program that knows no object stores.
var ErrNotBuilt = errors.New("built without object stores: build with -tags cloud")
