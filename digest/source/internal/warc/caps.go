package warc

const (
	// MaxRatio and MaxBody bound what is decoded from an archive file: that many
	// times the bytes that were read, and the latter in addition. Text reaches 20,
	// lists 100.
	MaxRatio = 250

	// freeAfterBomb is how many bytes members may decode to after one that grows too much, regardless of their
	// stored size.
	freeAfterBomb = 64 << 20

	// maxDict is the size of a zstd dictionary, as stored and decoded. Crawlers
	// write dictionaries of up to one MiB.
	maxDict = 32 << 20

	// freeRereads is how many bytes of an archive file may be read a second time
	// regardless of its size. More than that has to be in proportion to what was read
	// once, so that no file takes longer than linear time.
	freeRereads = 16 << 20

	// minLong is how many decoded bytes of a member have to be before a record for the
	// member to be kept: fewer are decoded quickly.
	minLong = 1 << 20

	// freeLooks is how often a member is looked into before it is kept. A record that is
	// looked up alone takes two or three.
	freeLooks = 4

	// maxRecordHeader is the size of the header of a WARC or ARC record. A buffer
	// holds it whole.
	maxRecordHeader = 64 << 10

	// maxCDXLine is the size of a line of a CDX or CDXJ index.
	maxCDXLine = 1 << 20

	// maxOriginals is the number of records that are read to find the one that a
	// revisit repeats. Most often the first is the right one.
	maxOriginals = 16

	// maxSeen is the number of identifiers, digests, and captures that revisits may refer to and that are known while
	// the files of archives are audited.
	maxSeen = 4 << 20

	// maxChain is the number of revisits that refer to one another and are followed.
	maxChain = 4

	// maxSegments is the number of records that one record may be split into: a terabyte in files of a gigabyte.
	maxSegments = 1024

	// maxMethod is the size of the name of a method and of the blank after it: registered ones have 17 letters.
	maxMethod = 24

	// baseRecords is the number of records, and of requests that are not for what
	// their URLs stand for, that any archive file may have; minRecord says how many
	// more by its size. An index has 64 bytes for each, and compressed they can have
	// less than one.
	baseRecords = 1 << 20

	// minRecord is less than what any record takes, compressed. It bounds the
	// number of records that the index of a WACZ file may name.
	minRecord = 16

	// scanBuffer is what indexing an archive file has in memory, twice.
	scanBuffer = 256 << 10

	// lookupBuffer is what reading one record again has in memory, twice.
	lookupBuffer = maxRecordHeader

	// maxReplyBeginning is how much of a reply is looked at while its archive file is indexed: its status is that
	// of a part, or of an interim reply, and its other fields may say more.
	maxReplyBeginning = 8 << 10
)
