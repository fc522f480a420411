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

// logger says errors of a server, and why it cannot start. All else that the server has to say goes
// where its configuration sends it.
//
// The server says, and nothing else of it does, that it could not write its store. From then on it takes
// nothing more, and does not answer requests to keep something.
type logger struct {
	server.Logger
	say   func(format string, args ...any)
	store string // its folder, as it stands in names of files
	life  context.Context
	end   context.CancelCauseFunc // of life
}

// Fatalf ends life with the reason that the server cannot start.
func (l *logger) Fatalf(format string, args ...any) {
	l.Logger.Fatalf(format, args...)
	l.end(fmt.Errorf("the server of the queue does not start: "+format, args...))
}

// Errorf says an error, unless it is one of the store, which ends life.
func (l *logger) Errorf(format string, args ...any) {
	l.Logger.Errorf(format, args...)
	for _, arg := range args {
		if why := l.ofStore(arg); why != nil {
			l.end(fmt.Errorf("the queue in %s cannot be written: %w; "+
				"make room, or find out what is wrong with the disk, and give the command again", l.store, why))
		}
	}
	if l.life.Err() == nil { // else what follows is from that
		l.say(format, args...)
	}
}

// ofStore returns why a file of the store could not be written, if that is what arg is about.
func (l *logger) ofStore(arg any) error {
	err, _ := arg.(error)
	p, ok := errors.AsType[*fs.PathError](err)
	if !ok || p.Op == "read" || !strings.HasPrefix(p.Path, l.store) {
		return nil
	}
	return p.Err
}

// logOf returns where a configuration sends what a server has to say.
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
