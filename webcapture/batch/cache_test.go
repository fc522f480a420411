package batch

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// reportOf returns a report with n findings.
func reportOf(n int) *audit.Report {
	rep := &audit.Report{}
	for range n {
		rep.Findings.Add(rule.Finding{Rule: audit.Rules()[0]})
	}
	return rep
}

// cachedParts calls once for each digest, and returns those that were audited.
func cachedParts(t *testing.T, k *reportCache, rep *audit.Report, digests ...int) (audited []int) {
	t.Helper()
	for _, d := range digests {
		got, err := k.once(t.Context(), [32]byte{byte(d), byte(d >> 8)}, func() (*audit.Report, error) {
			audited = append(audited, d)
			return rep, nil
		})
		if got == nil || err != nil {
			t.Fatalf("digest %d: report %v, error %v", d, got, err)
		}
	}
	return audited
}

// Reports that together have the maximum number of findings are kept; one more finding drops the oldest.
func TestCacheKeepsUpToItsLimit(t *testing.T) {
	quarter := reportOf(maxKnownParts / 4)
	k := newReportCache()
	cachedParts(t, k, quarter, 1, 2, 3, 4)
	if got := cachedParts(t, k, quarter, 1, 2, 3, 4); got != nil {
		t.Errorf("at the limit, %v are audited again", got)
	}
	cachedParts(t, k, reportOf(1), 5)
	if got := cachedParts(t, k, quarter, 2, 3, 4); got != nil {
		t.Errorf("beyond the limit, %v are audited again, want only 1", got)
	}
	if got := cachedParts(t, k, quarter, 1); len(got) != 1 {
		t.Error("beyond the limit, the oldest report is still there")
	}
}

func TestCacheKeepsSoManyReports(t *testing.T) {
	k := newReportCache()
	empty := reportOf(0)
	for i := range maxKnown {
		cachedParts(t, k, empty, i)
	}
	if got := cachedParts(t, k, empty, 0, 1); got != nil {
		t.Errorf("%v are audited again", got)
	}
	cachedParts(t, k, empty, maxKnown)
	if got := cachedParts(t, k, empty, 0, 2); len(got) != 1 || got[0] != 2 {
		t.Errorf("%v are audited again, want the least recently used, 2", got)
	}
}

// An audit that is running stays known while others drop reports.
func TestCacheKeepsRunningAudits(t *testing.T) {
	k := newReportCache()
	slow := [32]byte{200}
	large := reportOf(maxKnownParts/2 + 1)
	_, err := k.once(t.Context(), slow, func() (*audit.Report, error) {
		cachedParts(t, k, large, 1, 2)
		return reportOf(0), nil
	})
	if err != nil || k.reports[slow] == nil {
		t.Errorf("the report is not kept; error %v", err)
	}
}

// Those that wait for an audit of the same bytes get its report, or audit the bytes themselves if it fails.
func TestCacheWaits(t *testing.T) {
	shared, own := reportOf(1), reportOf(2)
	ended := errors.New("ended")
	for _, tt := range []struct {
		name   string
		first  func() (*audit.Report, error)
		cancel bool // while it waits
		want   *audit.Report
		err    error
	}{
		{"for a report", func() (*audit.Report, error) { return shared, nil }, false, shared, nil},
		{"for an error", func() (*audit.Report, error) { return nil, errors.New("x") }, false, own, nil},
		{"for a panic", func() (*audit.Report, error) { panic("x") }, false, own, nil},
		{"too long", func() (*audit.Report, error) { return shared, nil }, true, nil, ended},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k, hang, done := newReportCache(), make(chan bool), make(chan string, 1)
				go func() {
					defer func() { recover() }()
					k.once(t.Context(), [32]byte{}, func() (*audit.Report, error) {
						<-hang
						return tt.first()
					})
				}()
				synctest.Wait()
				ctx, cancel := context.WithCancelCause(t.Context())
				go func() {
					rep, err := k.once(ctx, [32]byte{}, func() (*audit.Report, error) { return own, nil })
					if rep != tt.want || err != tt.err {
						done <- fmt.Sprintf("report %p, error %v; want %p, %v", rep, err, tt.want, tt.err)
					}
					close(done)
				}()
				synctest.Wait()
				if tt.cancel {
					cancel(ended)
					synctest.Wait()
				}
				close(hang)
				if wrong := <-done; wrong != "" {
					t.Error(wrong)
				}
				cancel(nil)
			})
		})
	}
}

// A limit of memory is shared by the estimate for each size; a limit of 0 is none.
func TestMemoryLimit(t *testing.T) {
	for _, size := range []int64{0, -1} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			if m := newMemoryLimit(size); m != nil {
				t.Errorf("a limit of %d bytes is a limit", size)
			}
		})
	}
	const limit = 100 << 20
	for _, tt := range []struct{ bytes, left int64 }{
		{0, limit - anyFile}, {1000, limit - anyFile - perByte*1000}, {limit / perByte, 0}, {limit, 0}, {1 << 62, 0},
	} {
		t.Run(fmt.Sprint(tt.bytes), func(t *testing.T) {
			m := newMemoryLimit(limit)
			release := m.take(t.Context(), tt.bytes)
			if !m.TryAcquire(tt.left) || m.TryAcquire(1) {
				t.Errorf("it does not leave %d bytes", tt.left)
			}
			m.Release(tt.left)
			if release(); !m.TryAcquire(limit) {
				t.Error("not everything was released")
			}
		})
	}
	m := newMemoryLimit(limit)
	m.take(t.Context(), limit)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	m.take(ended, 1)() // panics if it releases what it could not take
}
