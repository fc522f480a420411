package object_test

import (
	"fmt"
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
		{"1", "2", false},
		{"7 0 R", "8 0 R", false},
		{"7 0 R", "7  0 R", true},
		{"7 0 R", "7 1 R", false},
		{"[ 1 (a) ]", "[1<61>]", true},
		{"[ 1 ]", "[ 1 2 ]", false},
		{"[ 1 2 ]", "[ 1 ]", false},
		{"<< /A 1 /B [ (x) ] >>", "<</A 1/#42[<78>]>>", true},
		{"<< /A 1 >>", "<< /A 1 /B 2 >>", false},
		{"<< /A 1 /C 2 >>", "<< /A 1 /B 2 >>", false},
		{"<< /A 1 >>", "<< /A 1 >> stream", false},
	} {
		t.Run(row.a, func(t *testing.T) {
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
		})
	}
}

// AppendNormal appends PDF syntax that parses as the same object.
func TestAppendNormal(t *testing.T) {
	for _, row := range []struct{ in, want string }{
		{"[ 1   <61> null\t(\\050)[]]", `[1 (a) null (\() [] ]`},
		{"<</#41 /b#20c/D<<>>/E 7  0  R>>", `<</A /b#20c /D <<>> /E 7 0 R >>`},
		{"<< /Length 1 >> stream", `<</Length 1 >>`},
		{"true", "true"},
		{"-1.50", "-1.50"},
		{"<00>", "<00>"},
	} {
		t.Run(row.in, func(t *testing.T) {
			o, _, err := object.Parse([]byte(row.in), 0)
			if err != nil {
				t.Fatal(err)
			}
			got := string(o.AppendNormal([]byte("before ")))
			if want := "before " + row.want; got != want {
				t.Errorf("AppendNormal of %s = %s, want %s", row.in, got, want)
			}
		})
	}
}

func ExampleSame() {
	a, _, _ := object.Parse([]byte("<< /ID <41 42> /O [ 5 0 R ] >>"), 0)
	b, _, _ := object.Parse([]byte("<</ID(AB)/O[5 0 R]>>"), 0)
	fmt.Println(object.Same(a, b))
	fmt.Printf("%s\n", a.AppendNormal(nil))
	// Output:
	// true
	// <</ID (AB) /O [5 0 R ] >>
}
