package rewrite

import (
	"math/rand/v2"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/audittest"
)

func TestTmp(t *testing.T) {
	bases := audittest.Generated(t)
	r := rand.New(rand.NewPCG(17, 1))
	for n := range 3000 {
		program := []byte{byte(r.IntN(256))}
		for range 1 + r.IntN(6) {
			program = append(program, byte(r.IntN(256)))
		}
		_ = n
		checkDamageRepaired(t, bases, program)
		if t.Failed() { t.Logf("%v", program) }
	}
}
