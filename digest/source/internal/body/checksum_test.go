package body

import (
	"strings"
	"testing"
)

// TestChecksums: the digest of "abc" (FIPS 180-2, RFC 1321) in the forms that programs write.
func TestChecksums(t *testing.T) {
	const one, five = "a9993e364706816aba3e25717850c26c9cd0d89d", "900150983cd24fb0d6963f7d28e17f72"
	const two = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	const five12 = "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a" +
		"2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
	for sum, valid := range map[string]bool{
		"sha1:" + one: true, "SHA-1:" + strings.ToUpper(one): true, " sha1 : " + one + " ": true,
		"sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5": true,
		"sha1:vgmt4nsha2awvor6evyxqugcnsonbwe5": true,
		"sha1:qZk+NkcGgWq6PiVxeFDCbJzQ2J0=":     true,
		"md5:" + five:                           true,
		"md5:kAFQmDzST7DWlj99KOF/cg==":          true,
		"sha256:" + two:                         true,
		"sha512:" + five12:                      true,
		"sha256:" + one:                         false,
		"md5:" + one:                            false,
		"sha1:" + one[1:]:                       false,
		"sha1:" + one[:39] + "g":                false,
		"sha3:" + two:                           false,
		one:                                     false,
		"":                                      false,
	} {
		t.Run(sum, func(t *testing.T) {
			check := Checksum(sum).New()
			if (check != nil) != valid {
				t.Fatalf("valid: %v, want %v", check != nil, valid)
			}
			if check == nil {
				return
			}
			check.Write([]byte("ab"))
			if check.Agrees() {
				t.Error("agrees with other data")
			}
			if check.Write([]byte("c")); !check.Agrees() {
				t.Error("does not agree with the data")
			}
		})
	}
}
