package restore

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// infoEdit is the new Web Capture information dictionary of the file.
type infoEdit struct {
	*restoration
	dict     object.Dict     // dictionary of the file, or of the original
	isOwn    bool            // dict is that of the file
	commands []byte          // text of the elements of C
	has      map[string]bool // commands that C already has, by commandKey
	changed  bool
}

// spiderInfo restores missing commands. If the file has no Web Capture information dictionary, it also restores that.
func (r *restoration) spiderInfo() error {
	info, err := r.original.Reader.Info(r.original.Database)
	if err != nil || info == nil {
		return object.IgnoreMalformed(err)
	}
	e := &infoEdit{restoration: r, has: map[string]bool{}}
	if err := e.start(); err != nil {
		return err
	}
	for i := range info.Commands {
		c := &info.Commands[i]
		if e.has[commandKey(c)] || c.Err != nil {
			continue
		}
		if err := e.add(c); err != nil {
			return err
		}
	}
	e.put()
	return nil
}

// shareCommands records the commands that are equal in both files. Content sets refer to commands, and these are then
// not copied.
func (r *restoration) shareCommands() error {
	theirs, err := r.original.Reader.Info(r.original.Database)
	if err != nil || theirs == nil {
		return object.IgnoreMalformed(err)
	}
	own, err := r.file.Reader.Info(r.file.Database)
	if err != nil || own == nil {
		return object.IgnoreMalformed(err)
	}
	known := map[match.Hash]object.Ref{}
	for i := range own.Commands {
		ref, isRef := own.Commands[i].Object.Ref()
		if sum, err := r.file.Value(own.Commands[i].Object); isRef && err == nil {
			known[sum] = ref
		} else if object.IgnoreMalformed(err) != nil {
			return err
		}
	}
	for i := range theirs.Commands {
		ref, isRef := theirs.Commands[i].Object.Ref()
		sum, err := r.original.Value(theirs.Commands[i].Object)
		if is, ok := known[sum]; ok && isRef && err == nil {
			r.copies[ref] = is
		} else if object.IgnoreMalformed(err) != nil {
			return err
		}
	}
	return nil
}

// add adds a command of the original.
func (e *infoEdit) add(c *webcapture.Command) error {
	text, err := e.copied(c.Object, maxDepth)
	if err != nil {
		return err
	}
	if c.Object.Kind() != object.Reference {
		own := e.Update.New()
		e.Update.Put(own, text)
		text = own.Append(nil)
	}
	e.has[commandKey(c)], e.changed = true, true
	e.commands = append(append(e.commands, ' '), text...)
	e.stepOf("command " + nametree.Key(c.URL.Bytes).String())
	return nil
}

// start loads the dictionary of the file, or copies that of the original. The readable commands are added later.
func (e *infoEdit) start() error {
	own, err := e.file.Reader.Info(e.file.Database)
	if object.IgnoreMalformed(err) != nil {
		return err
	}
	if own == nil {
		o, err := e.copied(e.original.Database.SpiderInfo, maxDepth)
		if err != nil {
			return err
		}
		parsed, _, err := object.Parse(o, 0)
		if err != nil {
			return err
		}
		e.dict, _ = parsed.Dict()
		e.changed = true
		e.stepOf("SpiderInfo")
		return nil
	}
	e.dict, e.isOwn = own.Dict, true
	list, _ := own.C.Array()
	for c := range list.All() {
		e.commands = append(c.Append(e.commands), ' ')
	}
	for i := range own.Commands {
		e.has[commandKey(&own.Commands[i])] = true
	}
	return nil
}

// commandKey returns the URL, levels, flags, and P of a command as text. Commands with the same text count as equal.
func commandKey(c *webcapture.Command) string {
	level, _ := c.Level()
	flags, _ := c.Flags()
	return fmt.Sprintf("%q %d %d %q", c.URL.Bytes, level, flags, c.P.Raw())
}

// stepOf adds a step.
func (e *infoEdit) stepOf(what string) { e.step("", rule.Place{Part: "SpiderInfo"}, what) }

// put writes the changed dictionary: as an object, or into the catalog if it is direct or new.
func (e *infoEdit) put() {
	if !e.changed {
		return
	}
	var changes []object.Setting
	if len(e.commands) > 0 {
		changes = append(changes, object.Setting{Key: "C", Value: append(append([]byte{'['}, e.commands...), ']')})
	}
	text := e.dict.AppendWith(nil, changes...)
	if ref, ok := e.file.Database.Catalog.Lookup("SpiderInfo").Ref(); ok && e.isOwn {
		e.Update.Put(ref, text)
		return
	}
	e.changes.Catalog = append(e.changes.Catalog, object.Setting{Key: "SpiderInfo", Value: text})
}
