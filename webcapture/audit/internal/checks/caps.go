package checks

// The caps of this package, each with its reason.

// MaxSame is how many entries with one key are looked at: a duplicate key is an error
// by itself, and sets that all have it would look at all of them, each.
const MaxSame = 16

// maxPosted is how many bytes of the data that a command posts are looked at for
// passwords.
const maxPosted = 1 << 20
