package command

import (
	"fmt"
	"os"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func TestDump(t *testing.T) {
	dir := os.Getenv("DUMP")
	if dir == "" {
		t.Skip()
	}
	for i, b := range webcapturetest.Bombs() {
		f, err := os.Create(fmt.Sprintf("%s/%03d.pdf", dir, i))
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Write(f); err != nil {
			t.Fatal(err)
		}
		f.Close()
		fmt.Printf("%03d %s\n", i, b.Name)
	}
}
