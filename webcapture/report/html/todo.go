package html

import (
	"regexp"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// maxTodos is the maximum number of causes in the overview. Files with further causes count for the last one.
const maxTodos = 12

// todo is a cause of problems, with the number of files that it affects, and advice.
type todo struct {
	Cause, Advice string
	Files         int
	First         string // path of the first file
	repair        *report.RepairFolder
	opt           *report.Options
}

// Command returns the command line that repairs the files, or "".
func (t *todo) Command() string {
	if t.repair == nil {
		return ""
	}
	return t.repair.Command(t.opt)
}

// addTodo counts a file for its cause.
func (h *writer) addTodo(r *report.Record, blocks report.Groups, path string) {
	cause, advice, repair := causeOf(r, blocks)
	if cause == "" {
		return
	}
	t := h.todo[cause]
	switch {
	case t != nil:
	case len(h.todos) == maxTodos:
		t = h.todos[maxTodos-1]
		t.Cause, t.Advice, t.repair = "Other causes", "See the sections of the files", nil
	default:
		t = &todo{Cause: cause, Advice: advice, First: path, opt: &h.opt}
		if repair {
			t.repair = new(report.RepairFolder)
		}
		h.todo[cause] = t
		h.todos = append(h.todos, t)
	}
	t.Files++
	if t.repair != nil {
		t.repair.Add(r.Path, r.Report)
	}
}

// digits are replaced in reasons, because they differ between reasons of the same kind.
var digits = regexp.MustCompile(`\d+`)

// causeOf returns the reason why a file needs attention, and advice. cause is "" if the file needs no attention.
// repair means that webcap rewrite can repair the file.
func causeOf(r *report.Record, blocks report.Groups) (cause, advice string, repair bool) {
	switch outcome := r.Outcome(); {
	case r.Verdict() == report.IsAccepted:
		return "", "", false
	case outcome == report.TimedOut:
		return "Not audited: over the time limit", "Audit again with a longer --timeout.", false
	case !outcome.Audited():
		reason := layout.Printable(r.Reason())
		if strings.HasPrefix(reason, "encrypted") {
			return "Not audited: encrypted", "Give the passwords with --password-file.", false
		}
		return "Not audited: " + digits.ReplaceAllString(reason, "N"), "Replace the file with an intact copy.", false
	case outcome == report.Partial && r.Accepted == "":
		return "Checked in part, because the file is damaged", "Replace the file with an intact copy, or recover it " +
			"with qpdf or mutool.", false
	case r.Report == nil || r.Report.Worst() < rule.Warning:
		return "", "", false
	}
	if report.LostDatabase(r.Report) {
		return "A tool dropped the content database", "Restore it with the file before the tool: " +
			"webcap rewrite --from ORIGINAL FILE -o REPAIRED.", false
	}
	if what, _ := blocks.NextStep(r.Report, r.Path, &report.Options{}); what == "" {
		return "Findings that webcap does not repair", "See the rules below.", false
	}
	if tool := blocks.Cause(); tool != "" {
		return layout.Printable(tool), "Repair:", true
	}
	return "Findings that webcap can repair", "Repair:", true
}
