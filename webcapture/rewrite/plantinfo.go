package rewrite

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// A plantedInfo is the Web Capture information dictionary that the file gets.
type plantedInfo struct {
	dict     object.Dict // of the file, or of the original
	isOwn    bool        // it is of the file
	commands []byte      // elements of C
	known    map[string]bool
	changed  bool
}

// spiderInfo brings back the Web Capture information dictionary, if the file has none, and
// commands that it has not.
func (w *planter) spiderInfo() error {
	info, err := w.reader.Info(w.db)
	if err != nil || info == nil {
		return object.IgnoreMalformed(err)
	}
	if err := w.startInfo(); err != nil {
		return err
	}
	for i := range info.Commands {
		c := &info.Commands[i]
		if w.info.known[commandKey(c)] || c.Err != nil {
			continue
		}
		text, err := w.copied(c.Object, maxPlantDepth)
		if err != nil {
			return err
		}
		if c.Object.Kind() != object.Reference {
			own := w.plan.update.New()
			w.plan.update.Put(own, text)
			text = own.Append(nil)
		}
		w.info.known[commandKey(c)], w.info.changed = true, true
		w.info.commands = append(append(w.info.commands, ' '), text...)
		w.infoStep("command " + nametree.Key(c.URL.Bytes).String())
	}
	return nil
}

// startInfo takes what the file has, or the dictionary of an original without its commands.
func (w *planter) startInfo() error {
	w.info = &plantedInfo{known: map[string]bool{}}
	own, err := w.plan.file.NewReader().Info(w.planner.db)
	if object.IgnoreMalformed(err) != nil {
		return err
	}
	if own == nil {
		o, err := w.copied(w.db.SpiderInfo, maxPlantDepth)
		if err != nil {
			return err
		}
		parsed, _, err := object.Parse(o, 0)
		if err != nil {
			return err
		}
		w.info.dict, _ = parsed.Dict()
		w.info.changed = true
		w.infoStep("SpiderInfo")
		return nil
	}
	w.info.dict, w.info.isOwn = own.Dict, true
	list, _ := own.C.Array()
	for c := range list.All() {
		w.info.commands = append(c.Append(w.info.commands), ' ')
	}
	for i := range own.Commands {
		w.info.known[commandKey(&own.Commands[i])] = true
	}
	return nil
}

// commandKey returns what two commands have in common that are the same.
func commandKey(c *webcapture.Command) string {
	level, _ := c.Level()
	flags, _ := c.Flags()
	return fmt.Sprintf("%q %d %d %q", c.URL.Bytes, level, flags, c.P.Raw())
}

func (w *planter) infoStep(what string) {
	w.plan.Steps.Add(Step{Action: audit.Plant, Place: audit.Place{Part: "SpiderInfo"}, New: what, Reason: w.name + " has it"})
}

// putInfo puts the Web Capture information dictionary.
func (p *planner) putInfo() {
	if p.info == nil || !p.info.changed {
		return
	}
	var changes []object.Setting
	if len(p.info.commands) > 0 {
		changes = append(changes, object.Setting{Key: "C", Value: append(append([]byte{'['}, p.info.commands...), ']')})
	}
	text := p.info.dict.AppendWith(nil, changes...)
	if ref, ok := p.db.Catalog.Lookup("SpiderInfo").Ref(); ok && p.info.isOwn {
		p.plan.update.Put(ref, text)
		return
	}
	p.inCatalog = append(p.inCatalog, object.Setting{Key: "SpiderInfo", Value: text})
}
