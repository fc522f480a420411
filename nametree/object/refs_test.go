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
	for ref := range object.MakeRef(object.Ref{Num: 5}).Refs() {
		if ref.Num != 5 {
			t.Errorf("a made reference yields %v", ref)
		}
	}
}
