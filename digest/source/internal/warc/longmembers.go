package warc

import (
	"errors"
	"io"
	"sync"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// longMembers holds the decoded data of long members of an archive in a temporary file. To read a record in the middle
// of a member, all data before it must be decoded. A whole archive may be one member, so without the file, reading all
// records would take quadratic time. A member is added when it is accessed repeatedly. A nil longMembers stores
// nothing.
type longMembers struct {
	mu      sync.Mutex
	members map[memberOf]*member
	file    *tempfile.File
	size    int64
	failed  bool // writing the file failed; members that are not stored are decoded each time
}

// memberOf identifies a member of a part.
type memberOf struct {
	part   *Part
	member int64
}

// member describes a member that was read.
type member struct {
	looks     int
	kept      bool  // the member is in the file
	at, size  int64 // position in the file
	end       int64 // start of the next member in the part
	err       error // error after the data; io.EOF if there is none
	undecoded bool  // the member cannot be stored, because the disk fails or a zip entry is damaged
}

// Close removes the file.
func (l *longMembers) Close() error {
	if l == nil || l.file == nil {
		return nil
	}
	return l.file.Close()
}

// member returns the stored member of a part that contains a position; nil if there is none.
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
		m.undecoded = true // the part was truncated in the meantime
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
