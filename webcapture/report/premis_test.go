package report

import (
	"encoding/xml"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A premisDocument has the elements of PREMIS that tests read.
type premisDocument struct {
	Objects []struct {
		Type   string `xml:"type,attr"`
		Value  string `xml:"objectIdentifier>objectIdentifierValue"`
		Digest string `xml:"objectCharacteristics>fixity>messageDigest"`
		Size   string `xml:"objectCharacteristics>size"`
		Format string `xml:"objectCharacteristics>format>formatDesignation>formatName"`
	} `xml:"object"`
	Events []struct {
		ID      string   `xml:"eventIdentifier>eventIdentifierValue"`
		Type    string   `xml:"eventType"`
		Time    string   `xml:"eventDateTime"`
		Outcome string   `xml:"eventOutcomeInformation>eventOutcome"`
		Notes   []string `xml:"eventOutcomeInformation>eventOutcomeDetail>eventOutcomeDetailNote"`
		Agent   string   `xml:"linkingAgentIdentifier>linkingAgentIdentifierValue"`
		Object  string   `xml:"linkingObjectIdentifier>linkingObjectIdentifierValue"`
	} `xml:"event"`
	Agents []struct {
		Value string `xml:"agentIdentifier>agentIdentifierValue"`
		Note  string `xml:"agentNote"`
	} `xml:"agent"`
}

func readPREMIS(t *testing.T, text string) (doc premisDocument) {
	t.Helper()
	if err := xml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%v\n%.2000s", err, text)
	}
	return doc
}

// Each input is an object, and has an event that links to it and to the agent.
func TestPREMIS(t *testing.T) {
	o, records := allRecords(t)
	records[0].Size, records[0].SHA256 = 7, strings.Repeat("ab", 32)
	doc := readPREMIS(t, resultsIn(t, "premis", o, Complete, records...))
	if len(doc.Objects) != len(records) || len(doc.Events) != len(records) || len(doc.Agents) != 1 ||
		doc.Agents[0].Note != "configuration: 3 rules disabled by .webcap.yaml, 1 finding ignored" {
		t.Fatalf("%d objects, %d events, %d agents for %d inputs", len(doc.Objects), len(doc.Events), len(doc.Agents),
			len(records))
	}
	if first := doc.Objects[0]; first.Digest != records[0].SHA256 || first.Size != "7" ||
		first.Format != "Portable Document Format" {
		t.Errorf("%+v", first)
	}
	ids := map[string]bool{}
	for i, e := range doc.Events {
		r := records[i]
		if ids[e.ID] = true; e.Object != doc.Objects[i].Value || e.Agent != doc.Agents[0].Value || e.Type != "validation" ||
			e.Time != day.Format(time.RFC3339) || e.Outcome != r.Outcome().String() {
			t.Errorf("%s: %+v", r.Path, e)
		}
		if rep := r.Report; rep != nil {
			for _, f := range rep.Findings.All() {
				if f := f.String(); !slices.Contains(e.Notes, f) {
					t.Errorf("%s: no note says %s", r.Path, f)
				}
			}
		}
	}
	if len(ids) != len(records) {
		t.Errorf("%d identifiers for %d events", len(ids), len(records))
	}
}

// A later audit of the same files is a different event.
func TestPREMISEventsDiffer(t *testing.T) {
	rec := &Record{Path: "a.pdf", Err: errors.New("gone")}
	id := func(when time.Time) string {
		return readPREMIS(t, resultsIn(t, "premis", Options{Time: when}, Complete, rec)).Events[0].ID
	}
	first, again, later := id(day), id(day), id(day.Add(time.Second))
	if first != again || first == later {
		t.Errorf("events %s, %s, and a second later %s", first, again, later)
	}
}

// The schema of the Library of Congress accepts the output, even without records, and with hostile names.
func TestPREMISIsValid(t *testing.T) {
	webcapturetest.Program(t, "xmllint")
	const schema = "../../../shared/schema/premis-v3-0.xsd"
	if _, err := os.Stat(schema); err != nil {
		t.Skip("no schema of PREMIS next to the repository")
	}
	o, records := allRecords(t)
	texts := []string{
		resultsIn(t, "premis", o, Complete, records...), resultsIn(t, "premis", Options{}, Complete),
		resultsIn(t, "premis", Options{}, Interrupted),
		resultsIn(t, "premis", o, Complete, &Record{Path: "a.zip!b", Archive: "a.zip", Err: ErrNoMembers}),
	}
	for _, s := range hostile {
		texts = append(texts, resultsIn(t, "premis", Options{Head: Head{Version: s}}, Complete, hostileRecords(s)...))
	}
	args := []string{"--noout", "--nonet", "--schema", schema}
	for i, text := range texts {
		t.Run(text, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "premis.xml")
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("xmllint", append(args, file)...).CombinedOutput(); err != nil {
				t.Errorf("document %d: %v\n%s", i, err, out)
			}
		})
	}
	// The schema rejects an invalid document.
	file := filepath.Join(t.TempDir(), "premis.xml")
	if err := os.WriteFile(file, []byte(strings.Replace(texts[0], "<eventType>validation</eventType>", "", 1)),
		0o666); err != nil {
		t.Fatal(err)
	}
	if exec.Command("xmllint", append(args, file)...).Run() == nil {
		t.Error("the schema takes an event without a type")
	}
}

// Events that exceed the memory are complete.
func TestPREMISOfMany(t *testing.T) {
	rep := &audit.Report{Facts: webcapture.Facts{Present: true, Notices: []string{strings.Repeat("long ", 1000)}}}
	var records []*Record
	for range 400 {
		records = append(records, &Record{Path: "a.pdf", Report: rep})
	}
	doc := readPREMIS(t, resultsIn(t, "premis", Options{}, Complete, records...))
	if len(doc.Events) != len(records) {
		t.Errorf("%d events of %d", len(doc.Events), len(records))
	}
}

func FuzzPREMIS(f *testing.F) {
	fuzzHostile(f, func(t *testing.T, s string) {
		doc := readPREMIS(t, resultsIn(t, "premis", Options{Head: Head{Version: s}}, Complete, hostileRecords(s)...))
		if len(doc.Events) != 2 || len(doc.Agents) != 1 {
			t.Errorf("%q makes %d events and %d agents", s, len(doc.Events), len(doc.Agents))
		}
	})
}
