package rule

// Side is one of several contradicting records, or Open.
type Side uint8

// The sides: a key of a name tree, the content set in its value, and the data of images.
const (
	Open Side = iota // the user made no choice
	Keys
	Sets
	Data
)

var sideNames = [...]string{"", "keys", "sets", "data"}

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
