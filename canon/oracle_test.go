package canon

import (
	"strings"
	"testing"
)

// literal1808 follows RFC 1808, 4, step 6 a to d, word by word, on a path without its initial slash.
func literal1808(p string) string {
	starts := func(i int) bool { return i == 0 || p[i-1] == '/' } // a segment starts at i
	for again := true; again; {                                   // a
		again = false
		for i := range len(p) {
			if starts(i) && strings.HasPrefix(p[i:], "./") {
				p, again = p[:i]+p[i+2:], true
				break
			}
		}
	}
	if n := len(p) - 1; n >= 0 && p[n] == '.' && starts(n) { // b
		p = p[:n]
	}
	for again := true; again; { // c
		again = false
		for i := range len(p) {
			if !starts(i) {
				continue
			}
			segment, rest, ok := strings.Cut(p[i:], "/")
			if ok && segment != ".." && strings.HasPrefix(rest, "../") {
				p, again = p[:i]+rest[3:], true
				break
			}
		}
	}
	if head, ok := strings.CutSuffix(p, "/.."); ok { // d
		if i := strings.LastIndexByte(head, '/') + 1; head[i:] != ".." {
			p = head[:i]
		}
	}
	return p
}

// literal3986 follows RFC 3986, 5.2.4, with its input and output buffer.
func literal3986(in string) string {
	out := ""
	pop := func() { out = out[:max(0, strings.LastIndexByte(out, '/'))] }
	for in != "" {
		switch {
		case strings.HasPrefix(in, "../"): // A
			in = in[3:]
		case strings.HasPrefix(in, "./"):
			in = in[2:]
		case strings.HasPrefix(in, "/./"): // B
			in = in[2:]
		case in == "/.":
			in = "/"
		case strings.HasPrefix(in, "/../"): // C
			in = in[3:]
			pop()
		case in == "/..":
			in = "/"
			pop()
		case in == "." || in == "..": // D
			in = ""
		default: // E
			n := strings.IndexByte(in[1:], '/') + 1
			if n == 0 {
				n = len(in)
			}
			out += in[:n]
			in = in[n:]
		}
	}
	return out
}

// paths calls f with each path of up to max segments out of a short list, without an initial slash.
func paths(max int, f func(string)) {
	var grow func(path string, left int)
	grow = func(path string, left int) {
		f(path)
		if left > 0 {
			for _, s := range []string{".", "..", "a", ""} {
				grow(path+"/"+s, left-1)
			}
		}
	}
	for _, s := range []string{".", "..", "a", ""} {
		grow(s, max-1)
	}
}

func TestDotSegmentsAgreeWithTheLettersOfTheRFCs(t *testing.T) {
	segments, count := 7, 0
	if testing.Short() {
		segments = 5
	}
	check := func(p *Profile, base, ref, want string) {
		count++
		if got := p.Resolve(nil, []byte(base), []byte(ref)); string(got) != want {
			t.Errorf("%s: Resolve(%q, %q) = %q, want %q", p.Name(), base, ref, got, want)
		}
		if got := p.Changes([]byte(ref)).Has('g'); base == "" && got != (ref != want) {
			t.Errorf("%s: Changes(%q) has g: %v, but the literal result is %q", p.Name(), ref, got, want)
		}
	}
	paths(segments, func(path string) {
		check(PDF, "", "http://h/"+path, "http://h/"+literal1808(path))
		check(PDF2, "", "http://h/"+path, "http://h"+literal3986("/"+path))
		if strings.HasPrefix(path, "/") || path == "" {
			return // not a relative path
		}
		guard := func(scheme, path string) string {
			if strings.HasPrefix(path, "//") {
				return scheme + "//" + path
			}
			return scheme + path
		}
		check(PDF, "", "http:"+path, guard("http:", literal1808(path)))
		check(PDF2, "", "http:"+path, guard("http:", literal3986(path)))
		check(PDF, "http://h/x/y", path, "http://h/"+literal1808("x/"+path))
		check(PDF2, "http://h/x/y", path, "http://h"+literal3986("/x/"+path))
		check(PDF, "file:/x/y?q", path, guard("file:", "/"+literal1808("x/"+path)))
		check(PDF2, "file:/x/y?q", path, guard("file:", literal3986("/x/"+path)))
	})
	t.Logf("%d cases", count)
}
