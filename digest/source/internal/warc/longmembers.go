package warc

import (
	"errors"
	"io"
	"sync"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// longMembers have what the long members of the parts of an archive decode to, in a temporary
// file. A record in the midst of a member is found by decoding all that comes before it, and a
// whole archive may be one member: without the file, looking up all of its records would take
// the square of its size. Members come into the file when they are looked into again and
// again. Nil ones keep nothing.
type longMembers struct {
	mu      sync.Mutex
	members map[memberOf]*member
	file    *tempfile.File
	size    int64
	failed  bool // to write the file: what is not in it is decoded each time
}

// memberOf says of which member of which part something is.
type memberOf struct {
	part   *Part
	member int64
}

// member describes a member that was read.
type member struct {
	looks     int
	kept      bool  // in the file
	at, size  int64 // there
	end       int64 // where the next member begins in the part
	err       error // that comes after the data; io.EOF if nothing is wrong
	undecoded bool  // the disk fails, or a zip entry is damaged: it is not kept
}

// Close removes the file.
func (l *longMembers) Close() error {
	if l == nil || l.file == nil {
		return nil
	}
	return l.file.Close()
}

// member returns the member of a part that a position is in; nil if it is not in the file.
func (l *longMembers) member(p *Part, at position) *member {
	if l == nil || at.skip < minLong {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	k := memberOf{p, at.member}
	m := l.members[k]
	if m == nil {
		if l.members == nil {
			l.members = map[memberOf]*member{}
		}
		m = &member{}
		l.members[k] = m
	}
	if m.looks++; m.looks > freeLooks && !m.kept && !m.undecoded && !l.failed {
		l.keep(p, at.member, m)
	}
	if !m.kept {
		return nil
	}
	return m
}

// keep decodes a member into the file.
func (l *longMembers) keep(p *Part, from int64, m *member) {
	if l.file == nil {
		f, err := tempfile.New()
		if err != nil {
			l.failed = true
			return
		}
		l.file = f
	}
	in, err := newMemberReader(p, position{member: from}, scanBuffer)
	if err != nil {
		m.undecoded = true
		return
	}
	defer in.Close()
	m.at, m.err = l.size, io.EOF
	for in.r < in.w || in.more() {
		if in.runs[0].member != from {
			break
		}
		b := in.ahead()
		if _, err := l.file.WriteAt(b, l.size); err != nil {
			l.failed = true
			return
		}
		l.size += int64(len(b))
		in.take(len(b))
	}
	if len(in.runs) == 0 {
		m.undecoded = true // the part was cut meanwhile
		return
	}
	m.size, m.end = l.size-m.at, in.offset()
	var d *damage
	switch {
	case in.runs[0].member != from:
		m.end = in.runs[0].member
	case errors.As(in.err, &d):
		m.err = d
	case in.err != io.EOF:
		m.undecoded = true
		return
	}
	m.kept = true
}
