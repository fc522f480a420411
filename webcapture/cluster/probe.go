package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/nats-io/nats.go"
)

// refuseOpen connects without credentials to each server on another machine. It returns an error if one of them accepts
// the connection: everybody could then submit, read, and remove jobs. Servers with only a system account accept it, too.
// A server that does not answer is not an error, unless ctx is done.
func refuseOpen(ctx context.Context, urls string, opts []nats.Option) error {
	for one := range strings.SplitSeq(urls, ",") {
		u, err := parseURL(one)
		if err != nil {
			return errors.New("cannot reach the queue: --nats is not a list of URLs such as nats://queue:4222")
		}
		if isLoopback(u.Hostname()) {
			continue
		}
		u.User = nil
		nc, err := nats.Connect(u.String(), append(opts[:len(opts):len(opts)], nats.NoReconnect(),
			nats.IgnoreDiscoveredServers())...)
		if err == nil {
			nc.Close()
			return fmt.Errorf("the server at %s lets everybody in; set up a token or users in its configuration, "+
				"or use --insecure", u.Host)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// parseURL parses the URL of a server, which may lack its scheme.
func parseURL(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "nats://" + text
	}
	u, err := url.Parse(text)
	if err == nil && u.Host == "" {
		err = errors.New("no host")
	}
	return u, err
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// withoutPasswords returns URLs of servers without passwords, for messages.
func withoutPasswords(urls string) string {
	list := strings.Split(urls, ",")
	for i, one := range list {
		if u, err := parseURL(one); err == nil {
			list[i] = u.Redacted()
		} else {
			list[i] = "an invalid URL"
		}
	}
	return strings.Join(list, ", ")
}
