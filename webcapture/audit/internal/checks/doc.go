// Package checks has the rules of webcap, one per file. [Rules] lists them.
package checks
