package webcapture

import "github.com/webcap-tools/webcap/nametree/object"

// An Info is the Web Capture information dictionary (14.10.2, table 386).
type Info struct {
	Dict     object.Dict
	V        object.Object // resolved; Acrobat writes the number 1.25
	C        object.Object // resolved; null if absent
	Commands []Command     // the dictionaries in C, in order of execution
}

// A Command is a Web Capture command dictionary (14.10.5.3, table 393).
type Command struct {
	Object object.Object // the element of C as it is stored
	Dict   object.Dict
	URL    String
	L, F   object.Object // resolved; null if absent
	P      object.Object // resolved: a string or stream
	CT, H  String
	S      object.Object // resolved: the command settings dictionary (table 395)
}

// Flags of a Command (14.10.5.3, table 394).
const (
	SameSite = 1 << 0 // retrieve only from the host of the URL
	SamePath = 1 << 1 // retrieve only below the path of the URL
	Submit   = 1 << 2 // the command is a form submission
)

// Level returns how many levels are retrieved: 1 if L is absent; false if L is no integer.
func (c *Command) Level() (int64, bool) { return intOr(c.L, 1) }

// Flags returns the flags: 0 if F is absent; false if F is no integer.
func (c *Command) Flags() (int64, bool) { return intOr(c.F, 0) }

func intOr(o object.Object, absent int64) (int64, bool) {
	if o.IsNull() {
		return absent, true
	}
	return o.Int()
}

// Info reads SpiderInfo and its commands; nil if the catalog has no such
// dictionary.
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
	for e := range list.All() {
		o, err := r.Resolve(e)
		if err != nil {
			return nil, err
		}
		if d, ok := o.Dict(); ok {
			c := Command{Object: e, Dict: d}
			if err := r.readCommand(&c); err != nil {
				return nil, err
			}
			info.Commands = append(info.Commands, c)
		}
	}
	return info, nil
}

func (r *Reader) readCommand(c *Command) (err error) {
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
