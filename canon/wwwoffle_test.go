package canon

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"testing"
)

func TestCacheNames(t *testing.T) {
	for _, name := range []string{"wwwoffle29.tsv", "wwwoffle26.tsv"} {
		t.Run(name, func(t *testing.T) {
			for _, row := range rows(t, name, 7) {
				if got := CacheName([]byte(row[2])); got != row[4] {
					t.Errorf("CacheName(%q) = %q, want %q", row[2], got, row[4])
				}
			}
		})
	}
}

// TestOctets runs each octet but 0 through the codings. URLEncodeFormArgs makes links and is not part of a profile.
func TestOctets(t *testing.T) {
	for _, f := range []struct {
		name string
		path *octetTable
	}{
		{"wwwoffle-octets-2.9.tsv", &wwwPath},
		{"wwwoffle-octets-2.7e.tsv", &wwwPath26},
	} {
		t.Run(f.name, func(t *testing.T) {
			for i, row := range rows(t, f.name, 6) {
				v, err := strconv.ParseUint(row[0], 16, 8)
				if err != nil {
					t.Fatalf("row %d: %v", i, err)
				}
				raw, escaped := string([]byte{byte(v)}), "%"+row[0]
				check := func(t2 *octetTable, in, want string) {
					if got := string(t2.append(nil, []byte(in))); got != want {
						t.Errorf("%q becomes %q, want %q", in, got, want)
					}
				}
				check(f.path, escaped, row[1])
				check(&wwwQuery, escaped, row[3])
				check(&wwwUserinfo, escaped, row[5])
				if raw == "%" {
					raw = "%4" // a percent sign at the end would also do
					for j := range row {
						row[j] += "4"
					}
				}
				check(f.path, raw, row[1])
				check(&wwwQuery, raw, row[2])
				check(&wwwUserinfo, raw, row[5])
			}
		})
	}
}

// editionRow has the results of 2.9 and 2.6 for a URL.
type editionRow struct{ name, url, want, want26 string }

// checkEditions checks rows in which 2.9 and 2.9e agree.
func checkEditions(t *testing.T, base string, rows []editionRow) {
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			checkEveryWay(t, WWWOFFLE29, base, row.url, row.want)
			checkEveryWay(t, WWWOFFLE29E, base, row.url, row.want)
			checkEveryWay(t, WWWOFFLE26, base, row.url, row.want26)
		})
	}
}

// TestLinks tests cases of LinkURL that the vectors do not have.
func TestLinks(t *testing.T) {
	const page = "http://U:p@H:80/b/c/d;p?q"
	checkEditions(t, page, []editionRow{
		{"nothing", "", "http://h/b/c/d;p", "http://h/b/c/"},
		{"fragment", "#s", "http://h/b/c/d;p?q", "http://h/b/c/%23s"},
		{"query", "?y", "http://h/b/c/?y", "http://h/b/c/?y"},
		{"parameters", ";x", "http://h/b/c/;x", "http://h/b/c/;x"},
		{"network path", "//G:80/../x", "http://g/x", "http://g/x"},
		{"mail", "MailTo:x", "mailto://x/", "mailto://x/"},
		{"script", "javascript:x", "javascript://x/", "http://h/b/c/javascript:x"},
		{"other protocol without slash", "g:h", "http://h/b/c/g:h", "http://h/b/c/g:h"},
		{"other protocol", "g:h/x", "g://h/x", "g://h/x"},
		{"colon after a slash", "g/h:i", "http://h/b/c/g/h:i", "http://h/b/c/g/h:i"},
		{"octet 0", "g\x00/h", "http://h/b/c/g", "http://h/b/c/g"},
		{"colon after an octet 0", "g\x00:/h", "http://h/b/c/g", "http://h/b/c/g"},
		{"dots after an octet 0", "g\x00/..", "http://h/b/c/g", "http://h/b/c/g"},
		{"empty scheme", ":/x", "://x/", "://x/"},
	})
}

// TestTakingApart tests cases of SplitURL that the vectors do not have.
func TestTakingApart(t *testing.T) {
	checkEditions(t, "", []editionRow{
		{"nothing but a fragment", "#x", "http://localhost:8080/", "http://#x/"},
		{"empty scheme", "://h/", "://h/", "://h/"},
		{"empty scheme without slashes", ":x", "://x/", "://x/"},
		{"empty userinfo before a port that is not a number", "@u:x", "http://u:x/", "http://u:x/"},
		{"no digit after the colon", "g::h", "g://:h/", "g://:h/"},
		{"nothing but a query", "http://?x", "http://localhost:8080/?x", "http://0.0.0.0/?x"},
		{"nothing but parameters", "http://;x/", "http://0.0.0.0/", "http://0.0.0.0/;x/"},
		{"a half escape that is not a letter", "http://h/?%{1", "http://h/?%{1", "http://h/?%{1"},
	})
}

