//go:build !js

package source

import (
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/internal/folder"
	"github.com/webcap-tools/webcap/digest/source/internal/kind"
)

// Kind is a kind of source.
type Kind = kind.Kind

// The kinds of sources; About describes them.
const (
	Folder   = kind.Folder
	WARC     = kind.WARC
	WACZ     = kind.WACZ
	HAR      = kind.HAR
	MHTML    = kind.MHTML
	WWWOFFLE = kind.WWWOFFLE
)

// kinds lists the kinds in the order in which KindOf tries them.
var kinds = func() []kind.Entry {
	list := kind.All()
	for i := range list {
		if e := &list[i]; e.Kind == Folder {
			e.Is = folder.Is
		}
	}
	return list
}()

// Kinds returns the kinds of sources, in alphabetical order.
func Kinds() []Kind {
	var list []Kind
	for _, e := range kinds {
		list = append(list, e.Kind)
	}
	slices.Sort(list)
	return list
}

// SplitSpec splits KIND:PATH. The kind is empty if spec does not begin with the name of a kind, as in C:\folder.
func SplitSpec(spec string) (Kind, string) {
	name, path, ok := strings.Cut(spec, ":")
	if !ok {
		return "", spec
	}
	for _, e := range kinds {
		if string(e.Kind) == name || slices.Contains(e.Aliases, name) {
			return e.Kind, path
		}
	}
	return "", spec
}

// KindOf guesses the kind of the source at a path; empty if it is not a source.
func KindOf(path string) Kind {
	for _, e := range kinds {
		if e.Is(path) {
			return e.Kind
		}
	}
	return ""
}

// openPath opens a source of a kind. If path is a folder, and sources of the kind are files, it opens all of these
// files in the folder. guessed means that the caller of Open gave no kind.
func openPath(e kind.Entry, path string, isDir, guessed bool) (Source, error) {
	switch {
	case e.Kind == Folder:
		return folder.Open(path, guessed)
	case isDir && e.Names != nil:
		return folder.OpenKind(e, path)
	}
	return e.Open(path)
}
