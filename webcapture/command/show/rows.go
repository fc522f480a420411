package show

import (
	"bufio"
	"bytes"
	"io"
	"iter"

	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
)

// fileRows holds the rows of one file, as lines in the format of a list. It has three parts, one after the other. Those
// of a large file are in temporary files. The zero fileRows has no rows.
type fileRows struct {
	parts [3]spool.Spool
	Count int // number of rows
}

// add adds a row, which ends in a newline, to a part. The error is that of a temporary file.
func (r *fileRows) add(part int, row []byte) error {
	r.Count++
	_, err := r.parts[part].Write(row)
	return err
}

// fill adds the rows of a file, which encode appends. pay pays for the bytes of a row: after its error, the rest of the
// rows is left out. The error is that of all or encode, or of a temporary file.
func fill[T any](r *fileRows, all iter.Seq2[T, error], pay func(n int) error,
	encode func(*jsondoc.Document, T) (part int, err error)) error {
	d := jsondoc.New(nil)
	for row, err := range all {
		d.Truncate(0)
		part := 0
		if err == nil {
			part, err = encode(d, row)
		}
		if d.Len() > 0 { // else the format does not have the row
			d.Text("\n")
		}
		if err == nil {
			err = r.add(part, d.Bytes())
		}
		if err != nil {
			r.Close()
			return err
		}
		if pay(d.Len()) != nil {
			break
		}
	}
	return nil
}

// all yields the lines without their newlines. The error is that of a temporary file.
func (r *fileRows) all() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for i := range r.parts {
			part := &r.parts[i]
			in := bufio.NewReaderSize(io.NewSectionReader(part, 0, part.Len()), int(min(part.Len(), spool.InMemory)))
			for {
				line, err := in.ReadSlice('\n')
				if err == bufio.ErrBufferFull {
					var rest []byte
					line = bytes.Clone(line) // the next read overwrites it
					rest, err = in.ReadBytes('\n')
					line = append(line, rest...)
				}
				if err == io.EOF {
					break
				}
				if !yield(bytes.TrimSuffix(line, []byte("\n")), err) || err != nil {
					return
				}
			}
		}
	}
}

// Close removes the temporary files.
func (r *fileRows) Close() {
	for i := range r.parts {
		r.parts[i].Close()
	}
}

// limitRows returns rows of a table for a list: at most some of each group, and then one with the number of others. row
// returns the group and the cells of an element.
func limitRows[T any, G comparable](list []T, some int, row func(*T) (G, []string)) [][]string {
	total := map[G]int{}
	for i := range list {
		group, _ := row(&list[i])
		total[group]++
	}
	var rows [][]string
	shown := map[G]int{}
	for i := range list {
		group, cells := row(&list[i])
		if shown[group]++; shown[group] > some+1 {
			continue
		}
		if shown[group] > some {
			cells[len(cells)-1] = phrase.MoreOf(total[group] - some)
		}
		rows = append(rows, cells)
	}
	return rows
}
