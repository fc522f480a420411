package cluster

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
)

// Each job has two streams. That of its chunks has the job first, then chunks in the order of their
// inputs, and after the last one a message that says so; a chunk has its sequence in there as its number.
// That of its results has what the workers say, under the names of chunks.
const (
	chunksPrefix  = "WEBCAP_CHUNKS_"
	resultsPrefix = "WEBCAP_RESULTS_"
	filesPrefix   = "WEBCAP_FILES_"  // of the object store for bytes of inputs
	signsStream   = "WEBCAP_WORKERS" // the stream of signs of life, one for each worker
	signSubject   = "webcap.worker."
	consumerName  = "w"

	firstChunk uint64 = 2 // after the job
)

// Headers of messages.
const (
	byHeader     = "Webcap-By"     // who published it, to know it again if the answer is lost
	inputsHeader = "Webcap-Inputs" // of a chunk, or of its result
	bytesHeader  = "Webcap-Bytes"
	sumHeader    = "Webcap-Sum"   // SHA-256 of a result, with all of its parts
	partsHeader  = "Webcap-Parts" // the subject below which the parts are, and their number
	nameHeader   = "Webcap-Name"  // of an input that was given up, quoted
	totalHeader  = "Webcap-Total" // inputs up to this message
)

func chunksStream(job string) string  { return chunksPrefix + job }
func resultsStream(job string) string { return resultsPrefix + job }

// jobOfStream returns the job whose chunks a stream has.
func jobOfStream(stream string) (job string, ok bool) { return strings.CutPrefix(stream, chunksPrefix) }

func jobSubject(job string) string    { return "webcap.chunks." + job + ".job" }
func chunkSubject(job string) string  { return "webcap.chunks." + job + ".chunk" }
func endSubject(job string) string    { return "webcap.chunks." + job + ".end" }
func cancelSubject(job string) string { return "webcap.chunks." + job + ".cancel" }
func chunksSubjects(job string) string {
	return "webcap.chunks." + job + ".*"
}

func resultsSubjects(job string) string { return "webcap.results." + job + ".>" }

// chunkName returns the name of a chunk in the subjects of what became of it: its number, and a digest of it, two
// words. So a result is never taken for that of another chunk, which was given the number after servers had lost
// the first.
func chunkName(number uint64, data []byte) string {
	sum := sha256.Sum256(data)
	return fmt.Sprintf("%09d.%x", number, sum[:16])
}

func resultSubject(job, chunk string) string { return ofChunk(job, "chunk", chunk) }

// resultsOfChunks are the subjects of all results.
func resultsOfChunks(job string) string { return ofChunk(job, "chunk", "*.*") }

// numberOf returns the number of the chunk of which a subject is the result.
func numberOf(subject string) uint64 {
	words := strings.Split(subject, ".")
	n, _ := strconv.ParseUint(words[len(words)-2], 10, 64)
	return n
}

// aloneSubject is the subject of the log of a chunk whose inputs are audited one by one.
func aloneSubject(job, chunk string) string { return ofChunk(job, "alone", chunk) }

// partSubject is that below which one worker puts the parts of a result.
func partSubject(job, chunk, by string) string {
	return ofChunk(job, "part", chunk) + "." + by
}

// poisonSubject is that of an input that was given up.
func poisonSubject(job, chunk string, at int) string {
	return ofChunk(job, "poison", chunk) + "." + strconv.Itoa(at)
}

func poisonSubjects(job string) string { return "webcap.results." + job + ".poison.>" }

func ofChunk(job, kind, chunk string) string {
	return "webcap.results." + job + "." + kind + "." + chunk
}

// checkName returns an error unless name can be that of a job.
func checkName(name string) error {
	bad := strings.IndexFunc(name, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if name == "" || len(name) > 64 || bad >= 0 {
		return fmt.Errorf("%q cannot be the name of a job: it has letters, digits, - and _, 64 at most", name)
	}
	return nil
}
