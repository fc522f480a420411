package object_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Callers that skip malformed objects must still stop when the disk fails.
func TestIgnoreMalformed(t *testing.T) {
	malformed := &object.Malformed{Reason: "x"}
	for i, err := range []error{nil, malformed, fmt.Errorf("node 1: %w", malformed)} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := object.IgnoreMalformed(err); got != nil {
				t.Errorf("IgnoreMalformed(%v) = %v", err, got)
			}
		})
	}
	for i, err := range []error{io.ErrUnexpectedEOF, errors.New("object 1 0: x")} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := object.IgnoreMalformed(err); got != err {
				t.Errorf("IgnoreMalformed(%v) = %v", err, got)
			}
		})
	}
}