// TestNumericHosts tests cases that the test vectors lack: of CanonicaliseHost, and of the functions strtoul and atoi
// of C, which it calls.
func TestNumericHosts(t *testing.T) {
	checkEditions(t, "", []editionRow{
		{"nothing but a port", "http://:8080/", "http://0.0.0.0:8080/", "http://0.0.0.0:8080/"},
		{"octal", "http://010/", "http://0.0.0.8/", "http://0.0.0.8/"},
		{"no octal digit", "http://09/", "http://0.0.0.0/", "http://0.0.0.0/"},
		{"too large for 32 bits", "http://4294967297/", "http://0.0.0.1/", "http://0.0.0.1/"},
		{"too large for 64 bits", "http://18446744073709551616/", "http://255.255.255.255/", "http://255.255.255.255/"},
		{"negative", "http://-1/", "http://255.255.255.255/", "http://255.255.255.255/"},
		{"sign alone", "http://-/", "http://0.0.0.0/", "http://0.0.0.0/"},
		{"dot in the port", "http://7:8.9/", "http://7.0.0.0:8/", "http://7.0.0.0:8/"},
		{"empty part", "http://1..2/", "http://1.0.0.0/", "http://1.0.0.0/"},
		{"port 0", "http://1.2.3.4:0/", "http://1.2.3.4/", "http://1.2.3.4/"},
		{"letter in the port", "http://1.2.3.4:8o/", "http://1.2.3.4:8o/", "http://1.2.3.4:8o/"},
		{"atoi wraps", "http://h:4294967376/", "http://h/", "http://h/"},
		{"atoi stops at the largest number", "http://h:18446744073709551696/", "http://h:18446744073709551696/",
			"http://h:18446744073709551696/"},
		{"IPv4 in IPv6", "http://[::FFFF:1.2.3.4]/", "http://[0:0:0:0:0:ffff:102:304]/",
			"http://[0:0:0:0:0:ffff:102:304]/"},
		{"gap at the end", "http://[1:2::]:8080/", "http://[1:2:0:0:0:0:0:0]:8080/", "http://[1:2:0:0:0:0:0:0]:8080/"},
		{"gap in the middle", "http://[1::2:3]/", "http://[1:0:0:0:0:0:2:3]/", "http://[1:0:0:0:0:0:2:3]/"},
		{"only a gap", "http://[::]/", "http://[0:0:0:0:0:0:0:0]/", "http://[0:0:0:0:0:0:0:0]/"},
		{"nothing in brackets", "http://[]/", "http://[0:0:0:0:0:0:0:0]/", "http://[0:0:0:0:0:0:0:0]/"},
		{"fourth part too many for IPv6", "http://[1:2:3:4:5:6:7:1.2.3.4]/", "http://[1:2:3:4:5:6:7:1]/",
			"http://[1:2:3:4:5:6:7:1]/"},
		{"group of one octet that is not a number", "http://[1:x:2]/", "http://[1:0:0:0:0:0:0:2]/",
			"http://[1:0:0:0:0:0:0:2]/"},
		{"group that is not a number", "http://[1:xy:2:3]/", "http://[1:2:3:0:0:0:2:3]/", "http://[1:2:3:0:0:0:2:3]/"},
		{"groups that are not numbers", "http://[1:xy:2:z:3]/", "http://[1:2:0:0:0:0:0:3]/",
			"http://[1:2:0:0:0:0:0:3]/"},
		{"last group that is not a number", "http://[1:2:xy]/", "http://[1:2:0:0:0:0:0:0]/",
			"http://[1:2:0:0:0:0:0:0]/"},
		{"first group that is not a number, without a bracket", "http://xy:1:2/", "http://[1:2:0:0:0:0:1:2]/",
			"http://[1:2:0:0:0:0:1:2]/"},
		{"group of a sign", "http://[1:-:2]/", "http://[1:0:0:0:0:0:0:2]/", "http://[1:0:0:0:0:0:0:2]/"},
		{"group of a prefix", "http://[0x]/", "http://[0:0:0:0:0:0:0:0]/", "http://[0:0:0:0:0:0:0:0]/"},
		{"brace is not a letter", "http://1{2/", "http://0.0.0.1/", "http://0.0.0.1/"},
		{"bracket is not a letter", "http://1[2/", "http://0.0.0.1/", "http://0.0.0.1/"},
		{"blank in front", "http:// 1/", "http://0.0.0.0/", "http://0.0.0.1/"},
		{"tab in front", "http://\t1/", "http://0.0.0.0/", "http://0.0.0.1/"},
		{"octet 0E is not white space", "http://\x0e1/", "http://0.0.0.0/", "http://0.0.0.0/"},
		{"nearly too large for 64 bits", "http://18446744073709551610/", "http://255.255.255.250/",
			"http://255.255.255.250/"},
		{"atoi, too large for a long", "http://h:9223372036854775888/", "http://h:9223372036854775888/",
			"http://h:9223372036854775888/"},
		{"atoi, too small for a long", "http://h:-18446744073709551536/", "http://h:-18446744073709551536/",
			"http://h:-18446744073709551536/"},
		{"finger", "finger://h:79/", "finger://h/", "finger://h/"},
	})
}

