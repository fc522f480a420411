package rule

// Side is one of two contradicting records, or Open.
type Side uint8

// The sides: a key of a name tree, and the content set in its value.
const (
	Open Side = iota // the user made no choice
	Keys
	Sets
)

var sideNames = [...]string{"", "keys", "sets"}

// String returns the value of --prefer for the side; empty for Open.
func (s Side) String() string { return sideNames[s] }

// ParseSide returns the side with a name; false if no side has it.
func ParseSide(name string) (Side, bool) {
	for s, n := range sideNames {
		if n == name {
			return Side(s), true
		}
	}
	return Open, false
}
