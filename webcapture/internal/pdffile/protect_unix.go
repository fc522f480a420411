//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris

package pdffile

import "golang.org/x/sys/unix"

// hide makes reading mapped bytes a fault.
func hide(b []byte) error { return unix.Mprotect(b, unix.PROT_NONE) }

// show makes mapped bytes readable. What is shown has as many pages as it touches.
func show(b []byte) error { return unix.Mprotect(b, unix.PROT_READ) }
