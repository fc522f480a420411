// Package page computes the digital identifiers of page sets from their sources.
package page
