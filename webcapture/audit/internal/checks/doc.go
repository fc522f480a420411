// Package checks has the rules of webcap, one per file, in the order of [Rules].
package checks
