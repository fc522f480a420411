package nametree

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Unread returns the reason why the defect makes the Tree incomplete: Err, or the limit that was exceeded. Otherwise it
// returns nil.
func (d Defect) Unread() error {
	if d.Kind == TooDeep {
		return &object.Malformed{Reason: fmt.Sprintf("the tree has more than %d levels", caps.depth)}
	}
	return d.Err
}
