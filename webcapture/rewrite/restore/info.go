package restore

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// spiderInfo restores V and missing commands. If the file has no Web Capture information dictionary, it restores that.
// It comes before content sets, because these refer to commands.
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
	var commands []byte // elements of C
	if own != nil {
		dict = own.Dict
		list, _ := own.C.Array()
		for c := range list.All() {
			commands = append(c.Append(commands), ' ')
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
		own = new(webcapture.Info)
		r.step("", rule.Place{Part: "SpiderInfo"}, "SpiderInfo")
	}
	f := &filling{restoration: r, at: rule.Place{Part: "SpiderInfo"}}
	changes, err := f.filled("", webcapture.InfoTable, []string{"V"}, theirs.Dict, dict)
	if err != nil {
		return err
	}
	commands, err = r.addCommands(commands, theirs, own)
	if err != nil || len(r.changes.Steps) == before {
		return err
	}
	if len(commands) > 0 {
		changes = append(changes, object.Setting{Key: "C", Value: append(append([]byte{'['}, commands...), ']')})
	}
	text := dict.AppendWith(nil, changes...)
	if ref, ok := r.file.Database.Catalog.Lookup("SpiderInfo").Ref(); ok && own.Dict.Raw() != nil {
		r.Update.Put(ref, text)
	} else { // direct, or new
		r.changes.Catalog = append(r.changes.Catalog, object.Setting{Key: "SpiderInfo", Value: text})
	}
	return nil
}

// addCommands appends the commands of the original to the elements of C, except those that the file has. Restored
// content sets refer to these.
func (r *restoration) addCommands(commands []byte, theirs, own *webcapture.Info) ([]byte, error) {
	known := map[string]object.Object{}
	for i := range own.Commands {
		known[commandKey(&own.Commands[i])] = own.Commands[i].Object
	}
	for i := range theirs.Commands {
		c := &theirs.Commands[i]
		if c.Err != nil {
			continue
		}
		key := commandKey(c)
		was, isRef := c.Object.Ref()
		if is, ok := known[key]; ok {
			if ref, ok := is.Ref(); ok && isRef {
				r.copies[was] = ref
			}
			continue
		}
		text, err := r.copied(c.Object, maxDepth)
		if err != nil {
			return nil, err
		}
		if !isRef {
			ref := r.Update.New()
			r.Update.Put(ref, text)
			text = ref.Append(nil)
		}
		known[key], _, _ = object.Parse(text, 0)
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
