package terminal

// Colours reports whether a table has colors. The mode is auto, always, or never; isTerminal means that results go to
// a terminal. The modes always and never take precedence over NO_COLOR, and NO_COLOR over CLICOLOR_FORCE.
func Colours(mode string, isTerminal bool, env func(string) string) bool {
	switch force := env("CLICOLOR_FORCE"); {
	case mode != "auto":
		return mode == "always"
	case env("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return isTerminal && env("TERM") != "dumb"
}
