package webcapturetest

import "encoding/hex"

// greyJPEG is a JPEG file of 8 by 8 samples, written by image/jpeg. It is stored as data, because another release
// of Go might write other bytes and so change identifiers.
var greyJPEG, _ = hex.DecodeString("" +
	"ffd8ffdb00840050373c463c32504641465a55505f78c882786e6e78f5afb991c8ffffffffffffffffffffffffffffffffff" +
	"ffffffffffffffffffffffffffffffffffffffffff01555a5a786978eb8282ebffffffffffffffffffffffffffffffffffff" +
	"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0000b080008000801011100ff" +
	"c400d20000010501010101010100000000000000000102030405060708090a0b100002010303020403050504040000017d01" +
	"020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a34" +
	"35363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495" +
	"969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9" +
	"eaf1f2f3f4f5f6f7f8f9faffda0008010100003f0005afb57fffd9")
