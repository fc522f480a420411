package export

import (
	"net/netip"
	"strings"

	"github.com/webcap-tools/webcap/canon"
)

// carrier has the addresses behind the NAT of a provider (RFC 6598).
var carrier = netip.MustParsePrefix("100.64.0.0/10")

// IsLocal reports whether a URL names something that only its machine or network knows, or credentials: a local file
// often has the name of a user, and a web archive is published.
func IsLocal(url string) bool {
	u := canon.Split([]byte(url))
	if strings.EqualFold(string(u.Scheme), "file") || len(u.Userinfo) > 0 {
		return true
	}
	host := strings.ToLower(strings.TrimSuffix(string(u.Host), "."))
	if address, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return address.IsPrivate() || address.IsLoopback() || address.IsLinkLocalUnicast() || address.IsUnspecified() ||
			carrier.Contains(address)
	}
	dot := strings.LastIndexByte(host, '.')
	switch last := host[dot+1:]; last {
	case "local", "localhost", "internal", "intranet", "private", "corp", "home", "lan", "arpa": // RFC 6762, 8375
		return true
	default:
		if strings.TrimLeft(last, "0123456789") != last { // another form of an IPv4 address, such as 127.1
			return true
		}
	}
	return dot < 0 && host != ""
}
