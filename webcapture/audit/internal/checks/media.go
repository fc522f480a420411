package checks

// mediaFault says why a value is not a media type by RFC 2045, 5.1, such as
// text/html; charset=utf-8; empty if it is one. White space and comments may
// stand between the parts, as in RFC 822.
func MediaFault(v []byte) string {
	m := media{v}
	if !m.token() {
		return "it does not begin with a type"
	}
	if !m.is('/') {
		return "there is no slash after the type"
	}
	if !m.token() {
		return "there is no subtype after the slash"
	}
	for m.skip(); len(m.rest) > 0; m.skip() {
		switch {
		case !m.is(';'):
			return "there is no semicolon after the subtype or parameter"
		case !m.token():
			return "there is no parameter after a semicolon"
		case !m.is('='):
			return "a parameter has no equals sign"
		case !m.token() && !m.quoted():
			return "a parameter has no value"
		}
	}
	return ""
}

// A media reads a media type from its front.
type media struct{ rest []byte }

// skip passes over white space, and comments in parentheses.
func (m *media) skip() {
	depth := 0
	for i, c := range m.rest {
		switch {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case depth == 0 && c != ' ' && c != '\t' && c != '\r' && c != '\n':
			m.rest = m.rest[i:]
			return
		}
	}
	if depth == 0 {
		m.rest = nil
	}
}

// is passes over a character if that is next.
func (m *media) is(c byte) bool {
	m.skip()
	if len(m.rest) == 0 || m.rest[0] != c {
		return false
	}
	m.rest = m.rest[1:]
	return true
}

// token passes over a token.
func (m *media) token() bool {
	m.skip()
	n := 0
	for n < len(m.rest) && isToken(m.rest[n]) {
		n++
	}
	m.rest = m.rest[n:]
	return n > 0
}

// quoted passes over a quoted string.
func (m *media) quoted() bool {
	if !m.is('"') {
		return false
	}
	for i := 0; i < len(m.rest); i++ {
		switch c := m.rest[i]; {
		case c == '"':
			m.rest = m.rest[i+1:]
			return true
		case c == '\\':
			i++
		case c == '\r' || c >= 0x80:
			return false
		}
	}
	return false
}

// isToken reports whether c may stand in a token: not a blank, a control
// character, or one of the tspecials.
func isToken(c byte) bool {
	if c <= ' ' || c >= 0x7f {
		return false
	}
	switch c {
	case '(', ')', '<', '>', '@', ',', ';', ':', '\\', '"', '/', '[', ']', '?', '=':
		return false
	}
	return true
}
