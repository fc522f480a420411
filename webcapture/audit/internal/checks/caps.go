package checks

// Limits of this package, each with its reason.

// MaxSame is the maximum number of content sets or entries that are compared for one key. Duplicate keys are a finding
// already, and without a limit each of many content sets with one key would be compared with all others.
const MaxSame = 16

// maxPosted is the maximum number of bytes of a command's posted data that are searched for passwords.
const maxPosted = 1 << 20
