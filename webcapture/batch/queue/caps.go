package queue

const (
	// chunkBytes is how many bytes of files a chunk has, about: some seconds to a minute of work.
	chunkBytes = 256 << 20

	// chunkSize is how large a chunk may become before it is compressed, about: servers take
	// messages of 1 MB unless they are told otherwise.
	chunkSize = 1 << 20

	// maxChunk is how much of a chunk is read: one input may have a name of 64 kB.
	maxChunk = 4 << 20

	// perRef is what a ref takes beside its words.
	perRef = 16

	// archiveShare: a chunk of members of one archive may have one for so many that stand before
	// them. An archive is read six times in all then, at most, and not once for each chunk.
	archiveShare = 4
)
