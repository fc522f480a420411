package pdffile

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/klauspost/compress/zlib"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A section writes cross-reference data with the trailer.
type section struct {
	subs   []subsection
	size   uint32 // larger than all object numbers, including own
	stream bool   // a cross-reference stream
	own    uint32 // object number of the stream; its entry is in one of subs
	prev   int64  // offset of the previous section; 0 for none
}

// A subsection holds the entries of objects with consecutive numbers (ISO 32000-2:2020, 7.5.4).
type subsection struct {
	first   uint32
	entries []entry
}

// add adds the entry of an object. Its number must be larger than all earlier ones.
func (s *section) add(num uint32, e entry) {
	if n := len(s.subs); n > 0 {
		if last := &s.subs[n-1]; last.first+uint32(len(last.entries)) == num {
			last.entries = append(last.entries, e)
			return
		}
	}
	s.subs = append(s.subs, subsection{num, []entry{e}})
}

// write writes the section, the trailer with the kept entries of old, and the end of the file.
func (s *section) write(o *output, old object.Dict) error {
	start := o.at
	var err error
	if s.stream {
		err = s.writeStream(o, old)
	} else {
		err = s.writeTable(o, old)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(o, "startxref\n%d\n%%%%EOF\n", start)
	return o.flush()
}

// writeTable writes a cross-reference table and the trailer (7.5.4, 7.5.5). An entry of a free object refers to
// object 0 and has generation 65535: its number must not be used again.
func (s *section) writeTable(o *output, old object.Dict) error {
	fmt.Fprint(o, "xref\n")
	var line []byte
	for _, sub := range s.subs {
		fmt.Fprintf(o, "%d %d\n", sub.first, len(sub.entries))
		for i, e := range sub.entries {
			line = append(line[:0], "0000000000 65535 f \n"...)
			if e.kind == inFile {
				if e.at > 9_999_999_999 {
					return fmt.Errorf("object %d is at offset %d, too large for the ten digits of a "+
						"cross-reference table", sub.first+uint32(i), e.at)
				}
				line = fmt.Appendf(line[:0], "%010d %05d n \n", e.at, e.gen)
			}
			if _, err := o.Write(line); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(o, "trailer\n%s\n", old.AppendWith(nil, s.trailer(o, old)...))
	return nil
}

// writeStream writes a cross-reference stream (7.5.8), including the stream's own entry.
func (s *section) writeStream(o *output, old object.Dict) error {
	index := []byte{'['}
	highest := [2]uint64{uint64(o.at), freeGeneration}
	for _, sub := range s.subs {
		index = fmt.Appendf(index, "%d %d ", sub.first, len(sub.entries))
		for _, e := range sub.entries {
			_, a, b := e.fields()
			highest = [2]uint64{max(highest[0], a), max(highest[1], b)}
		}
	}
	widths := [2]int{width(highest[0]), width(highest[1])}
	var data bytes.Buffer
	z := zlib.NewWriter(&data)
	var line []byte
	for _, sub := range s.subs {
		for _, e := range sub.entries {
			kind, a, b := e.fields()
			line = appendField(append(line[:0], kind), a, widths[0])
			if _, err := z.Write(appendField(line, b, widths[1])); err != nil {
				return err
			}
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	set := append(s.trailer(o, old),
		object.Setting{Key: "Type", Value: []byte("/XRef")},
		object.Setting{Key: "W", Value: fmt.Appendf(nil, "[1 %d %d]", widths[0], widths[1])},
		object.Setting{Key: "Index", Value: append(bytes.TrimSpace(index), ']')},
		object.Setting{Key: "Filter", Value: []byte("/FlateDecode")},
		object.Setting{Key: "Length", Value: strconv.AppendInt(nil, int64(data.Len()), 10)},
	)
	for _, key := range []string{"DecodeParms", "DL", "F", "FFilter", "FDecodeParms"} {
		set = append(set, object.Setting{Key: key})
	}
	fmt.Fprintf(o, "%d 0 obj\n%s\nstream\n", s.own, old.AppendWith(nil, set...))
	o.Write(data.Bytes())
	_, err := fmt.Fprint(o, "\nendstream\nendobj\n")
	return err
}

// trailer returns the changed entries of the trailer, for a table or a stream. All other entries stay, including
// private ones.
func (s *section) trailer(o *output, old object.Dict) []object.Setting {
	set := []object.Setting{
		{Key: "Size", Value: strconv.AppendUint(nil, uint64(s.size), 10)},
		{Key: "Prev"},
		{Key: "XRefStm"},
	}
	if s.prev > 0 {
		set[1].Value = strconv.AppendInt(nil, s.prev, 10)
	}
	if id := o.identifier(old.Lookup("ID")); id != nil {
		set = append(set, object.Setting{Key: "ID", Value: id})
	}
	return set
}

// freeGeneration is the generation of numbers that must not be reused (7.5.4).
const freeGeneration = 65535

// fields returns the entry as the fields of a cross-reference stream (7.5.8.3, table 18).
func (e entry) fields() (kind byte, a, b uint64) {
	switch e.kind {
	case inFile:
		return 1, uint64(e.at), uint64(e.gen)
	case inStream:
		return 2, uint64(e.at), uint64(e.index)
	}
	return 0, 0, freeGeneration
}

// width returns the number of bytes that a field needs for numbers up to n.
func width(n uint64) int {
	bytes := 1
	for ; n > 0xff; n >>= 8 {
		bytes++
	}
	return bytes
}

func appendField(dst []byte, n uint64, width int) []byte {
	for i := width - 1; i >= 0; i-- {
		dst = append(dst, byte(n>>(8*i)))
	}
	return dst
}
