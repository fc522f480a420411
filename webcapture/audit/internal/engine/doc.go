// Package engine reads a file in phases, and runs the checks of rules on its parts.
package engine
