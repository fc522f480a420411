package batch

import (
	"fmt"
	"hash/fnv"
	"iter"
	"strconv"
	"strings"
)

// Shard is a part of the inputs for one of several runs. The name of an input alone determines its shard,
// regardless of order and of other inputs.
type Shard struct{ Index, Count int } // Index from 0

// ParseShard parses a shard in the form I/N with I from 1.
func ParseShard(s string) (Shard, error) {
	i, n, _ := strings.Cut(s, "/")
	index, errI := strconv.Atoi(i)
	count, errN := strconv.Atoi(n)
	if errI != nil || errN != nil || index < 1 || index > count || count > maxShards {
		return Shard{}, fmt.Errorf("%q is not a shard such as 1/4", s)
	}
	return Shard{index - 1, count}, nil
}

// String returns the shard as ParseShard reads it.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index+1, s.Count) }

// schedulers maps job schedulers to their environment variables: index, number of jobs, and first index.
var schedulers = []struct{ index, count, first string }{
	{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"},
	{"CLOUD_RUN_TASK_INDEX", "CLOUD_RUN_TASK_COUNT", ""},
	{"AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", ""},
	{"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", ""}, // Kubernetes; JOB_COMPLETIONS is set in the manifest
}

// ShardOf returns the shard according to environment variables of a Slurm or AWS Batch array job, a Cloud Run job,
// or an indexed Kubernetes job.
func ShardOf(getenv func(string) string) (Shard, error) {
	for _, v := range schedulers {
		if getenv(v.index) == "" {
			continue
		}
		index, errI := strconv.Atoi(getenv(v.index))
		count, errN := strconv.Atoi(getenv(v.count))
		if v.first != "" {
			first, err := strconv.Atoi(getenv(v.first))
			if err != nil {
				return Shard{}, fmt.Errorf("%s is %q, which is not a number", v.first, getenv(v.first))
			}
			index -= first
		}
		if errI != nil || errN != nil || index < 0 || index >= count {
			return Shard{}, fmt.Errorf("%s=%q and %s=%q do not name a shard", v.index, getenv(v.index), v.count,
				getenv(v.count))
		}
		return Shard{index, count}, nil
	}
	return Shard{}, fmt.Errorf("no environment variable says which shard this is; name one, such as 1/4")
}

// has reports whether the input with this name belongs to the shard.
func (s Shard) has(name string) bool {
	h := fnv.New64a()
	h.Write([]byte(name))
	// The low bits of FNV depend mostly on the last bytes, so they are mixed again.
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return s.Count <= 1 || int(x%uint64(s.Count)) == s.Index
}

// Inputs yields the inputs that belong to the shard.
func (s Shard) Inputs(inputs iter.Seq[*Input]) iter.Seq[*Input] {
	return only(inputs, s.has)
}

// only yields the inputs whose names are wanted, and releases all others.
func only(inputs iter.Seq[*Input], wanted func(name string) bool) iter.Seq[*Input] {
	return func(yield func(*Input) bool) {
		for in := range inputs {
			if !wanted(in.Name) {
				in.close()
				continue
			}
			if !yield(in) {
				return
			}
		}
	}
}
