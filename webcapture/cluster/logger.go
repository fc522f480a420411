package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	srvlog "github.com/nats-io/nats-server/v2/logger"
	"github.com/nats-io/nats-server/v2/server"
)

// logger reports errors of a server, and why the server cannot start. It also writes all messages to the log that the
// server's configuration names.
//
// Only the log shows that a server failed to write its store. From then on, the server stores nothing, and does not
// answer requests to store data.
type logger struct {
	server.Logger
	say   func(format string, args ...any)
	store string // path of the store's folder as it is in file names
	life  context.Context
	end   context.CancelCauseFunc // ends life
}

// Fatalf ends life. The cause is the reason why the server cannot start.
func (l *logger) Fatalf(format string, args ...any) {
	l.Logger.Fatalf(format, args...)
	l.end(fmt.Errorf("the queue server does not start: "+format, args...))
}

// Errorf reports an error. An error of the store also ends life.
func (l *logger) Errorf(format string, args ...any) {
	l.Logger.Errorf(format, args...)
	for _, arg := range args {
		if why := l.ofStore(arg); why != nil {
			l.end(fmt.Errorf("cannot write the queue in %s: %w; "+
				"make room or repair the disk, and run the command again", l.store, why))
		}
	}
	if l.life.Err() == nil { // otherwise, the error is only a consequence
		l.say(format, args...)
	}
}

// ofStore returns the reason why a file of the store could not be written. It returns nil if arg is about something
// else.
func (l *logger) ofStore(arg any) error {
	err, _ := arg.(error)
	p, ok := errors.AsType[*fs.PathError](err)
	if !ok || p.Op == "read" || !strings.HasPrefix(p.Path, l.store) {
		return nil
	}
	return p.Err
}

// logOf returns the log file of a configuration.
func logOf(opts *server.Options) server.Logger {
	if opts.LogFile == "" {
		return silentLogger{}
	}
	l := srvlog.NewFileLogger(opts.LogFile, opts.Logtime, opts.Debug, opts.Trace, true)
	if opts.LogSizeLimit > 0 {
		l.SetSizeLimit(opts.LogSizeLimit)
	}
	return l
}

type silentLogger struct{}

func (silentLogger) Noticef(string, ...any) {}
func (silentLogger) Warnf(string, ...any)   {}
func (silentLogger) Fatalf(string, ...any)  {}
func (silentLogger) Errorf(string, ...any)  {}
func (silentLogger) Debugf(string, ...any)  {}
func (silentLogger) Tracef(string, ...any)  {}
