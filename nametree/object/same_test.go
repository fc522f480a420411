package object_test

import (
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

func TestSame(t *testing.T) {
	for _, row := range []struct {
		a, b string
		same bool
	}{
		{"null", "null", true},
		{"null", "false", false},
		{"(a)", "<61>", true},
		{"(a)", "<62>", false},
		{"(a)", "/a", false},
		{"/a#62", "/ab", true},
		{"1", "1.0", false},
		{"1", "1", true},
		{"7 0 R", "7  0 R", true},
		{"7 0 R", "7 1 R", false},
		{"[ 1 (a) ]", "[1<61>]", true},
		{"[ 1 ]", "[ 1 2 ]", false},
		{"[ 1 2 ]", "[ 1 ]", false},
		{"<< /A 1 /B [ (x) ] >>", "<</A 1/#42[<78>]>>", true},
		{"<< /A 1 >>", "<< /A 1 /B 2 >>", false},
		{"<< /A 1 /C 2 >>", "<< /A 1 /B 2 >>", false},
	} {
		a, _, err := object.Parse([]byte(row.a), 0)
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := object.Parse([]byte(row.b), 0)
		if err != nil {
			t.Fatal(err)
		}
		if object.Same(a, b) != row.same || object.Same(b, a) != row.same {
			t.Errorf("%s and %s: Same is not %v", row.a, row.b, row.same)
		}
	}
}
