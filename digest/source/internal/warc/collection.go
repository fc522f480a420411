package warc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
)

// dataPackage is the list of the WACZ files of a collection. It is in the same folder as the files.
type dataPackage struct {
	Profile   string
	Resources []struct{ Path string }
}

const multiWACZProfile = "multi-wacz-package"

// readMultiWACZ reads a list of WACZ files; nil if the file is not such a list.
func readMultiWACZ(name string) *dataPackage {
	if localfile.Regular(name) != nil {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	start := make([]byte, localfile.BeginningSize)
	n, _ := io.ReadFull(f, start)
	start = bytes.TrimPrefix(start[:n], []byte("\xef\xbb\xbf"))
	if !bytes.HasPrefix(bytes.TrimSpace(start), []byte("{")) {
		return nil
	}
	var m dataPackage
	if err := json.NewDecoder(io.MultiReader(bytes.NewReader(start),
		io.LimitReader(f, maxDataPackage))).Decode(&m); err != nil || m.Profile != multiWACZProfile {
		return nil
	}
	return &m
}

// list collects the archive files in the WACZ files of a list. name is the path of the list.
func (r *waczReader) list(m *dataPackage, name string) error {
	seen := map[string]bool{} // the list may name a file several times
	for _, f := range m.Resources {
		where := name + ", " + f.Path
		switch {
		case localfile.Remote.MatchString(f.Path):
			r.t.SkipLost(where, "a WACZ file on a server; download it first")
			continue
		case !isNestedWACZ(f.Path):
			continue // other files of the collection
		case !filepath.IsLocal(filepath.FromSlash(f.Path)):
			r.t.SkipLost(where, "a WACZ file outside the folder of the list")
			continue
		}
		file := filepath.Join(filepath.Dir(name), filepath.FromSlash(f.Path))
		if seen[file] {
			continue
		}
		seen[file] = true
		if err := r.file(file); err != nil {
			if e := localfile.PathError(err); e != nil {
				err = e.Err
			}
			r.t.SkipLost(where, err.Error())
		}
	}
	if len(r.parts) == 0 {
		return fmt.Errorf("no WACZ file in the list can be read%s", capture.FirstSkip(r.t.Total()))
	}
	return nil
}
