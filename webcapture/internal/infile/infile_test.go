package infile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// regularFile returns an open file with the given text.
func regularFile(t *testing.T, text string) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "regular")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// pipe returns both ends of a pipe of the system.
func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

func TestReadAll(t *testing.T) {
	for _, n := range []int{0, 9, 10, 11} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			data, err := ReadAll(strings.NewReader(strings.Repeat("x", n)), 10)
			if n <= 10 && (err != nil || len(data) != n) || n > 10 && (data != nil || !errors.Is(err, ErrTooLong)) {
				t.Errorf("%d bytes: %d, %v", n, len(data), err)
			}
		})
	}
}

// A regular file is read up to the limit, too, and an error of the reader is returned without data.
func TestReadAllOfFiles(t *testing.T) {
	if data, err := ReadAll(regularFile(t, "0123456789"), 10); string(data) != "0123456789" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if data, err := ReadAll(regularFile(t, "0123456789"), 9); data != nil || !errors.Is(err, ErrTooLong) {
		t.Errorf("beyond the limit: %q, %v", data, err)
	}
	failed := errors.New("the disk failed")
	if data, err := ReadAll(iotest.ErrReader(failed), 9); data != nil || err != failed {
		t.Errorf("%q, %v, want %v", data, err, failed)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// Endless input ends with an error; a regular file may be longer.
func TestBounded(t *testing.T) {
	if n, err := io.Copy(io.Discard, struct{ io.Reader }{Bounded(endless{})}); n != MaxPiped ||
		!errors.Is(err, ErrTooLong) {
		t.Errorf("%d bytes, %v", n, err)
	}
	path := filepath.Join(t.TempDir(), "large")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(MaxPiped + 1); err != nil { // a hole, which takes no space
		t.Fatal(err)
	}
	if r := Bounded(f); r != io.Reader(f) {
		t.Errorf("a regular file is read as %T", r)
	}
}

// Pipes are bounded, and so are files of an unknown kind. Below the limit, data and errors are those of the reader.
func TestBoundedPipes(t *testing.T) {
	r, w := pipe(t)
	if _, err := w.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	b := Bounded(r)
	if b == io.Reader(r) {
		t.Error("a pipe has no limit")
	}
	if data, err := io.ReadAll(b); string(data) != "text" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	r.Close()
	if b := Bounded(r); b == io.Reader(r) {
		t.Error("a closed file has no limit")
	}
	failed := errors.New("the device failed")
	if n, err := Bounded(iotest.ErrReader(failed)).Read(make([]byte, 9)); n != 0 || err != failed {
		t.Errorf("%d bytes, %v, want %v", n, err, failed)
	}
}

// The limit is exact, and the error stays.
func TestBoundedLimit(t *testing.T) {
	for _, left := range []int64{3, 4, 5} {
		t.Run(fmt.Sprint(left), func(t *testing.T) {
			b := &boundedReader{strings.NewReader("text"), left}
			data, err := io.ReadAll(b)
			if left >= 4 && (string(data) != "text" || err != nil) || left < 4 && !errors.Is(err, ErrTooLong) {
				t.Errorf("%q, %v", data, err)
			}
			if _, again := b.Read(make([]byte, 9)); left < 4 && !errors.Is(again, ErrTooLong) {
				t.Errorf("after the limit: %v", again)
			}
		})
	}
}

// An Interruptible reader returns the data and the end of any reader.
func TestInterruptibleReads(t *testing.T) {
	r, w := pipe(t)
	if _, err := w.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	failed := errors.New("the device failed")
	for _, tt := range []struct {
		name string
		ctx  context.Context
		r    io.Reader
		err  error
	}{
		{"a pipe", ctx, r, nil},
		{"a regular file", ctx, regularFile(t, "text"), nil},
		{"a bounded reader", ctx, Bounded(strings.NewReader("text")), nil},
		{"a context that never ends", context.Background(), Bounded(strings.NewReader("text")), nil},
		{"memory", ctx, strings.NewReader("text"), nil},
		{"a failing device", ctx, Bounded(io.MultiReader(strings.NewReader("text"), iotest.ErrReader(failed))), failed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if data, err := io.ReadAll(Interruptible(tt.ctx, tt.r)); string(data) != "text" || err != tt.err {
				t.Errorf("%q, %v, want %v", data, err, tt.err)
			}
		})
	}
}

// A read that cannot wait, or whose context never ends, needs no goroutine with a buffer of its own.
func TestInterruptibleReadsAlone(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := make([]byte, 1)
	for name, r := range map[string]io.Reader{
		"a regular file":             Interruptible(ctx, regularFile(t, "text")),
		"memory":                     Interruptible(ctx, endless{}),
		"a context that never ends":  Interruptible(context.Background(), Bounded(endless{})),
		"memory with such a context": Interruptible(context.Background(), endless{}),
	} {
		t.Run(name, func(t *testing.T) {
			if n := testing.AllocsPerRun(10, func() { r.Read(p) }); n > 0 {
				t.Errorf("%v allocations for each read", n)
			}
		})
	}
}

// When the context ends, a read fails with its cause, even while it waits for data.
func TestInterruptibleWaits(t *testing.T) {
	stopped := errors.New("stopped by the user")
	r, _ := pipe(t)
	bounded, _ := pipe(t)
	for name, r := range map[string]io.Reader{"pipe": r, "bounded pipe": Bounded(bounded)} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			go cancel(stopped)
			if n, err := Interruptible(ctx, r).Read(make([]byte, 9)); n != 0 || err != stopped {
				t.Errorf("%d bytes, %v, want %v", n, err, stopped)
			}
		})
	}
}

// After the context has ended, nothing is read, even if no read would wait.
func TestInterruptibleAfterTheEnd(t *testing.T) {
	stopped := errors.New("stopped by the user")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(stopped)
	r := strings.NewReader("text")
	if n, err := Interruptible(ctx, r).Read(make([]byte, 9)); n != 0 || err != stopped || r.Len() != 4 {
		t.Errorf("%d bytes, %v, and %d bytes are left", n, err, r.Len())
	}
}

// lateReader is a device whose data arrive when the test says so.
type lateReader struct{ entered, release, done chan struct{} }

func (r lateReader) Read(p []byte) (int, error) {
	close(r.entered)
	<-r.release
	defer close(r.done)
	return copy(p, "late"), nil
}

// Data that arrive after an interruption do not change the buffer of the caller.
func TestInterruptibleLeavesTheBufferAlone(t *testing.T) {
	stopped := errors.New("stopped by the user")
	r := lateReader{make(chan struct{}), make(chan struct{}), make(chan struct{})}
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() {
		<-r.entered
		cancel(stopped)
	}()
	p := make([]byte, 4)
	if _, err := Interruptible(ctx, Bounded(r)).Read(p); err != stopped {
		t.Fatalf("Read = %v, want %v", err, stopped)
	}
	close(r.release)
	<-r.done
	if string(p) != "\x00\x00\x00\x00" {
		t.Errorf("the buffer has %q", p)
	}
}
