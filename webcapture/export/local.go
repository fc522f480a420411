package export

import (
	"net/netip"
	"strings"

	"github.com/webcap-tools/webcap/canon"
)

// IsLocal reports whether a URL names something that only its machine or network knows, or credentials: a local file
// often has the name of a user, and a web archive is published.
func IsLocal(url string) bool {
	u := canon.Split([]byte(url))
	if strings.EqualFold(string(u.Scheme), "file") || len(u.Userinfo) > 0 {
		return true
	}
	host := strings.ToLower(strings.TrimSuffix(string(u.Host), "."))
	if address, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return address.IsPrivate() || address.IsLoopback() || address.IsLinkLocalUnicast() || address.IsUnspecified()
	}
	dot := strings.LastIndexByte(host, '.')
	switch host[dot+1:] {
	case "local", "localhost", "internal":
		return true
	}
	return dot < 0 && host != ""
}
