package capture

// Entry is the place of a record in a source, with hashes of the keys by which the record is found. Hashes may collide,
// so a look-up reads the record and compares. A source may have millions of entries.
type Entry struct {
	URL      uint64 // hash of the common form of alike URLs
	Payload  uint64 // hash of the payload digest; 0 for none
	Time     int64  // in microseconds
	At, Skip int64  // place in the file; its meaning depends on the format
	File     uint32 // index of the file in the source
	Flags    Flags
}

// Flags are properties of an entry.
type Flags uint32

const (
	Useless Flags = 1 << iota // the capture has no Body, or its record is damaged; All omits it
	Alias                     // a further key of the record of another entry; All omits it
	Request                   // a request that is not GET, and no capture: all captures of its URL are doubtful

	FirstOwn // first flag that a format may define
)

// isCapture reports whether All yields the record.
func (f Flags) isCapture() bool { return f&(Useless|Alias|Request) == 0 }
