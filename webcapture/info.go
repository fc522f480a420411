package webcapture

import "github.com/webcap-tools/webcap/nametree/object"

// An Info is the Web Capture information dictionary (14.10.2, table 386).
type Info struct {
	Dict     object.Dict
	V        object.Object // resolved; Acrobat writes the number 1.25
	C        object.Object // resolved; null if absent
	Commands []Command     // dictionaries in C, in order of execution
}

// A Command is a Web Capture command dictionary (14.10.5.3, table 393).
type Command struct {
	Index  int           // index in C; -1 for a result of Reader.Command
	Object object.Object // element of C, as stored
	Err    error         // reason why the command, or an entry, could not be read; the fields below are incomplete then
	Dict   object.Dict
	URL    String
	L, F   object.Object // resolved; null if absent
	P      object.Object // resolved: a string or stream
	CT, H  String
	S      object.Object // command settings dictionary (table 395), resolved
}

// Flags of a Command (14.10.5.3, table 394).
const (
	SameSite = 1 << 0 // retrieve only from the host of the URL
	SamePath = 1 << 1 // retrieve only below the path of the URL
	Submit   = 1 << 2 // the command is a form submission
)

// Level returns the number of levels to retrieve, which is 1 if L is absent. It also returns false if L is not an
// integer.
func (c *Command) Level() (int64, bool) { return intOr(c.L, 1) }

// Flags returns the flags, which are 0 if F is absent. It also returns false if F is not an integer.
func (c *Command) Flags() (int64, bool) { return intOr(c.F, 0) }

func intOr(o object.Object, absent int64) (int64, bool) {
	if o.IsNull() {
		return absent, true
	}
	return o.Int()
}

// perCommand is the memory of a command, in bytes.
const perCommand = 512

// Info reads SpiderInfo and its commands. It returns nil if the catalog has no such dictionary. The error means
// that V or C could not be read. A malformed command has its own Err.
func (r *Reader) Info(db *Database) (*Info, error) {
	d, ok := db.SpiderInfo.Dict()
	if !ok {
		return nil, nil
	}
	info := &Info{Dict: d}
	var err error
	if info.V, err = r.Resolve(d.Lookup("V")); err != nil {
		return nil, err
	}
	if info.C, err = r.Resolve(d.Lookup("C")); err != nil {
		return nil, err
	}
	list, _ := info.C.Array()
	index := -1
	for e := range list.All() {
		index++
		c := Command{Index: index, Object: e}
		if c.Err = r.readCommand(&c); c.Err != nil && !object.IsMalformed(c.Err) {
			return nil, c.Err
		}
		if c.Err != nil || c.Dict.Raw() != nil {
			info.Commands = append(info.Commands, c)
			if err := r.Keep(perCommand + int64(len(c.Dict.Raw()))); err != nil {
				return nil, err
			}
		}
	}
	return info, nil
}

// Command reads the command dictionary of a source (14.10.5.1), as stored. Dict is empty if stored is not a dictionary.
func (r *Reader) Command(stored object.Object) (Command, error) {
	c := Command{Object: stored, Index: -1}
	err := r.readCommand(&c)
	return c, err
}

// readCommand fills c from c.Object, if that is a dictionary.
func (r *Reader) readCommand(c *Command) error {
	o, err := r.Resolve(c.Object)
	if err != nil || o.Kind() != object.Dictionary {
		return err
	}
	c.Dict, _ = o.Dict()
	for _, f := range []struct {
		key string
		to  *String
	}{{"URL", &c.URL}, {"CT", &c.CT}, {"H", &c.H}} {
		if *f.to, err = r.String(c.Dict.Lookup(f.key)); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		key string
		to  *object.Object
	}{{"L", &c.L}, {"F", &c.F}, {"P", &c.P}, {"S", &c.S}} {
		if *f.to, err = r.Resolve(c.Dict.Lookup(f.key)); err != nil {
			return err
		}
	}
	return nil
}
