package object

// A RefTable maps references to numbers. It uses 4 bytes for each object number up to the largest number in the table,
// because object numbers are dense. The zero value is empty.
type RefTable struct {
	numbers []int32       // by number: references with generation 0 and a number up to MaxNumber
	rest    map[Ref]int32 // other references
}

// Get returns the number of r; 0 if r is not in the table.
func (t *RefTable) Get(r Ref) int32 {
	if r.Gen != 0 || r.Num > MaxNumber {
		return t.rest[r]
	}
	if int(r.Num) < len(t.numbers) {
		return t.numbers[r.Num]
	}
	return 0
}

// Set sets the number of r.
func (t *RefTable) Set(r Ref, n int32) {
	if r.Gen != 0 || r.Num > MaxNumber {
		if t.rest == nil {
			t.rest = map[Ref]int32{}
		}
		t.rest[r] = n
		return
	}
	if grow := int(r.Num) + 1 - len(t.numbers); grow > 0 {
		t.numbers = append(t.numbers, make([]int32, grow)...)
	}
	t.numbers[r.Num] = n
}
