package warc

const (
	// MaxRatio and MaxBody bound the decoded data of an archive file: MaxRatio times the bytes read, plus MaxBody. Text
	// reaches a ratio of 20, lists 100.
	MaxRatio = 250

	// freeAfterBomb is how many bytes members may decode to after one that grows too much, regardless of their
	// stored size.
	freeAfterBomb = 64 << 20

	// maxDict is the maximum size of a zstd dictionary, stored and decoded. Crawlers write dictionaries of up to one
	// MiB.
	maxDict = 32 << 20

	// freeRereads is how many bytes of an archive file may be read a second time
	// regardless of its size. More than that has to be in proportion to what was read
	// once, so that no file takes longer than linear time.
	freeRereads = 16 << 20

	// minLong is the minimum number of decoded bytes of a member before a record for keeping the member: fewer are
	// decoded quickly.
	minLong = 1 << 20

	// freeLooks is the number of accesses to a member after which it is kept. A single look-up of a record takes two or
	// three.
	freeLooks = 4

	// maxRecordHeader is the maximum size of the header of a WARC or ARC record. It must fit into a buffer.
	maxRecordHeader = 64 << 10

	// maxCDXLine is the maximum size of a line of a CDX or CDXJ index.
	maxCDXLine = 1 << 20

	// maxOriginals is the maximum number of records to read to find the original of a revisit. Usually the first is the
	// right one.
	maxOriginals = 16

	// maxSeen is the maximum number of remembered identifiers, digests, and captures to which revisits may refer, while
	// the files of archives are audited.
	maxSeen = 4 << 20

	// maxChain is the maximum length of a chain of revisits that refer to one another.
	maxChain = 4

	// maxSegments is the maximum number of segments of a record: a terabyte in files of a gigabyte.
	maxSegments = 1024

	// maxMethod is the maximum size of the name of a method and the blank after it: registered ones have 17 letters.
	maxMethod = 24

	// baseRecords is the number of records, and of requests with methods other than GET, that any archive file may
	// have; minRecord gives the additional number by its size. An index has 64 bytes for each, and compressed records
	// can have less than one.
	baseRecords = 1 << 20

	// minRecord is less than the compressed size of any record. It bounds the number of records in the index of a WACZ
	// file.
	minRecord = 16

	// scanBuffer is the size of each of two buffers for indexing an archive file.
	scanBuffer = 256 << 10

	// lookupBuffer is the size of each of two buffers for reading one record again.
	lookupBuffer = maxRecordHeader

	// maxReplyBeginning is the number of bytes of a response that are read while its archive file is indexed: its
	// status may be that of a part, or of an interim response, and its other fields decide.
	maxReplyBeginning = 8 << 10
)
