package webcapturetest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"strings"
)

// decodingBombs are small files with expensive streams. The streams become large when decoded, or are decoded,
// digested, or searched repeatedly.
func decodingBombs() []Bomb {
	return []Bomb{
		laidOut("2 MB that become 2 GB", true, func(f *bombFile) { f.kids(1, 2<<30) }),
		laidOut("2 MB that become 2 GB, without cross-reference data", false, func(f *bombFile) { f.kids(1, 2<<30) }),
		laidOut("200 object streams of 60 MB", true, func(f *bombFile) { f.kids(200, 60<<20) }),
		laidOut("300 object streams of 60 MB, without cross-reference data", false,
			func(f *bombFile) { f.kids(300, 60<<20) }),
		laidOut("300 object streams of 15 MB", true,
			func(f *bombFile) { f.kids(300, 15<<20) }),
		laidOut("300 content sets in object streams of 15 MB", true,
			func(f *bombFile) { f.sets(300, 15<<20) }),
		laidOut("300 object streams of 15 MB, without a catalog", false, func(f *bombFile) {
			f.kids(300, 15<<20)
			f.root = 0
		}),
		laidOut("run lengths of run lengths of run lengths", true, func(f *bombFile) {
			// In run-length encoding, the bytes 129 129 mean 128 times 129.
			f.packed("/Filter[/ASCIIHexDecode/RunLengthDecode/RunLengthDecode/RunLengthDecode]",
				bytes.Repeat([]byte("81"), 25_000))
		}),
		laidOut("ASCII85 of run lengths of run lengths", true, func(f *bombFile) {
			f.packed("/Filter[/ASCII85Decode/RunLengthDecode/RunLengthDecode]",
				append(bytes.Repeat([]byte("Jq<7F"), 12_000), "~>"...))
		}),
		laidOut("20000 members that are not where the index says", true, func(f *bombFile) { f.misplaced(20_000) }),
		laidOut("one member a million times", false, func(f *bombFile) { f.repeated(1 << 20) }),
		laidOut("1000 cross-reference streams of all objects", true, func(f *bombFile) { f.chain(1000) }),
		laidOut("8 million entries", true, func(f *bombFile) { f.chain(1) }),
		laidOut("20000 streams without an end", false, func(f *bombFile) { f.endless(20_000) }),
		laidOut("30000 images in each other", true, func(f *bombFile) { f.nested(30_000) }),
	}
}

// A bombFile is a file with a manual layout.
type bombFile struct {
	bytes.Buffer
	entries [][3]int // cross-reference stream, by number: type, offset or object stream, index
	root    int
	start   int // the offset after startxref
}

// laidOut returns the Bomb that do writes. section says whether the file has cross-reference data.
func laidOut(name string, section bool, do func(f *bombFile)) Bomb {
	return Bomb{Name: name, Write: func(w io.Writer) error {
		f := &bombFile{entries: make([][3]int, 4), root: 3}
		f.WriteString("%PDF-1.7\n")
		f.object(1, "<< /Type /Pages /Count 0 /Kids [] >>")
		do(f)
		if f.root > 0 {
			f.object(f.root, "<< /Type /Catalog /Pages 1 0 R /Names << /URLS 2 0 R /IDS 2 0 R >> >>")
		}
		if f.start == 0 && section {
			f.start = f.section("", f.entries)
		}
		fmt.Fprintf(f, "startxref\n%d\n%%%%EOF\n", f.start)
		_, err := w.Write(f.Bytes())
		return err
	}}
}

// at records the position of an object.
func (f *bombFile) at(num int) {
	f.place(num, [3]int{1, f.Len(), 0})
}

func (f *bombFile) place(num int, entry [3]int) {
	f.entries = append(f.entries, make([][3]int, max(0, num+1-len(f.entries)))...)
	f.entries[num] = entry
}

func (f *bombFile) object(num int, body string) {
	f.at(num)
	fmt.Fprintf(f, "%d 0 obj\n%s\nendobj\n", num, body)
}

func (f *bombFile) stream(num int, dict string, data []byte) {
	f.at(num)
	fmt.Fprintf(f, "%d 0 obj\n<<%s/Length %d>>\nstream\n%s\nendstream\nendobj\n", num, dict, len(data), data)
}

// section writes a cross-reference stream and returns its position.
func (f *bombFile) section(dict string, entries [][3]int) (at int) {
	var data []byte
	for _, e := range entries {
		data = append(data, byte(e[0]), byte(e[1]>>24), byte(e[1]>>16), byte(e[1]>>8), byte(e[1]), byte(e[2]>>16),
			byte(e[2]>>8), byte(e[2]))
	}
	at = f.Len()
	f.stream(len(entries), fmt.Sprintf("/Type/XRef/Filter/FlateDecode/W[1 4 3]/Size %d/Root %d 0 R%s", len(entries),
		f.root, dict), deflate(data))
	return at
}

// kids writes a tree with leaves in n object streams. Each stream has size bytes.
func (f *bombFile) kids(n int, size int64) {
	var kids strings.Builder
	for i := range n {
		fmt.Fprintf(&kids, "%d 0 R ", 10+2*i)
	}
	f.inStreams(n, size, "<< /Limits [(a)(a)] /Names [(a) 4 0 R] >>")
	f.object(2, "<< /Kids ["+kids.String()+"] >>")
}

