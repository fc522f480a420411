package warc

const (
	// MaxRatio and MaxBody bound the decoded data of an archive file: MaxRatio times the bytes read, plus MaxBody. Text
	// reaches a ratio of 20, lists 100.
	MaxRatio = 250

	// freeAfterBomb is the number of bytes that may be decoded after a member that exceeded the limit, regardless of
	// the stored size.
	freeAfterBomb = 64 << 20

	// maxDict is the maximum size of a zstd dictionary, stored and decoded. Crawlers write dictionaries of up to one
	// MiB.
	maxDict = 32 << 20

	// freeRereads is the number of bytes of an archive file that may be read again, regardless of its size. Further
	// rereads are limited in proportion to the bytes read once, so that the time for any file is linear.
	freeRereads = 16 << 20

	// maxSkip is the maximum number of decoded bytes before a record in its member. If there are more, the file is
	// unpacked.
	maxSkip = 1 << 20

	// maxRecordHeader is the maximum size of the header of a WARC or ARC record. A header must fit into a buffer.
	maxRecordHeader = 64 << 10

	// maxOriginals is the maximum number of records to read to find the original of a revisit. Usually the first record
	// is the original.
	maxOriginals = 16

	// maxSeen is the maximum number of keys to remember while the files of archives are audited. Keys are identifiers,
	// digests, and captures to which revisits may refer.
	maxSeen = 4 << 20

	// maxChain is the maximum length of a chain of revisits that refer to one another.
	maxChain = 4

	// maxSegments is the maximum number of segments of a record: a terabyte in files of a gigabyte.
	maxSegments = 1024

	// maxMethod is the maximum size of the name of a method and the blank after it. Registered methods have up to 17
	// letters.
	maxMethod = 24

	// baseRecords is the number of records that any archive file may have, regardless of its size. minRecord determines
	// the additional number. An index has 64 bytes for each record, but a compressed record can have less than one byte.
	baseRecords = 1 << 20

	// minRecord is less than the compressed size of any real record. It bounds the number of records by the size of a
	// file.
	minRecord = 16

	// scanBuffer is the size of each of two buffers for indexing an archive file.
	scanBuffer = 256 << 10

	// lookupBuffer is the size of each of two buffers for reading one record again.
	lookupBuffer = maxRecordHeader

	// maxReplyBeginning is the number of bytes of a response that may be read while its archive file is indexed. Fields
	// after the status line are needed for partial and interim responses.
	maxReplyBeginning = 8 << 10

	// maxCopies is the maximum number of records with the identifier of a split record. Identifiers are unique, but a
	// folder may have copies of an archive.
	maxCopies = 16

	// maxNestedWACZ is the maximum nesting of WACZ files. Multi-WACZ packages have one level.
	maxNestedWACZ = 4

	// maxDataPackage is the maximum size of a list of files. Each file takes some hundred bytes in the list.
	maxDataPackage = 4 << 20
)
