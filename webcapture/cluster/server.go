package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

// lockName is the name of the lock file of a store. Without a lock, two servers would use the same store without an
// error.
const lockName = "webcap.lock"

// lockStore creates the folder of a store, and locks it for this process. Closing the file unlocks the folder.
func lockStore(folder string) (*os.File, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(folder, lockName), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := batch.Lock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: another process uses this store", folder)
	}
	return f, nil
}

// start starts a server. The returned context is done when the server fails to write its store: then the server
// must be restarted, even if there is space again.
func start(opts *server.Options, say func(string, ...any)) (*server.Server, context.Context, error) {
	opts.JetStream, opts.SyncAlways, opts.NoSigs = true, true, true // the program handles signals itself
	if opts.JetStreamMaxStore == 0 {
		opts.JetStreamMaxStore = maxStore
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, nil, err
	}
	life, end := context.WithCancelCause(context.Background())
	s.SetLogger(&logger{Logger: logOf(opts), say: say, store: filepath.Clean(opts.StoreDir), life: life, end: end},
		opts.Debug, opts.Trace)
	s.Start()
	ready := make(chan bool, 1)
	go func() { ready <- s.ReadyForConnections(patience) }()
	select {
	case ok := <-ready:
		if ok {
			return s, life, nil
		}
		err = fmt.Errorf("the queue server was not ready after %s", patience)
	case <-life.Done():
		err = context.Cause(life)
	}
	s.Shutdown()
	return nil, nil, err
}

// Open opens the queue in a folder with a server in this process. The server does not listen on the network.
func Open(ctx context.Context, folder string) (*Queue, error) {
	lock, err := lockStore(folder)
	if err != nil {
		return nil, err
	}
	opts := &server.Options{ServerName: "webcap", StoreDir: folder, DontListen: true, MaxPayload: maxPayload}
	s, life, err := start(opts, func(string, ...any) {})
	if err != nil {
		lock.Close()
		return nil, err
	}
	q, err := connect(ctx, "", nil, nats.InProcessServer(s))
	if err != nil {
		s.Shutdown()
		lock.Close()
		return nil, err
	}
	q.life = life
	context.AfterFunc(life, q.nc.Close) // so that pending requests fail
	q.own = func() {
		s.Shutdown()
		s.WaitForShutdown()
		lock.Close()
	}
	return q, nil
}

// Serve runs a queue server until ctx is canceled, or the server fails to write its store.
func Serve(ctx context.Context, told Server) error {
	opts := &server.Options{}
	if told.Config != "" {
		if err := opts.ProcessConfigFile(told.Config); err != nil {
			return err
		}
	}
	if told.Store != "" {
		opts.StoreDir = told.Store
	}
	if opts.StoreDir == "" {
		return errors.New("neither --store nor the configuration names a store")
	}
	if err := listen(opts, told.Listen); err != nil {
		return err
	}
	if opts.MaxPayload == 0 {
		opts.MaxPayload = maxPayload
	}
	lock, err := lockStore(opts.StoreDir)
	if err != nil {
		return err
	}
	defer lock.Close()
	s, life, err := start(opts, told.Say)
	if err != nil {
		return err
	}
	if err := showMetrics(ctx, told.Metrics, serverRegistry(s), told.Say); err != nil {
		s.Shutdown()
		return err
	}
	told.Say("listening on %s", s.ClientURL())
	select {
	case <-ctx.Done():
	case <-life.Done():
	}
	s.Shutdown()
	s.WaitForShutdown()
	return context.Cause(life)
}

// listen sets the address of a server, which is loopback by default. It returns an error if a listener would be
// open to strangers.
func listen(opts *server.Options, address string) error {
	if address != "" {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return fmt.Errorf("%s is not HOST:PORT", address)
		}
		opts.Host = host
		if opts.Port, err = strconv.Atoi(port); err != nil {
			return fmt.Errorf("%s is not HOST:PORT", address)
		}
		if opts.Port == 0 {
			opts.Port = server.RANDOM_PORT
		}
	}
	if opts.Host == "" {
		opts.Host = loopback
	}
	if err := checkListeners(opts); err != nil {
		return err
	}
	if opts.Cluster.Port != 0 && len(opts.Routes)+len(opts.LeafNode.Remotes) == 0 {
		return fmt.Errorf("cluster %q has no routes; name the other servers in routes, or remove the cluster block",
			opts.Cluster.Name)
	}
	return nil
}
