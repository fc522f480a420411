package capture

import (
	"errors"
	"iter"
	"path/filepath"
	"strings"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Join returns a Source that searches several sources, in order. The original of a revisit in one of them may be in any
// other source. Closing the joined Source closes all sources.
func Join(sources ...Source) Source {
	var list joined
	for _, s := range sources {
		if inner, ok := s.(joined); ok {
			list = append(list, inner...)
		} else {
			list = append(list, s)
		}
	}
	var all []*table
	for _, s := range list {
		if x, ok := s.(*Index); ok {
			all = append(all, x.table)
		}
	}
	for i, s := range list {
		if x, ok := s.(*Index); ok {
			list[i] = &Index{x.table, all, x.meter}
		}
	}
	return list
}

// joined is several sources.
type joined []Source

func (j joined) Lookup(url string) iter.Seq2[*Candidate, error] {
	return j.each(func(s Source) iter.Seq2[*Candidate, error] { return s.Lookup(url) })
}

func (j joined) LookupAlike(url string) iter.Seq2[*Candidate, error] {
	return j.each(func(s Source) iter.Seq2[*Candidate, error] { return s.LookupAlike(url) })
}

func (j joined) List(yield func(*Candidate, error) bool) { j.each(All)(yield) }

// each yields the results of look for each source.
func (j joined) each(look func(Source) iter.Seq2[*Candidate, error]) iter.Seq2[*Candidate, error] {
	return func(yield func(*Candidate, error) bool) {
		for _, s := range j {
			for c, err := range look(s) {
				if !yield(c, err) {
					return
				}
			}
		}
	}
}

// Metered returns a view of src. What is read through the view is paid into m. If src is a Source of another package,
// only the data of bodies are paid, by Candidate.Sums.
func Metered(src Source, m *meter.Meter) Source {
	if x, ok := src.(interface{ Metered(m *meter.Meter) Source }); ok {
		return x.Metered(m)
	}
	return src
}

// Metered returns a view of the sources.
func (j joined) Metered(m *meter.Meter) Source {
	var list joined
	for _, s := range j {
		list = append(list, Metered(s, m))
	}
	return list
}

// Stats returns the sums of the statistics of all sources.
func (j joined) Stats() Stats {
	var t Tally
	for _, s := range j {
		t.Add(s.Stats())
	}
	return t.Total()
}

func (j joined) Close() error {
	var list []error
	for _, s := range j {
		list = append(list, s.Close())
	}
	return errors.Join(list...)
}

// All yields all captures in src that Lookup can find, including redirects, in the order of the source: by position in
// archive files, by name in folders. An error concerns one capture that cannot be read; further captures may follow.
// Only positions are kept in memory.
//
// A Source of another package may not support All. Then All yields only an error.
func All(src Source) iter.Seq2[*Candidate, error] {
	if l, ok := src.(interface {
		List(yield func(*Candidate, error) bool)
	}); ok {
		return l.List
	}
	return func(yield func(*Candidate, error) bool) {
		yield(nil, errors.New("the source finds captures by URL, but cannot list them"))
	}
}

// FileURL returns the file: URL of a file on disk.
func FileURL(file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	volume := filepath.ToSlash(filepath.VolumeName(file)) // such as C: or //server/share; empty except on Windows
	name := urlkey.Escaped(filepath.ToSlash(file[len(volume):]))
	switch {
	case strings.HasPrefix(volume, "//"):
		return "file:" + urlkey.Escaped(volume) + name
	case volume != "":
		volume = "/" + volume
	}
	return "file://" + volume + name
}
