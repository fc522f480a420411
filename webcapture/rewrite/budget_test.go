package rewrite

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// If there are too many findings, there is no plan: a plan from only some of them would look complete.
func TestNoPlanOfAFileOverItsBudget(t *testing.T) {
	const n = 300_000 // more than any file of this size may have
	data := pdf(t, "names: << /URLS << /Names [ "+strings.Repeat("1 1 ", n)+"] >> >>\n")
	f, err := webcapture.New(context.Background(), data, webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if rule.MaxFindings(f.Size()) >= n {
		t.Fatalf("%d findings are within the limit", n)
	}
	p, err := NewPlan(t.Context(), f, Options{})
	if want := fmt.Sprintf("%d findings are only counted", n-1000); p != nil || err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("NewPlan = %v, %v; want no plan, because %s", p, err, want)
	}
}
