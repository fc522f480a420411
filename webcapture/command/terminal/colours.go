package terminal

// Colours reports whether a table has colors, given the mode (auto, always, or never), whether results go to a
// terminal, and the environment. The mode takes precedence over NO_COLOR, and that over CLICOLOR_FORCE.
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
