package object_test

import (
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

func TestRefs(t *testing.T) {
	for _, row := range []struct {
		in   string
		want []object.Ref
	}{
		{"null", nil},
		{"12", nil},
		{"12 3 R", []object.Ref{{Num: 12, Gen: 3}}},
		{"[ 1 0 R 2 0 R[3 0 R]]", []object.Ref{{Num: 1}, {Num: 2}, {Num: 3}}},
		{"[ 1 2 3 R 4 ]", []object.Ref{{Num: 2, Gen: 3}}},
		{"<</A 1 0 R/B<</C[2 0 R]>>>>", []object.Ref{{Num: 1}, {Num: 2}}},
		{"<</A(1 0 R \\) 2 0 R ( 3 0 R ) )/B<10>/C/4>>", nil},
		{"<</A< 1 0 R>/B</C>>>", nil},
		{"[/1 2 3 R/4 5 6 R/ 7 0 R]", []object.Ref{{Num: 2, Gen: 3}, {Num: 5, Gen: 6}, {Num: 7}}},
		{"[ 1 % 2 0 R ]\n 0 R ]", []object.Ref{{Num: 1}}},
		{"<< /A 7 0 R /Length 1 >>\nstream\n8 0 R\nendstream", []object.Ref{{Num: 7}}},
	} {
		t.Run(row.in, func(t *testing.T) {
			o, _, err := object.Parse([]byte(row.in), 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Collect(o.Refs()); !slices.Equal(got, row.want) {
				t.Errorf("Refs of %s = %v, want %v", row.in, got, row.want)
			}
		})
	}
	if got := slices.Collect(object.MakeRef(object.Ref{Num: 5}).Refs()); !slices.Equal(got, []object.Ref{{Num: 5}}) {
		t.Errorf("a made reference yields %v", got)
	}
	o, _, err := object.Parse([]byte("[ 1 0 R 2 0 R ]"), 0)
	if err != nil {
		t.Fatal(err)
	}
	for ref := range o.Refs() {
		if ref.Num != 1 {
			t.Errorf("%v comes first", ref)
		}
		break
	}
}
