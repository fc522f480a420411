// Package checks has the rules of webcap, one a file, in the order of [Rules].
package checks
