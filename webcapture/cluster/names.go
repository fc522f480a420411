package cluster

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
)

// Each job has two streams. The stream of chunks starts with the job. Then come chunks in the order of their
// inputs, and finally a message that marks the end. The number of a chunk is its sequence in this stream. The
// stream of results has the messages of workers; their subjects contain the names of chunks.
const (
	chunksPrefix  = "WEBCAP_CHUNKS_"
	resultsPrefix = "WEBCAP_RESULTS_"
	filesPrefix   = "WEBCAP_FILES_"  // prefix of object stores for the contents of inputs
	signsStream   = "WEBCAP_WORKERS" // stream of heartbeats, one per worker
	signSubject   = "webcap.worker."
	consumerName  = "w"

	firstChunk uint64 = 2 // follows the message of the job
)

// Headers of messages.
const (
	byHeader     = "Webcap-By"     // the publisher, which recognizes its own message if the answer is lost
	inputsHeader = "Webcap-Inputs" // number of inputs of a chunk or its result
	sumHeader    = "Webcap-Sum"    // SHA-256 of a result including all its parts
	partsHeader  = "Webcap-Parts"  // subject prefix of the parts, and their number
	nameHeader   = "Webcap-Name"   // name of a skipped input, quoted
	totalHeader  = "Webcap-Total"  // number of inputs up to this message
)

func chunksStream(job string) string  { return chunksPrefix + job }
func resultsStream(job string) string { return resultsPrefix + job }

// filesStream returns the name of the stream of the object store of a job.
func filesStream(job string) string { return "OBJ_" + filesPrefix + job }

// jobOfStream returns the name of the job from the name of its stream of chunks.
func jobOfStream(stream string) (job string, ok bool) { return strings.CutPrefix(stream, chunksPrefix) }

func jobSubject(job string) string    { return "webcap.chunks." + job + ".job" }
func chunkSubject(job string) string  { return "webcap.chunks." + job + ".chunk" }
func endSubject(job string) string    { return "webcap.chunks." + job + ".end" }
func cancelSubject(job string) string { return "webcap.chunks." + job + ".cancel" }
func chunksSubjects(job string) string {
	return "webcap.chunks." + job + ".*"
}

func resultsSubjects(job string) string { return "webcap.results." + job + ".>" }

// chunkName returns the name of a chunk in the subjects of its results. It has two words: the chunk's number and
// digest. So if servers lose a chunk and another gets the same number, the other never gets the result of the lost
// one.
func chunkName(number uint64, data []byte) string {
	sum := sha256.Sum256(data)
	return fmt.Sprintf("%09d.%x", number, sum[:16])
}

func resultSubject(job, chunk string) string { return ofChunk(job, "chunk", chunk) }

// resultsOfChunks returns the subject pattern of all results.
func resultsOfChunks(job string) string { return ofChunk(job, "chunk", "*.*") }

// numberOf returns the number of the chunk, given the subject of a result.
func numberOf(subject string) uint64 {
	words := strings.Split(subject, ".")
	n, _ := strconv.ParseUint(words[len(words)-2], 10, 64)
	return n
}

// aloneSubject returns the subject of the log of a chunk whose inputs are audited one by one.
func aloneSubject(job, chunk string) string { return ofChunk(job, "alone", chunk) }

// partSubject returns the subject prefix of the parts of a result, for one worker.
func partSubject(job, chunk, by string) string {
	return ofChunk(job, "part", chunk) + "." + by
}

// poisonSubject returns the subject for a skipped input.
func poisonSubject(job, chunk string, at int) string {
	return ofChunk(job, "poison", chunk) + "." + strconv.Itoa(at)
}

func poisonSubjects(job string) string { return "webcap.results." + job + ".poison.>" }

func ofChunk(job, kind, chunk string) string {
	return "webcap.results." + job + "." + kind + "." + chunk
}

// checkName returns an error unless name is valid for a job.
func checkName(name string) error {
	bad := strings.IndexFunc(name, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if name == "" || len(name) > 64 || bad >= 0 {
		return fmt.Errorf("%q is not a valid job name; use at most 64 letters, digits, - and _", name)
	}
	return nil
}
