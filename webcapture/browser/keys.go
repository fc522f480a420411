package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/keys"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// listKeys lists the keys of a file, with their verdicts, in one format. It audits the file again.
func listKeys(ctx context.Context, r *request, phase func(string)) (any, error) {
	return written{}, writeTo(r.Out, func(w io.Writer) error {
		out := show.NewKeyWriter(r.Format, w, 0, version)
		if out == nil {
			return fmt.Errorf("there is no format %q", r.Format)
		}
		rec, rows := &report.Record{Path: r.Path}, new(show.KeyRows)
		err := open(ctx, r.Path, passwordsFor(r), func(f *webcapture.File) error {
			rows.Close()
			db, err := f.Database()
			if err != nil {
				return err
			}
			if rec.Report, err = audit.Run(f, audit.Options{Database: db, Keys: true, Phase: phase}); err != nil {
				return err
			}
			rec.Report.Path, rec.Size = r.Path, f.Size()
			rows, err = out.Rows(keys.Of(f, db, rec.Report), func(n int) error { return f.Meter().Pay(int64(n)) })
			return rule.NoteOver(&rec.Report.Unread, cmp.Or(f.Meter().Over(), err))
		})
		if err != nil {
			return err
		}
		defer rows.Close()
		if err := out.Add(rec, rows); err != nil {
			return err
		}
		return out.Close(true)
	})
}
