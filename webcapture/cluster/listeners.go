package cluster

import (
	"crypto/tls"
	"fmt"
	"net"
	"slices"
	"strconv"

	"github.com/nats-io/nats-server/v2/server"
)

// loopback is the default address of a server and of its metrics.
const loopback = "127.0.0.1"

// anyHost is the default host of the listeners of a NATS server: all interfaces.
const anyHost = "0.0.0.0"

// mainListener is the setting for the listener of clients, which every server has.
const mainListener = "listen"

// listener is a port that a NATS server opens.
type listener struct {
	name   string // name of its block or setting in the configuration
	host   string
	port   int    // 0 if it does not listen
	fault  string // reason why strangers may use it; empty if they cannot
	remedy string
}

// checkListeners returns an error if a listener is neither on loopback nor authenticated. The error names the first
// such listener.
func checkListeners(opts *server.Options) error {
	for _, l := range listeners(opts) {
		if l.name == mainListener && l.port == 0 {
			l.port = server.DEFAULT_PORT
		}
		if l.port == 0 || l.fault == "" || isLoopback(l.host) {
			continue
		}
		port := strconv.Itoa(l.port)
		if l.port == server.RANDOM_PORT {
			port = "0"
		}
		return fmt.Errorf("%s: %s is not loopback, and %s; %s", l.name, net.JoinHostPort(l.host, port), l.fault, l.remedy)
	}
	return nil
}

// listeners returns the listeners of a server. Its own address must be set.
func listeners(opts *server.Options) []listener {
	const users = "add users with passwords, NKeys or accounts, or listen on 127.0.0.1"
	const routes = "add authorization { user, password } or tls with ca_file to its block, or listen on 127.0.0.1"
	const never = "let it listen on 127.0.0.1"
	monitor := orElse(opts.HTTPHost, opts.Host)
	ws, mqtt, leaf := &opts.Websocket, &opts.MQTT, &opts.LeafNode
	route, gate := &opts.Cluster, &opts.Gateway
	list := []listener{
		{mainListener, opts.Host, opts.Port, unless(hasClientCertificates(opts.TLSConfig) && !opts.AllowNonTLS,
			clientFault(opts)), users},
		{"websocket", ws.Host, ws.Port, unless(hasClientCertificates(ws.TLSConfig), websocketFault(opts)), users},
		{"mqtt", mqtt.Host, mqtt.Port, unless(hasClientCertificates(mqtt.TLSConfig),
			overrideFault(opts, mqtt.NoAuthUser, mqtt.Username, mqtt.Password, mqtt.Token)), users},
		{"leafnodes", leaf.Host, leaf.Port, unless(hasClientCertificates(leaf.TLSConfig), leafFault(opts)), users},
		{"cluster", route.Host, route.Port, unless(hasClientCertificates(route.TLSConfig),
			passwordFault(route.Username, route.Password)), routes},
		{"gateway", gate.Host, gate.Port, unless(hasClientCertificates(gate.TLSConfig),
			passwordFault(gate.Username, gate.Password)), routes},
		{"http", monitor, opts.HTTPPort, "monitoring has no authentication", never},
		{"https", monitor, opts.HTTPSPort, "monitoring has no authentication", never},
		{"prof_port", opts.Host, opts.ProfPort, "profiling has no authentication", never},
	}
	for i := range list {
		list[i].host = orElse(list[i].host, anyHost)
	}
	return list
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// unless returns fault, or "" if closed: then the listener is protected otherwise.
func unless(closed bool, fault string) string {
	if closed {
		return ""
	}
	return fault
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// hasClientCertificates reports whether clients need a certificate of an authority in ca_file. Without ca_file, any
// authority that the system trusts would do, which is not authentication.
func hasClientCertificates(config *tls.Config) bool {
	return config != nil && config.ClientAuth == tls.RequireAndVerifyClientCert && config.ClientCAs != nil
}

// passwordFault returns the reason why a user name and a password do not keep strangers out, or "".
func passwordFault(user, password string) string {
	switch {
	case user == "":
		return "has no authentication"
	case password == "":
		return fmt.Sprintf("user %q has no password", user)
	}
	return ""
}

// clientFault returns the reason why the users, NKeys, operators, or the token at the top level do not keep
// strangers out, or "".
func clientFault(opts *server.Options) string {
	withoutPassword := func(u *server.User) bool { return u.Password == "" }
	switch {
	case opts.DefaultSentinel != "":
		return "default_sentinel lets in clients without credentials"
	case len(opts.TrustedOperators)+len(opts.TrustedKeys) > 0:
		return ""
	case opts.NoAuthUser != "":
		return "no_auth_user lets in clients without credentials"
	case slices.ContainsFunc(opts.Users, withoutPassword):
		u := opts.Users[slices.IndexFunc(opts.Users, withoutPassword)]
		return passwordFault(u.Username, u.Password)
	case len(opts.Users)+len(opts.Nkeys) > 0 || opts.Authorization != "":
		return ""
	}
	return passwordFault(opts.Username, opts.Password)
}

// overrideFault returns a reason like clientFault, for a listener whose block may have its own user or token. Users
// at the top level may connect to it, too.
func overrideFault(opts *server.Options, noAuthUser, user, password, token string) string {
	switch {
	case noAuthUser != "":
		return "no_auth_user lets in clients without credentials"
	case user == "" && token == "":
		return clientFault(opts)
	case len(opts.Users)+len(opts.Nkeys) > 0 && clientFault(opts) != "":
		return clientFault(opts)
	case token != "":
		return ""
	}
	return passwordFault(user, password)
}

// websocketFault returns a reason like clientFault, for clients and leaf nodes that connect through a web socket.
func websocketFault(opts *server.Options) string {
	ws := &opts.Websocket
	if fault := overrideFault(opts, ws.NoAuthUser, ws.Username, ws.Password, ws.Token); fault != "" {
		return fault
	}
	if opts.LeafNode.Port != 0 {
		return leafFault(opts)
	}
	return ""
}

func leafFault(opts *server.Options) string {
	leaf := &opts.LeafNode
	switch {
	case leaf.Username != "":
		return passwordFault(leaf.Username, leaf.Password)
	case leaf.Nkey != "":
		return ""
	}
	for _, u := range leaf.Users {
		if fault := passwordFault(u.Username, u.Password); fault != "" {
			return fault
		}
	}
	if len(leaf.Users) > 0 {
		return ""
	}
	return clientFault(opts)
}
