package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
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

// The same bytes are audited once, under every name.
func TestDedupe(t *testing.T) {
	other := webcapturetest.Sets(2, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	dir := write(t, map[string][]byte{"a.pdf": site(), "b.pdf": other, "c.pdf": site(), "d.pdf": site(),
		"e.pdf": []byte("text"), "f.pdf": []byte("text")})
	want := slices.Collect(Run(t.Context(), Inputs(slices.Values([]string{dir}), PathOptions{}), Options{}))
	got := slices.Collect(Run(t.Context(), Inputs(slices.Values([]string{dir}), PathOptions{}), Options{Dedupe: true}))
	render := func(list []*report.Record) string {
		var b bytes.Buffer
		w := report.JSON.New(&b, report.Options{})
		for _, rec := range list {
			w.Add(rec)
		}
		w.Close(report.Complete)
		return b.String()
	}
	if render(got) != render(want) {
		t.Errorf("with dedupe\n%s\nwant\n%s", render(got), render(want))
	}
}

// A change of one record does not change others of the same bytes: a finding may be ignored in only one file.
func TestDedupeSharesNothing(t *testing.T) {
	broken := bytes.Replace(site(), []byte("/Limits"), []byte("/Limitx"), -1)
	broken = bytes.Replace(broken, []byte("/SPS"), []byte("/XXX"), -1)
	all := map[string][]byte{}
	for i := range 20 { // some are audited ahead
		all[fmt.Sprintf("%02d.pdf", i)] = broken
	}
	dir := write(t, all)
	left := -1
	for rec := range Run(t.Context(), Inputs(slices.Values([]string{dir}), PathOptions{}),
		Options{Dedupe: true, Workers: 1}) {
		if left < 0 {
			left = rec.Report.Findings.Len()
			rec.Report.Findings.DeleteFunc(func(int, rule.Finding) bool { return true })
		} else if n := rec.Report.Findings.Len(); n != left || n == 0 {
			t.Errorf("%d findings of the second file, %d of the first", n, left)
		}
	}
}

func TestKnownAuditsOnce(t *testing.T) {
	k := newReportCache()
	var manyFindings rule.Findings
	for range maxKnownParts / 4 {
		manyFindings.Add(rule.Finding{Rule: audit.Rules()[0]})
	}
	var audits atomic.Int32
	audited := func() (*audit.Report, error) {
		audits.Add(1)
		return &audit.Report{Findings: manyFindings}, nil
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := k.once(t.Context(), [32]byte{1}, audited); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if audits.Load() != 1 {
		t.Errorf("%d audits of the same bytes", audits.Load())
	}
	// The least recently used report is dropped first.
	for i := byte(2); i < 6; i++ {
		k.once(t.Context(), [32]byte{i}, audited)
	}
	before := audits.Load()
	k.once(t.Context(), [32]byte{5}, audited)
	if audits.Load() != before {
		t.Error("what was asked for last is forgotten")
	}
	k.once(t.Context(), [32]byte{1}, audited)
	if audits.Load() != before+1 || k.parts > maxKnownParts || k.recent.Len() != len(k.reports) {
		t.Errorf("%d audits, %d findings and entries, %d of %d", audits.Load()-before, k.parts, k.recent.Len(),
			len(k.reports))
	}
	// An error is not stored: it may be due to this attempt only.
	failed := func() (*audit.Report, error) { audits.Add(1); return nil, errors.New("x") }
	before = audits.Load()
	k.once(t.Context(), [32]byte{9}, failed)
	k.once(t.Context(), [32]byte{9}, failed)
	if audits.Load() != before+2 {
		t.Error("an error is known")
	}
}

// Each input is in one shard, for any order, and the shards are of about one size.
func TestShards(t *testing.T) {
	const n, count = 10_000, 7
	for i := range n {
		name := fmt.Sprintf("folder/%d.pdf", i)
		in := 0
		for s := range count {
			if (Shard{s, count}).has(name) {
				in++
			}
		}
		if in != 1 {
			t.Fatalf("%s is in %d shards", name, in)
		}
	}
	for s := range count {
		size := 0
		for i := range n {
			if (Shard{s, count}).has(fmt.Sprintf("folder/%d.pdf", i)) {
				size++
			}
		}
		if size < n/count*8/10 || size > n/count*12/10 {
			t.Errorf("shard %d of %d has %d of %d", s, count, size, n)
		}
	}
	if !(Shard{}).has("a.pdf") {
		t.Error("a run that is not shared leaves out an input")
	}
	// All machines must agree on the shard of a name.
	if !(Shard{36, 1000}).has("a.pdf") {
		t.Error("the shard of a name is another one than it was")
	}
}

func TestParseShard(t *testing.T) {
	for s, want := range map[string]Shard{"1/1": {0, 1}, "2/8": {1, 8}, "8/8": {7, 8},
		"1048576/1048576": {1<<20 - 1, 1 << 20}} {
		t.Run(s, func(t *testing.T) {
			if got, err := ParseShard(s); err != nil || got != want || got.String() != s {
				t.Errorf("ParseShard(%q) = %v, %v", s, got, err)
			}
		})
	}
	for _, s := range []string{"", "1", "0/2", "3/2", "a/b", "1/2/3", "-1/2", "1/0", "1/b", "b/1", "1/1048577",
		"99999999999999999999/99999999999999999999", "1/99999999999999999999"} {
		t.Run(s, func(t *testing.T) {
			if got, err := ParseShard(s); err == nil || got != (Shard{}) {
				t.Errorf("ParseShard(%q) = %v", s, got)
			}
		})
	}
}

func TestShardOfEnvironment(t *testing.T) {
	for _, tt := range []struct {
		env  string
		want string
	}{
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=1", "3/4"},
		{"CLOUD_RUN_TASK_INDEX=0 CLOUD_RUN_TASK_COUNT=10", "1/10"},
		{"AWS_BATCH_JOB_ARRAY_INDEX=9 AWS_BATCH_JOB_ARRAY_SIZE=10", "10/10"},
		{"JOB_COMPLETION_INDEX=2 JOB_COMPLETIONS=3", "3/3"},
		{"JOB_COMPLETION_INDEX=3 JOB_COMPLETIONS=3", ""},
		{"JOB_COMPLETION_INDEX=3", ""},
		{"JOB_COMPLETION_INDEX=x JOB_COMPLETIONS=3", ""},
		{"JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=0", ""},
		{"JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=1", "1/1"},
		{"JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=99999999999999999999", ""},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=4", ""},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=x", ""},
		{"AWS_BATCH_JOB_ARRAY_INDEX=-1 AWS_BATCH_JOB_ARRAY_SIZE=10", ""},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=4", ""},
		{"", ""},
	} {
		t.Run(tt.env, func(t *testing.T) {
			env := map[string]string{}
			for _, v := range strings.Fields(tt.env) {
				name, value, _ := strings.Cut(v, "=")
				env[name] = value
			}
			got, err := ShardOf(func(name string) string { return env[name] })
			if (err != nil) != (tt.want == "") || err != nil && got != (Shard{}) || err == nil && got.String() != tt.want {
				t.Errorf("%s: %v, %v; want %s", tt.env, got, err, tt.want)
			}
		})
	}
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
