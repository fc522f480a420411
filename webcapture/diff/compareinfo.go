package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// info compares SpiderInfo: V, and the commands in order.
func (c *comparison) info() error {
	var info [2]*webcapture.Info
	var version [2]object.Object
	var forms [2][]byte
	var hashes [2][]contentHash
	unread := false
	for side, f := range c.of {
		at := rule.Place{Part: "SpiderInfo"}
		_, err := f.lookup(f.db.Catalog, "SpiderInfo")
		if err == nil {
			info[side], err = f.r.Info(f.db)
		}
		if err == nil && info[side] != nil {
			version[side] = info[side].V
			forms[side], err = f.hasher.append(nil, info[side].V)
			for i := 0; i < len(info[side].Commands) && err == nil; i++ {
				var s contentHash
				s, err = f.hasher.command(info[side].Commands[i].Object)
				hashes[side] = append(hashes[side], s)
			}
		}
		if err != nil {
			if err := f.couldNotRead(at, err); err != nil {
				return &contentError{f, err}
			}
			unread = true
		}
	}
	switch {
	case unread:
		return nil
	case info[0] == nil && info[1] == nil:
		return nil
	case info[0] == nil:
		c.onOne(1, Place{Part: Info}, "")
		return nil
	case info[1] == nil:
		c.onOne(0, Place{Part: Info}, "")
		return nil
	}
	c.entry(Place{Part: Info, Entry: "V"}, forms, version)
	return c.commands(info, hashes)
}

// commands compares the commands of SpiderInfo.
func (c *comparison) commands(info [2]*webcapture.Info, hashes [2][]contentHash) error {
	left := unequal(hashes[0], hashes[1])
	if len(left[0])+len(left[1]) == 0 {
		if !slices.Equal(hashes[0], hashes[1]) {
			c.add(Changed, Place{Part: Info, Entry: "C"}, orderOf(info[0].Commands), orderOf(info[1].Commands))
		}
		return nil
	}
	url := func(side, i int) nametree.Key { return nametree.Key(info[side].Commands[i].URL.Bytes) }
	pairs, left := byKey(left, url)
	for _, p := range pairs {
		a, b := info[0].Commands[p[0]].Dict, info[1].Commands[p[1]].Dict
		for _, key := range commandEntries {
			var forms [2][]byte
			for side, d := range []object.Dict{a, b} {
				var err error
				if forms[side], err = c.of[side].hasher.appendCommand(nil, d, key); err != nil {
					return &contentError{c.of[side], err}
				}
			}
			c.entry(Place{Part: Command, Key: url(0, p[0]), Entry: key}, forms,
				[2]object.Object{a.Lookup(key), b.Lookup(key)})
		}
	}
	for side := range left {
		for _, i := range left[side] {
			c.onOne(side, Place{Part: Command, Key: url(side, i)}, "")
		}
	}
	return nil
}

// orderOf returns the URLs of the first commands, as text.
func orderOf(list []webcapture.Command) string {
	const shown = 3
	text := ""
	for i := range list[:min(len(list), shown)] {
		text += short(nametree.Key(list[i].URL.Bytes)) + " "
	}
	if len(list) > shown {
		return fmt.Sprintf("%sand %d more", text, len(list)-shown)
	}
	return strings.TrimSuffix(text, " ")
}
