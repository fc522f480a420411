// Package engine goes over a file in phases, and shows rules what they check.
package engine