func TestLocalHost(t *testing.T) {
	p := WWWOFFLE29.With(Options{LocalHost: "Proxy.Example:80"})
	checkEveryWay(t, p, "", "/x", "http://proxy.example/x")
	checkEveryWay(t, p, "", "file:///x", "file://proxy.example:80/x")
	checkEveryWay(t, WWWOFFLE29, "", "/x", "http://localhost:8080/x")
	if p.Name() != "wwwoffle29" || p.options.LocalHost != "Proxy.Example:80" {
		t.Errorf("the options are now %+v", p.options)
	}
}

// TestKnownExceptions lists the exceptions to the fixed point: reduced again, the form changes.
func TestKnownExceptions(t *testing.T) {
	for _, row := range []struct {
		name             string
		p                *Profile
		url, once, twice string
	}{
		{"&amp; of &amp;amp;", WWWOFFLE29, "http://h/?a&amp;amp;b", "http://h/?a&amp;b", "http://h/?a&b"},
		{"password of an octet 0", WWWOFFLE29, "http://u:%00@h/", "http://u:@h/", "http://u@h/"},
		{"username of an octet 0", WWWOFFLE29, "http://%00@h/", "http://@h/", "http://h/"},
		{"neither username nor password", WWWOFFLE29, "http://:@h/", "http://@h/", "http://h/"},
		{"port 65536", WWWOFFLE29, "http://1.2.3.4:65536/", "http://1.2.3.4:0/", "http://1.2.3.4/"},
		{"default port without a host", WWWOFFLE29, "http://:80a/", "http:///", "http://localhost:8080/"},
		{"default port and letters after a number", WWWOFFLE29, "http://1:80a/", "http://1/", "http://0.0.0.1/"},
		{"port that is rewritten", WWWOFFLE26, "http://1.2.3.4:0120/", "http://1.2.3.4:80/", "http://1.2.3.4/"},
		{"large port that is rewritten", WWWOFFLE26, "http://1.2.3.4:65616/", "http://1.2.3.4:80/", "http://1.2.3.4/"},
		{"at signs before a host", WWWOFFLE26, "http://@@host/a/b", "http://@host/a/b", "http://host/a/b"},
		{"at sign in a host", WWWOFFLE26, "@ @a", "http:// @a/", "http://%20@a/"},
		{"default port and letters after a bracket", WWWOFFLE29, "]:80x", "http://]/", "http://0.0.0.0/"},
		{"port twice", Hyvatti, "http://h:80:80/", "http://h:80/", "http://h/"},
		{"stray percent sign", Hyvatti, "http://h/%%34%31", "http://h/%41", "http://h/A"},
	} {
		t.Run(row.name, func(t *testing.T) {
			checkEveryWay(t, row.p, "", row.url, row.once)
			checkEveryWay(t, row.p, "", row.once, row.twice)
			if !unsettled(row.p, []byte(row.url), []byte(row.once)) {
				t.Errorf("FuzzURL does not know of it")
			}
			checkEveryWay(t, row.p, "", row.twice, row.twice)
		})
	}
}

// TestCacheSample reads a cache written by WWWOFFLE 2.9h, if the corpus is available. Names of files follow from
// the URLs in the U files, and these URLs are canonical.
func TestCacheSample(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "..", "shared", "vectors", "wwwoffle-cache-sample.tar.gz"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no sample of WWWOFFLE next to the repository")
	} else if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	urls := 0
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := path.Base(h.Name)
		if name[0] != 'U' || h.Typeflag != tar.TypeReg {
			continue
		}
		url, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		urls++
		if got := CacheName(url); got != name[1:] {
			t.Errorf("CacheName(%q) = %q, want %q", url, got, name[1:])
		}
		checkEveryWay(t, WWWOFFLE29E, "", string(url), string(url))
	}
	if urls == 0 {
		t.Error("no U file")
	}
}
