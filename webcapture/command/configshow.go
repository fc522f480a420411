package command

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/suppress"
)

func (p *program) runConfig(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	asJSON, err := isJSON(c)
	if err != nil {
		return err
	}
	conf, err := p.configure(c)
	if err != nil {
		return err
	}
	if _, err := newFilter(conf, suppress.Options{Today: time.Now()}); err != nil {
		return err
	}
	if asJSON {
		return p.writeConfigJSON(conf)
	}
	p.writeConfig(conf)
	return nil
}

// writeConfig writes a line for each key and each entry. It ignores errors, because Run checks p.stdout when it
// flushes it.
func (p *program) writeConfig(conf *configuration) {
	file := conf.file
	if file == "" {
		file = "none"
	}
	p.paragraph("File:  ", layout.Printable(file), p.width)
	p.paragraph("Base:  ", layout.Printable(conf.base), p.width)
	p.stdout.WriteByte('\n')
	rows := [][2]string{{"KEY", "FROM"}}
	for i := range conf.settings {
		rows = append(rows, [2]string{conf.settings[i].key, conf.settings[i].String()})
	}
	for i := range conf.ignore {
		rows = append(rows, [2]string{"ignore", conf.ignore[i].Where})
	}
	var wide [2]int
	for _, r := range rows {
		wide[0], wide[1] = max(wide[0], len(r[0])), max(wide[1], len(layout.Printable(r[1])))
	}
	for i, r := range rows {
		text := "VALUE"
		switch n := i - 1 - len(conf.settings); {
		case n >= 0:
			text = entryText(&conf.ignore[n])
		case i > 0:
			text = valueText(conf.settings[i-1].value)
		}
		label := pad(r[0], wide[0]) + "  " + pad(layout.Printable(r[1]), wide[1]) + "  "
		if text == "" {
			label = strings.TrimRight(label, " ")
		}
		p.paragraph(label, layout.Printable(text), p.width)
	}
}

func valueText(v any) string {
	if list, ok := v.([]string); ok {
		return strings.Join(list, ", ")
	}
	return fmt.Sprint(v)
}

// entryText describes an entry on one line: its scope, end date, and reason.
func entryText(e *suppress.Entry) string {
	var parts []string
	if len(e.Rules) > 0 {
		parts = append(parts, strings.Join(e.Rules, ", "))
	}
	if e.Path != "" {
		parts = append(parts, e.Path)
	}
	if e.Key != nil {
		parts = append(parts, e.Key.String())
	}
	if e.Fingerprint != "" {
		parts = append(parts, "fingerprint "+e.Fingerprint)
	}
	switch until := e.Until.Format(time.DateOnly); {
	case e.Expired(time.Now()):
		parts = append(parts, "expired on "+until)
	case !e.Until.IsZero():
		parts = append(parts, "until "+until)
	}
	return strings.Join(parts, " ") + ": " + e.Reason
}

// configSchema is the name and version of the JSON format of the configuration.
const configSchema = "webcap.config/1"

type (
	jsonConfig struct {
		Schema   string        `json:"schema"`
		File     string        `json:"file,omitempty"`
		Base     string        `json:"base"`
		Settings []jsonSetting `json:"settings"`
		Ignore   []jsonEntry   `json:"ignore"`
	}
	jsonSetting struct {
		Key   string `json:"key"`
		Value any    `json:"value"`
		From  origin `json:"from"`
		Where string `json:"where,omitempty"`
	}
	jsonEntry struct {
		Where       string   `json:"where"`
		Rules       []string `json:"rules,omitempty"`
		Path        string   `json:"path,omitempty"`
		Key         string   `json:"key,omitempty"`
		Fingerprint string   `json:"fingerprint,omitempty"`
		Reason      string   `json:"reason"`
		Until       string   `json:"until,omitempty"`
		Expired     bool     `json:"expired"`
	}
)

func (p *program) writeConfigJSON(conf *configuration) error {
	out := jsonConfig{Schema: configSchema, File: conf.file, Base: conf.base, Ignore: []jsonEntry{}}
	for i := range conf.settings {
		s := &conf.settings[i]
		out.Settings = append(out.Settings, jsonSetting{s.key, s.value, s.from, s.where})
	}
	for i := range conf.ignore {
		e := &conf.ignore[i]
		j := jsonEntry{Where: e.Where, Rules: e.Rules, Path: e.Path, Fingerprint: e.Fingerprint, Reason: e.Reason,
			Expired: e.Expired(time.Now())}
		if e.Key != nil {
			j.Key = e.Key.String()
		}
		if !e.Until.IsZero() {
			j.Until = e.Until.Format(time.DateOnly)
		}
		out.Ignore = append(out.Ignore, j)
	}
	enc := json.NewEncoder(p.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
