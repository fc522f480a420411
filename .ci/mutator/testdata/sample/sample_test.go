package sample

import "testing"

func TestKinds(t *testing.T) {
	for _, row := range []struct {
		a, b int
		c, n count
		ok   bool
	}{{2, 3, 5, 14, true}, {5, 2, 1, 12, true}, {7, 1, 0, 10, true}, {3, 2, 0, 8, false}} {
		if n, ok := kinds(row.a, row.b, row.c); n != row.n || ok != row.ok {
			t.Errorf("%v: %d, %t", row, n, ok)
		}
	}
	if started != 2 {
		t.Error(started)
	}
}

func TestGuarded(t *testing.T) {
	if err := guarded(1); err != nil {
		t.Error(err)
	}
}

func TestClamp(t *testing.T) {
	if clamp(9) != 9 || clamp(10) != 9 || clamp(1) != 1 || clamp(20) != 9 {
		t.Error("wrong")
	}
}
