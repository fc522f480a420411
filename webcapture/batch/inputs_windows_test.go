package batch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The shells of Windows expand no patterns. Results have backslashes if the path has one.
func TestPatternsOfWindows(t *testing.T) {
	dir := write(t, map[string][]byte{"arch/a.PDF": nil, "arch/b.pdf": nil, "arch/x/y/c.pdf": nil, "arch/d.txt": nil})
	t.Chdir(dir)
	volume := filepath.VolumeName(dir)
	for pattern, want := range map[string][]string{
		`arch\*.pdf`:                     {`arch\a.PDF`, `arch\b.pdf`},
		`arch/*.pdf`:                     {`arch/a.PDF`, `arch/b.pdf`},
		`ARCH\B.*`:                       {`ARCH\b.pdf`},
		`arch\[bc].pdf`:                  {`arch\b.pdf`},
		`arch\**\*.pdf`:                  {`arch\a.PDF`, `arch\b.pdf`, `arch\x\y\c.pdf`},
		`arch/**/c.pdf`:                  {`arch/x/y/c.pdf`},
		`arch\**/c.pdf`:                  {`arch\x\y\c.pdf`},
		`**\c.pdf`:                       {`arch\x\y\c.pdf`},
		`arch`:                           {`arch/a.PDF`, `arch/b.pdf`, `arch/x/y/c.pdf`}, // as in other systems
		`.\arch`:                         {`arch\a.PDF`, `arch\b.pdf`, `arch\x\y\c.pdf`},
		volume + `arch\b*`:               {volume + `arch\b.pdf`}, // below the current folder of the drive
		dir + `\arch\b*`:                 {dir + `\arch\b.pdf`},
		filepath.ToSlash(dir + `\**\b*`): {filepath.ToSlash(dir + `\arch\b.pdf`)},
		`\\?\` + dir + `\arch\b*`:        {`\\?\` + dir + `\arch\b.pdf`},
	} {
		t.Run(pattern, func(t *testing.T) {
			if got := pathsOf(pattern); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", pattern, got, want)
			}
		})
	}
	none := starts(t, []string{`arch\*.doc`})
	if len(none) != 1 || !strings.HasSuffix(none[0], `*.doc no file matches this pattern`) {
		t.Errorf("without a match: %q", none)
	}
}

// Patterns work on shared folders of other machines.
func TestPatternsOfShares(t *testing.T) {
	dir := write(t, map[string][]byte{"a.pdf": nil})
	volume := filepath.VolumeName(dir)
	share := `\\localhost\` + strings.Replace(volume, ":", "$", 1) + dir[len(volume):]
	if _, err := os.Stat(share); err != nil {
		t.Skip("needs the share of a drive: ", err)
	}
	if got := pathsOf(share + `\*.pdf`); !slices.Equal(got, []string{share + `\a.pdf`}) {
		t.Errorf("%q", got)
	}
}

// The path of an archive may have either separator; the names of its members have slashes.
func TestMembersOfWindows(t *testing.T) {
	dir := write(t, map[string][]byte{"in/x.zip": zipped(t, "f/a.pdf", "%PDF-1.4 0", "b.pdf", "%PDF-1.4 1")})
	t.Chdir(dir)
	for _, path := range []string{`in\x.zip`, `in/x.zip`, dir + `\in\x.zip`} {
		t.Run(path, func(t *testing.T) {
			want := []string{path + "!b.pdf", path + "!f/a.pdf"}
			if got := pathsOf(want...); !slices.Equal(got, want) {
				t.Errorf("%q", got)
			}
			slices.Reverse(want)
			if got := pathsOf(path); !slices.Equal(got, want) {
				t.Errorf("all: %q, want %q", got, want)
			}
		})
	}
	if err := os.Remove(`in\x.zip`); err != nil {
		t.Errorf("after the last member: %v", err)
	}
}
