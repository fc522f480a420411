package main

import (
	"context"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/find"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// listCaptures lists the captures of all files in one format.
func listCaptures(ctx context.Context, r *request, phase func(string)) (any, error) {
	return written{}, writeTo(r.Out, func(w io.Writer) error {
		out := show.NewCaptureWriter(r.Format, w, 0, version)
		if out == nil {
			return fmt.Errorf("there is no format %q", r.Format)
		}
		for _, path := range r.Paths {
			phase(path)
			if err := addCaptures(ctx, out, path, passwordsFor(r)); err != nil {
				return err
			}
		}
		return out.Close(true)
	})
}

// addCaptures lists the captures of one file. If the file cannot be read, the list has the reason instead. The
// error is only that of the output.
func addCaptures(ctx context.Context, out *show.CaptureWriter, path string, passwords []string) error {
	rec := &report.Record{Path: path}
	rows := new(show.CaptureRows)
	defer func() { rows.Close() }()
	rec.Err = open(ctx, path, passwords, func(f *webcapture.File) error {
		db, err := f.Database()
		if err != nil {
			return err
		}
		rec.Size = f.Size()
		c, err := catalog.New(f, db)
		if err != nil {
			return err
		}
		listed, err := out.Rows(c.Captures(), func(int) error { return nil })
		if err != nil {
			return err
		}
		rows.Close()
		rows = listed
		rec.Report = &audit.Report{Facts: f.Facts(db), Unread: c.Unread()}
		return nil
	})
	if rec.Err != nil {
		rec.Report = nil
		rows.Close()
		rows = new(show.CaptureRows)
	} else {
		rec.Report.Path = path
	}
	return out.Add(rec, rows)
}

// findCaptures searches all files for a URL or an ID, as a viewer does.
func findCaptures(ctx context.Context, r *request, phase func(string)) (any, error) {
	q, err := find.Parse(r.Query)
	if err != nil {
		return nil, fmt.Errorf("cannot look for %q: %w", r.Query, err)
	}
	queries := []find.Query{q}
	searcher := find.New(queries)
	return written{}, writeTo(r.Out, func(w io.Writer) error {
		out := show.NewFindWriter(r.Format, w, 0, version, queries)
		if out == nil {
			return fmt.Errorf("there is no format %q", r.Format)
		}
		for _, path := range r.Paths {
			phase(path)
			if err := addMatches(ctx, out, searcher, path, passwordsFor(r)); err != nil {
				return err
			}
		}
		return out.Close(true)
	})
}

// addMatches searches one file. The error is only that of the output.
func addMatches(ctx context.Context, out *show.FindWriter, s *find.Searcher, path string, passwords []string) error {
	rec := &report.Record{Path: path}
	var res *find.Result
	rec.Err = open(ctx, path, passwords, func(f *webcapture.File) (err error) {
		rec.Size = f.Size()
		res, err = s.Search(f)
		return err
	})
	if rec.Err != nil {
		return out.Add(rec, nil)
	}
	rec.Report = &audit.Report{Path: path, Facts: res.Facts, Unread: res.Unread}
	return out.Add(rec, res.Matches)
}
