package batch

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// An audit that takes too long is given up, whether it asks for its context or not, and the
// others go on.
func TestTimeout(t *testing.T) {
	for _, heeds := range []bool{true, false} {
		t.Run(fmt.Sprint(heeds), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hang := make(chan bool)
				opt := Options{Workers: 2, Timeout: time.Minute, Timings: true,
					Do: auditing(func(ctx context.Context, in *Input) (*audit.Report, error) {
						switch {
						case in.Name != "001":
						case heeds:
							<-ctx.Done()
							return nil, context.Cause(ctx)
						default:
							<-hang
						}
						return &audit.Report{}, nil
					})}
				var got []report.Outcome
				var reason string
				var seconds float64
				for rec := range Run(t.Context(), numbered(6), opt) {
					got = append(got, rec.Outcome())
					if rec.Path == "001" {
						reason, seconds = rec.Reason(), rec.Seconds
					}
				}
				want := slices.Repeat([]report.Outcome{report.Nothing}, 6)
				want[1] = report.TimedOut
				if !slices.Equal(got, want) || reason != "time limit of 1m0s exceeded; see --timeout" || seconds < 60 {
					t.Errorf("heeds its context %v: %v, %q, %v s", heeds, got, reason, seconds)
				}
				close(hang)
				synctest.Wait()
			})
		})
	}
}

// The result of an audit that ended because of its limit describes only a part of the file, so it is dropped.
func TestTimeoutDropsPartialResults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opt := Options{Timeout: time.Minute, Do: func(ctx context.Context, in *Input, rec *report.Record) {
			rec.Report, rec.Size, rec.SHA256 = &audit.Report{}, 7, "77"
			if in.Name == "001" {
				<-ctx.Done()
			}
		}}
		for rec := range Run(t.Context(), numbered(3), opt) {
			late := rec.Path == "001"
			if (rec.Report == nil) != late || (rec.Outcome() == report.TimedOut) != late || rec.Size != 7 ||
				rec.SHA256 != "77" || rec.Seconds != 0 {
				t.Errorf("record %+v with outcome %v", rec, rec.Outcome())
			}
		}
	})
}

// Waiting for memory is not a part of the time that an audit may take.
func TestTimeoutBeginsWithTheAudit(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for i := range 4 {
		paths = append(paths, filepath.Join(dir, fmt.Sprint(i)))
		if err := os.WriteFile(paths[i], make([]byte, 1000), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		opt := Options{Workers: 4, Timeout: time.Minute, Memory: 1000,
			Do: auditing(func(ctx context.Context, in *Input) (*audit.Report, error) {
				time.Sleep(50 * time.Second)
				return &audit.Report{}, ctx.Err()
			})}
		for rec := range Run(t.Context(), files(paths), opt) {
			if rec.Err != nil {
				t.Errorf("%s: %v", rec.Path, rec.Err)
			}
		}
	})
}

func files(paths []string) iter.Seq[*Input] {
	return func(yield func(*Input) bool) {
		for _, p := range paths {
			if !yield(&Input{Name: p, path: p}) {
				return
			}
		}
	}
}

// Audits share the memory: large files wait for each other, small ones do not.
func TestMemoryIsShared(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for i, size := range []int{100, 40 << 20, 100, 40 << 20, 40 << 20, 100} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			path := filepath.Join(dir, fmt.Sprintf("%d-%d", i, size))
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, int64(size)); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		large, most := 0, 0
		opt := Options{Workers: 6, Memory: 256 << 20,
			Do: auditing(func(_ context.Context, in *Input) (*audit.Report, error) {
				if strings.HasSuffix(in.Name, "-100") {
					return &audit.Report{}, nil
				}
				mu.Lock()
				large++
				most = max(most, large)
				mu.Unlock()
				time.Sleep(time.Second)
				mu.Lock()
				large--
				mu.Unlock()
				return &audit.Report{}, nil
			})}
		n := 0
		for range Run(t.Context(), files(paths), opt) {
			n++
		}
		if n != 6 || most != 1 {
			t.Errorf("%d records, %d large files at a time; want 6 and 1", n, most)
		}
	})
}

// Audits of hostile files end by themselves soon after their time limit. The log has the durations.
func TestTimeoutOfHostileFiles(t *testing.T) {
	dir := t.TempDir()
	for i, b := range webcapturetest.Sample(40, webcapturetest.Bombs()) {
		path := filepath.Join(dir, fmt.Sprintf("%d.pdf", i))
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(b.Write(f), f.Close()); err != nil {
			t.Fatal(err)
		}
		ended := make(chan time.Duration, 1)
		r := &runner{opt: Options{Timeout: 20 * time.Millisecond}}
		begun := time.Now()
		go func() {
			ctx, cancel := context.WithTimeoutCause(t.Context(), r.opt.Timeout,
				&report.TimeoutError{Reason: "given up"})
			defer cancel()
			rec := r.audit(ctx, &Input{Name: path, path: path})
			if _, late := errors.AsType[*report.TimeoutError](rec.Err); !late && rec.Report == nil {
				t.Errorf("%s: %v", b.Name, rec.Err)
			}
			ended <- time.Since(begun)
		}()
		select {
		case took := <-ended:
			t.Logf("%s: %v", b.Name, took.Round(time.Millisecond))
		case <-time.After(time.Minute):
			t.Fatalf("%s: the audit does not end", b.Name)
		}
		os.Remove(path)
	}
}
