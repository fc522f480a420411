package restore

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/match"
)

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

// spiderInfo restores missing commands. If the file has no Web Capture information dictionary, it also restores that.
func (r *restoration) spiderInfo() error {
	theirs, err := r.original.Reader.Info(r.original.Database)
	if err != nil || theirs == nil {
		return object.IgnoreMalformed(err)
	}
	own, err := r.file.Reader.Info(r.file.Database)
	if object.IgnoreMalformed(err) != nil {
		return err
	}
	before := len(r.changes.Steps)
	var dict object.Dict
	var commands []byte      // elements of C
	has := map[string]bool{} // commands in C, by commandKey
	if own != nil {
		dict = own.Dict
		list, _ := own.C.Array()
		for c := range list.All() {
			commands = append(c.Append(commands), ' ')
		}
		for i := range own.Commands {
			has[commandKey(&own.Commands[i])] = true
		}
	} else {
		text, err := r.copied(r.original.Database.SpiderInfo, maxDepth)
		if err != nil {
			return err
		}
		o, _, err := object.Parse(text, 0)
		if err != nil {
			return err
		}
		dict, _ = o.Dict()
		r.step("", rule.Place{Part: "SpiderInfo"}, "SpiderInfo")
	}
	commands, err = r.addCommands(commands, theirs, has)
	if err != nil || len(r.changes.Steps) == before {
		return err
	}
	var changes []object.Setting
	if len(commands) > 0 {
		changes = append(changes, object.Setting{Key: "C", Value: append(append([]byte{'['}, commands...), ']')})
	}
	text := dict.AppendWith(nil, changes...)
	if ref, ok := r.file.Database.Catalog.Lookup("SpiderInfo").Ref(); ok && own != nil {
		r.Update.Put(ref, text)
	} else { // direct, or new
		r.changes.Catalog = append(r.changes.Catalog, object.Setting{Key: "SpiderInfo", Value: text})
	}
	return nil
}

// addCommands appends the commands of the original to the elements of C, except those that C has, by commandKey.
func (r *restoration) addCommands(commands []byte, theirs *webcapture.Info, has map[string]bool) ([]byte, error) {
	for i := range theirs.Commands {
		c := &theirs.Commands[i]
		key := commandKey(c)
		if has[key] || c.Err != nil {
			continue
		}
		text, err := r.copied(c.Object, maxDepth)
		if err != nil {
			return nil, err
		}
		if c.Object.Kind() != object.Reference {
			ref := r.Update.New()
			r.Update.Put(ref, text)
			text = ref.Append(nil)
		}
		has[key] = true
		commands = append(append(commands, ' '), text...)
		r.step("", rule.Place{Part: "SpiderInfo"}, "command "+nametree.Key(c.URL.Bytes).String())
	}
	return commands, nil
}

// commandKey returns the URL, levels, flags, and P of a command as text. Commands with the same text count as equal.
func commandKey(c *webcapture.Command) string {
	level, _ := c.Level()
	flags, _ := c.Flags()
	return fmt.Sprintf("%q %d %d %q", c.URL.Bytes, level, flags, c.P.Raw())
}
