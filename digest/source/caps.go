package source

// All limits on what a source may ask of the machine. A source may be made to fill
// memory or disks, or to be read for ever. What goes over a limit is skipped and
// counted, or is an error that says so.

// MaxBody is the number of bytes that a body may have, decoded. It is there for
// compressed data that are made to fill disks.
const MaxBody = 1 << 30

// Compressed data.
const (
	// maxRatio and MaxBody bound what is decoded from an archive file: that many
	// times the bytes that were read, and the latter in addition. Text reaches 20,
	// lists 100.
	maxRatio = 250

	// maxCodings is the number of codings that are taken off one body. Servers
	// apply one or two.
	maxCodings = 4

	// maxWindow is the memory that the decoder of a zstd body or frame may take:
	// what the zstd program itself takes without being told to.
	maxWindow = 128 << 20

	// maxDict is the size of a zstd dictionary, as stored and decoded. Crawlers
	// write dictionaries of up to one MiB.
	maxDict = 32 << 20

	// freeRereads is how many bytes of an archive file may be read a second time
	// whatever its size. More than that has to be in proportion to what was read
	// once, so that no file takes longer than linear time.
	freeRereads = 16 << 20
)

// Long members of archive files, which may be all of a file, see longMembers.
const (
	// minLong is how many decoded bytes of a member have to be before a record for the
	// member to be kept: fewer are decoded quickly.
	minLong = 1 << 20

	// freeLooks is how often a member is looked into before it is kept. A record that is
	// looked up alone takes two or three.
	freeLooks = 4
)

// Text of which the end has to be found.
const (
	// maxRecordHeader is the size of the header of a WARC or ARC record. A buffer
	// holds it whole.
	maxRecordHeader = 64 << 10

	// maxReplyHeader is the size of the header of an HTTP reply or of a part of an
	// MHTML file. Browsers stop at 256 KiB.
	maxReplyHeader = 1 << 20

	// maxChecksum is the size of a digest as it stands in a record: twice that of SHA-512 in
	// hexadecimal.
	maxChecksum = 256

	// maxChunkLine is the size of the line before a chunk, and of one of the trailer after
	// all chunks.
	maxChunkLine = 64 << 10

	// maxQuotedLine is the size of a line in quoted-printable, which has 76 bytes (RFC 2045, 6.7). Programs
	// forget to break lines.
	maxQuotedLine = 64 << 10

	// maxManifestLine is the size of a line of a list of files.
	maxManifestLine = 1 << 20

	// maxCDXLine is the size of a line of a CDX or CDXJ index.
	maxCDXLine = 1 << 20

	// maxHAREntry is the size of an entry of a HAR file without its long strings, which
	// is decoded in one piece and takes three times its size. A body, long as it is,
	// is read piece by piece, and has at most MaxBody bytes.
	maxHAREntry = 64 << 20

	// maxHARString is the size of a string from which on it is long.
	maxHARString = 1 << 20

	// maxSpooledURL is the size of the URL in a U file of WWWOFFLE.
	maxSpooledURL = 1 << 16
)

// Numbers of things.
const (
	// maxRedirects is the number of redirects that Find follows. Browsers stop at 20.
	maxRedirects = 10

	// maxKept is the number of things, redirects too, that Find looks at for one URL:
	// a page that was captured every day for two years. Who looks for a page tries
	// every one of them, with every one of those of its files.
	maxKept = 1000

	// maxOriginals is the number of records that are read to find the one that a
	// revisit repeats. Most often the first is the right one.
	maxOriginals = 16

	// baseRecords is the number of records, and of requests that are not for what
	// their URLs stand for, that any archive file may have; minRecord says how many
	// more by its size. An index has 64 bytes for each, and compressed they can have
	// less than one.
	baseRecords = 1 << 20

	// maxParts is the number of parts that an MHTML file may have. Each takes some
	// hundred bytes in memory; pages have some hundred parts.
	maxParts = 1 << 18

	// maxManifestLines is the number of lines that count in a list of files. Each
	// takes some hundred bytes in memory, and a look at the disk.
	maxManifestLines = 1 << 20

	// maxNested is the number of multiparts that may be nested in an MHTML file.
	// Mail that is forwarded nests a few.
	maxNested = 32

	// maxPathEnds is the number of ends of the path of a file: URL that are tried as
	// names below a folder, the longest first. Each takes a look at the disk.
	maxPathEnds = 64

	// maxNamed is the number of files of a folder that are tried for a URL because of their
	// names alone, and maxNamedLooks among how many these are the best. A page has some
	// dozens of files, of which two may have one name.
	maxNamed      = 64
	maxNamedLooks = 1024

	// maxFolderFiles is the number of files of a folder that are looked up by their names.
	// Each takes some hundred bytes in memory.
	maxFolderFiles = 1 << 21

	// maxMarks is the number of pages in a folder that are read to know whether they say of
	// what URL they are. Whoever saves pages by hand has some hundreds.
	maxMarks = 10_000

	// maxZipDirectory is the number of bytes that are read to know what a zip file has
	// in it: some ten thousands of entries, where a WACZ file has dozens. In memory an
	// entry takes ten times its bytes.
	maxZipDirectory = 2 << 20

	// maxNestedWACZ is the number of WACZ files that may be nested in one another. Packages of
	// several have one level.
	maxNestedWACZ = 4

	// maxMultiWACZ is the number of bytes that are read of a list of WACZ files, each of which
	// takes some hundred.
	maxMultiWACZ = 4 << 20

	// maxCacheDirectory is that of the cache of HTTrack, which has an entry for each URL of a
	// mirror, of some hundred bytes.
	maxCacheDirectory = 16 << 20

	// minRecord is less than what any record takes, compressed. It bounds the
	// number of records that the index of a WACZ file may name.
	minRecord = 16
)

// Memory that reading takes.
const (
	// scanBuffer is what indexing an archive file has in memory, twice.
	scanBuffer = 256 << 10

	// lookupBuffer is what reading one record again has in memory, twice.
	lookupBuffer = maxRecordHeader

	// markSize is how much of a page is read to find where it was saved from: programs say
	// so before what the page has.
	markSize = 4 << 10

	// beginningSize is how much of a file is read to tell what it is.
	beginningSize = 64 << 10
)