// sets writes a tree with n values in n object streams. Each stream has size bytes.
func (f *bombFile) sets(n int, size int64) {
	var names strings.Builder
	for i := range n {
		fmt.Fprintf(&names, "(http://h/%07d)%d 0 R", i, 10+2*i)
	}
	f.inStreams(n, size, "<< /S /SPS /O [] >>")
	f.object(2, "<< /Names ["+names.String()+"] >>")
}

// inStreams writes n objects with even numbers from 10 on, and n equal object streams. Each stream contains all
// objects.
func (f *bombFile) inStreams(n int, size int64, body string) {
	var list strings.Builder
	for i := range n {
		fmt.Fprintf(&list, "%d 0 ", 10+2*i)
	}
	dict := fmt.Sprintf("/Type/ObjStm/N %d/First %d/Filter/FlateDecode", n, list.Len())
	data := spaced(list.String(), size, body)
	for i := range n {
		num := 10 + 2*i
		f.place(num, [3]int{2, num + 1, i})
		f.stream(num+1, dict, data)
	}
}

// spaced returns two texts with n blanks between them, in compressed form.
func spaced(before string, n int64, after string) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	io.WriteString(z, before)
	for blanks := bytes.Repeat([]byte(" "), 1<<20); n > 0; n -= int64(len(blanks)) {
		z.Write(blanks[:min(n, int64(len(blanks)))])
	}
	io.WriteString(z, after)
	z.Close()
	return b.Bytes()
}

// packed writes an object stream that pretends to contain the tree.
func (f *bombFile) packed(filters string, data []byte) {
	f.place(2, [3]int{2, 5, 0})
	f.stream(5, "/Type/ObjStm/N 1/First 4"+filters, data)
}

// misplaced writes a leaf with n values. They are in an object stream with a million other objects, at positions
// that differ from the index.
func (f *bombFile) misplaced(n int) {
	const first, members = 100, 1 << 20
	var list, names strings.Builder
	for i := range members {
		fmt.Fprintf(&list, "%d 0 ", first+i)
	}
	for i := range n {
		num := first + members - n + i
		fmt.Fprintf(&names, "(http://h/%07d)%d 0 R", i, num)
		f.place(num, [3]int{2, 4, i})
	}
	f.object(2, "<< /Names ["+names.String()+"] >>")
	f.stream(4, fmt.Sprintf("/Type/ObjStm/N %d/First %d/Filter/FlateDecode", members, list.Len()),
		deflate([]byte(list.String()+"<</S/SPS>>")))
}

// repeated writes a truncated object stream whose list of objects has the tree n times.
func (f *bombFile) repeated(n int) {
	list := strings.Repeat("2 0 ", n)
	data := spaced(list, 8<<20, "<< /Names [] >>")
	f.stream(5, fmt.Sprintf("/Type/ObjStm/N %d/First %d/Filter/FlateDecode", n, len(list)), data[:len(data)-8])
}

// chain writes n cross-reference streams, each with an entry for each possible object.
func (f *bombFile) chain(n int) {
	const objects = 8_388_608
	f.object(2, "<< /Names [] >>")
	f.object(3, "<< /Type /Catalog /Pages 1 0 R /Names << /URLS 2 0 R >> >>")
	first := f.section("", f.entries)
	free := deflate(make([]byte, 3*objects))
	prev := first
	for i := range n {
		at := f.Len()
		f.stream(4, fmt.Sprintf("/Type/XRef/Filter/FlateDecode/W[1 1 1]/Size %d/Index[%d %d]/Root 3 0 R/Prev %d",
			objects, 4+i, objects-4-i, prev), free)
		prev = at
	}
	f.root, f.start = 0, prev
}

// endless writes n streams without an end of data.
func (f *bombFile) endless(n int) {
	f.object(2, "<< /Names [] >>")
	for i := range n {
		fmt.Fprintf(f, "%d 0 obj\n<</Length 9 0 R>>\nstream\n%s", 10+i, strings.Repeat("x", 100))
	}
}

// nested writes n images marked as captured. The data of each image contain all later images.
func (f *bombFile) nested(n int) {
	const first = 10
	var names, images strings.Builder
	for i := range n {
		set := first + 2*i
		fmt.Fprintf(&names, "(%016d)%d 0 R", i, set)
		fmt.Fprintf(&images, "/I%d %d 0 R", i, set+1)
		f.object(set, fmt.Sprintf("<</Type/SpiderContentSet/S/SIS/ID(%016d)/O[%d 0 R]/SI<</AU(http://h/)>>/R 1>>", i,
			set+1))
	}
	f.object(2, "<< /Names ["+names.String()+"] >>")
	f.object(1, "<< /Type /Pages /Count 1 /Kids [4 0 R] >>")
	f.object(4, "<< /Type /Page /Parent 1 0 R /Resources << /XObject <<"+images.String()+">> >> >>")
	const head = "%d 0 obj\n<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/DCTDecode/Length %010d>>\nstream\n"
	size := len(fmt.Sprintf(head, 1_000_000, 0))
	for i := range n {
		f.Write(bytes.Repeat([]byte(" "), size-len(fmt.Sprintf(head, first+2*i+1, 0))))
		f.at(first + 2*i + 1)
		fmt.Fprintf(f, head, first+2*i+1, (n-1-i)*size)
	}
	f.WriteString("\nendstream\nendobj\n")
}
