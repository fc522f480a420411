package meter

import (
	"errors"
	"sync"
	"testing"
)

func TestMeter(t *testing.T) {
	const size = 1000
	work, kept := New(size).Budget()
	if work <= New(0).mostWork || kept <= New(0).mostKept {
		t.Errorf("budget of %d bytes: work %d, kept %d", size, work, kept)
	}
	for _, tt := range []struct {
		name      string
		pay, keep int64
		over      bool
	}{
		{"nothing", 0, 0, false},
		{"all of both", work, kept, false},
		{"too much work", work + 1, 0, true},
		{"too much memory", 0, kept + 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := New(size)
			err := errors.Join(m.Pay(tt.pay), m.Keep(tt.keep))
			if over := errors.Is(err, Over{}); over != tt.over || (m.Over() != nil) != over {
				t.Errorf("%v, Over() = %v, want over: %v", err, m.Over(), tt.over)
			}
			if w, k := m.Spent(); w != tt.pay || k != tt.keep {
				t.Errorf("spent %d and %d, want %d and %d", w, k, tt.pay, tt.keep)
			}
			if again := m.Pay(1); tt.over && again == nil {
				t.Error("a meter that is exceeded accepts more")
			}
		})
	}
}

func TestNoMeter(t *testing.T) {
	var m *Meter
	if err := errors.Join(m.Pay(1<<60), m.Keep(1<<60), m.Over()); err != nil {
		t.Error(err)
	}
}

// TestConcurrentPayments: the order of payments does not count, only their sum.
func TestConcurrentPayments(t *testing.T) {
	work, _ := New(0).Budget()
	for _, more := range []int64{0, 1} {
		m := New(0)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 1024 {
					m.Pay(work / 8 / 1024)
				}
			})
		}
		wg.Wait()
		if err := m.Pay(more); (err != nil) != (more > 0) {
			t.Errorf("%d more: %v", more, err)
		}
	}
}
