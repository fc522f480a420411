// Command browser is webcap for web browsers. One function, which takes and returns JSON, provides audits, lists,
// comparisons, and repairs. The page that calls it needs no server: see docs/browser.md.
//
// As WebAssembly (GOOS=js), the program waits for calls. Otherwise, it builds the page:
//
//	go generate ./webcapture/browser
//
// The files of a call are in a file system that the page provides (files.js). So all packages read and write files
// as they do on the command line.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// version is the version of webcap. The build of the page sets it.
var version = "(devel)"

// request is a call: an operation with its arguments. Each operation uses only some of the fields.
type request struct {
	Op        string   `json:"op"`
	Path      string   `json:"path"`      // file for an operation on one file
	Paths     []string `json:"paths"`     // files for an operation on several files
	Passwords []string `json:"passwords"` // passwords for encrypted files
	Out       string   `json:"out"`       // file to write

	Format  string   `json:"format"`  // format of a report or a list
	Failed  []failed `json:"failed"`  // inputs of a report without results
	Partial bool     `json:"partial"` // the results of a report are incomplete

	Query string `json:"query"` // URL or ID to find

	From            string `json:"from"` // original of a file
	Without         []int  `json:"without"`
	Full            bool   `json:"full"`
	BreakSignatures bool   `json:"breakSignatures"`
}

// failed is an input that the page could not pass to an audit.
type failed struct{ Path, Outcome, Reason string }

// operations maps names of operations to their functions.
var operations = map[string]func(context.Context, *request, func(string)) (any, error){
	"about": about, "audit": auditFile, "report": writeReport, "keys": listKeys, "captures": listCaptures,
	"find": findCaptures, "plan": planRepair, "repair": repairFile, "diff": compareFiles,
}

// failure is the answer to a call that failed.
type failure struct {
	Error    string `json:"error"`
	Password bool   `json:"password,omitempty"` // a password is missing
	Remedy   string `json:"remedy,omitempty"`   // field of a request that allows the refused operation
}

// call carries out a request. It calls phase for each part of the work.
func call(text []byte, phase func(string)) (answer []byte) {
	defer func() {
		if p := recover(); p != nil {
			answer = encode(failure{Error: (&report.PanicError{Value: p}).Error()})
		}
	}()
	var r request
	if err := json.Unmarshal(text, &r); err != nil {
		return encode(failure{Error: err.Error()})
	}
	do, ok := operations[r.Op]
	if !ok {
		return encode(failure{Error: fmt.Sprintf("there is no operation %q", r.Op)})
	}
	result, err := do(context.Background(), &r, phase)
	if err != nil {
		return encode(failureOf(err))
	}
	return encode(result)
}

func failureOf(err error) failure {
	return failure{Error: oserror.Reason(err).Error(), Password: errors.Is(err, webcapture.ErrPassword),
		Remedy: remedyOf(err)}
}

// encode returns a value as JSON. The values consist of texts, numbers, and slices, so encoding cannot fail.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// open opens a file and calls do. If the structure of the file turns out to be damaged, open reconstructs it in memory
// and calls do again.
func open(ctx context.Context, path string, passwords []string, do func(*webcapture.File) error) error {
	return webcapture.Read(ctx, path, webcapture.Options{Passwords: passwords}, do)
}

// passwordsFor returns the passwords of a request, without empty ones.
func passwordsFor(r *request) []string {
	return slices.DeleteFunc(slices.Clone(r.Passwords), func(p string) bool { return p == "" })
}
