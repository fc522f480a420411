package terminal

// Colours reports whether a table has colors. isTerminal means that results go to a terminal. NO_COLOR takes precedence
// over CLICOLOR_FORCE.
func Colours(isTerminal bool, env func(string) string) bool {
	switch force := env("CLICOLOR_FORCE"); {
	case env("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return isTerminal && env("TERM") != "dumb"
}
