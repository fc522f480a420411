package archive

// All limits on what an archive may ask of the machine. What is over a limit is a Member
// whose Err says so, and the others go on.

const (
	// maxDepth is how deep archives may be in archives: a WARC file in a WACZ file that is
	// in a zip file is at 3.
	maxDepth = 3

	// maxRatio and freeSize bound what all that is in an archive may decode to: each member
	// to that many times what it is stored in, and all together to the latter in addition. Text
	// reaches 20, lists 100.
	maxRatio = 250

	// freeSize is what may be decoded of any archive, see maxRatio.
	freeSize = 1 << 30

	// passedSize is what may be decoded of all tar files in addition to maxRatio, to reach the members after one that is
	// too large.
	passedSize = 4 << 30

	// maxDirectory is the size of the directory of a zip file: that of about a million
	// members. In memory it takes ten times as much.
	maxDirectory = 64 << 20

	// maxWindow is the memory that the decoder of a zstd frame or of an xz block may take: what the zstd
	// program itself takes without being told to.
	maxWindow = 128 << 20

	// inMemory is the size up to which a member is held in memory. Larger ones go to
	// temporary files, which are mapped.
	inMemory = 1 << 20

	// headerEnd is where the header of a PDF is at the latest, as Acrobat has it.
	headerEnd = 1024

	// startSize is how much of a file is read to tell what it is: a kilobyte, which may be
	// compressed.
	startSize = 4 * headerEnd

	// lookAhead is the same for compressed entries that come in a stream: a block of bzip2 is
	// decoded whole, and has at most 900,000 bytes, which may have become more.
	lookAhead = 1 << 20
)
