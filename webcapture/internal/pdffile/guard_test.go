package pdffile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"unsafe"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// mappedFile opens a file that is so large that it is mapped.
func mappedFile(t *testing.T) (*File, string) {
	t.Helper()
	d := sample(false)
	d.AddStream("<< >>", make([]byte, smallFile))
	path := filepath.Join(t.TempDir(), "big.pdf")
	if err := os.WriteFile(path, d.Bytes(webcapturetest.Layout{}), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if f.mapped == nil {
		t.Fatal("the file is not mapped")
	}
	t.Cleanup(func() { f.Close() })
	return f, path
}

// eachMethod calls call for each exported method of Stream, Reader, Update, and File, except Close.
func eachMethod(t *testing.T, f *File, call func(name string, call func() []reflect.Value)) {
	t.Helper()
	r := f.NewReader()
	s, err := r.Stream(object.Ref{Num: uint32(len(f.entries) - 1)})
	if err != nil || s.Size() == 0 {
		t.Fatalf("no stream: %v", err)
	}
	u := f.NewUpdate()
	u.Put(object.Ref{Num: 1}, []byte("null"))
	args := map[reflect.Type]any{
		reflect.TypeFor[*File]():         f,
		reflect.TypeFor[object.Ref]():    object.Ref{Num: 1},
		reflect.TypeFor[io.Writer]():     io.Discard,
		reflect.TypeFor[[]string]():      []string{"/ID"},
		reflect.TypeFor[error]():         errors.New("found"),
		reflect.TypeFor[[]byte]():        make([]byte, 10),
		reflect.TypeFor[[]object.Ref]():  []object.Ref{{Num: 1}},
		reflect.TypeFor[object.Object](): object.Object{},
		reflect.TypeFor[int64]():         int64(1),

		reflect.TypeFor[func([]byte) bool](): func([]byte) bool { return false },
	}
	for _, of := range []any{s, r, u, f} {
		v := reflect.ValueOf(of)
		for i := range v.NumMethod() {
			m := v.Type().Method(i)
			if m.Name == "Close" {
				continue
			}
			var in []reflect.Value
			for n := 1; n < m.Type.NumIn(); n++ {
				arg, ok := args[m.Type.In(n)]
				if !ok {
					t.Fatalf("%v.%s: this test has no %v to call it with", v.Type(), m.Name, m.Type.In(n))
				}
				in = append(in, reflect.ValueOf(arg))
			}
			call(v.Type().String()+"."+m.Name, func() []reflect.Value { return v.Method(i).Call(in) })
		}
	}
}

// TestNoMethodFaults: after the file has disappeared, each method returns an error, or a result that does not come
// from the file.
func TestNoMethodFaults(t *testing.T) {
	f, path := mappedFile(t)
	called := 0
	cut := false
	eachMethod(t, f, func(name string, call func() []reflect.Value) {
		if !cut {
			if err := os.Truncate(path, 0); err != nil {
				t.Skipf("needs a system that cuts mapped files short: %v", err)
			}
			cut = true
		}
		called++
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s: %v", name, p)
			}
		}()
		for _, out := range call() {
			if out.Kind() == reflect.Pointer && out.IsNil() {
				continue
			}
			if err, ok := out.Interface().(error); ok && !errors.Is(err, errCutShort) {
				t.Errorf("%s: %v, want %v", name, err, errCutShort)
			}
		}
	})
	if called < 20 {
		t.Errorf("%d methods were called", called)
	}
}

// TestNothingIsAView: no result of a method refers to mapped bytes.
func TestNothingIsAView(t *testing.T) {
	f, _ := mappedFile(t)
	start := uintptr(unsafe.Pointer(unsafe.SliceData(f.data)))
	end := start + uintptr(len(f.data))
	looked := 0
	eachMethod(t, f, func(name string, call func() []reflect.Value) {
		for _, out := range call() {
			var b []byte
			switch o := out.Interface().(type) {
			case object.Object:
				b = o.Raw()
			case object.Dict:
				b = o.Raw()
			case []byte:
				b = o
			}
			if b == nil {
				continue
			}
			looked++
			if at := uintptr(unsafe.Pointer(unsafe.SliceData(b))); at >= start && at < end {
				t.Errorf("%s returns what is mapped", name)
			}
		}
	})
	if looked < 2 {
		t.Errorf("%d results have bytes", looked)
	}
	for _, ref := range f.Refs() {
		o, err := f.NewReader().Get(ref)
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(o.Raw()))); err != nil || at >= start && at < end {
			t.Errorf("%v is mapped, or cannot be read: %v", ref, err)
		}
	}
}

// A fault stands for the value with which the runtime panics at an address that cannot be read.
type fault struct {
	error
	addr uintptr
}

func (f fault) Addr() uintptr { return f.addr }

// TestFaultsOfTheDisk: a fault within the mapped file becomes an error. A fault at any other address is a bug, and
// panics.
func TestFaultsOfTheDisk(t *testing.T) {
	f, _ := mappedFile(t)
	start := uintptr(unsafe.Pointer(unsafe.SliceData(f.data)))
	size := uintptr(len(f.data))
	for addr, want := range map[uintptr]bool{start: true, start + size/2: true, start + size - 1: true,
		start - 1: false, start + size: false} {
		t.Run(fmt.Sprint(addr), func(t *testing.T) {
			var err error
			func() {
				defer func() {
					if p := recover(); (p == nil) != want {
						t.Errorf("a fault %d bytes after the start: %v", int64(addr-start), p)
					}
				}()
				err = f.guarded(func() error { panic(fault{errors.New("fault"), addr}) })
			}()
			if want && err != errFault {
				t.Errorf("a fault %d bytes after the start: %v, want %v", int64(addr-start), err, errFault)
			}
		})
	}
}

// A cutter is a writer that shortens a file with each write. One byte less does not cause a fault.
type cutter struct {
	path string
	size int64
}

func (c cutter) Write(b []byte) (int, error) { return len(b), os.Truncate(c.path, c.size) }

// skipIfMappedFilesKeepTheirSize skips a test that cuts a mapped file short.
func skipIfMappedFilesKeepTheirSize(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not let a file be cut short while it is mapped")
	}
}

// TestFileCutShortAtTheEnd: if a file became shorter while it was written, the result is an error, although nothing
// faulted.
func TestFileCutShortAtTheEnd(t *testing.T) {
	skipIfMappedFilesKeepTheirSize(t)
	for _, w := range ways {
		f, path := mappedFile(t)
		u := f.NewUpdate()
		u.Put(object.Ref{Num: 7}, []byte("null"))
		if err := w.write(u, cutter{path, f.Size() - 1}); !errors.Is(err, errCutShort) {
			t.Errorf("%s: %v, want %v", w.name, err, errCutShort)
		}
	}
}

// TestOwnIsACopy: small objects that share a block, and large ones, keep their bytes.
func TestOwnIsACopy(t *testing.T) {
	f, _ := mappedFile(t)
	r := f.NewReader()
	var all []object.Object
	sizes := []int{1, 100, ownBlock / 4, ownBlock/4 + 1, 2 * ownBlock}
	for range 10 {
		for _, n := range sizes {
			o, _, err := object.Parse(slices.Concat([]byte("("), make([]byte, n), []byte(")")), 0)
			if err != nil {
				t.Fatal(err)
			}
			if o, err = r.own(o); err != nil {
				t.Fatal(err)
			}
			all = append(all, o)
		}
	}
	for i, o := range all {
		if b, ok := o.AppendString(nil); !ok || len(b) != sizes[i%len(sizes)] {
			t.Errorf("object %d has %d bytes, want %d", i, len(b), sizes[i%len(sizes)])
		}
	}
}

// TestSmallFileCutShort: a small file that has fewer bytes than its size is an error.
func TestSmallFileCutShort(t *testing.T) {
	data := sample(false).Bytes(webcapturetest.Layout{})
	path := filepath.Join(t.TempDir(), "small.pdf")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, left := range []int64{10, 0} {
		h, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		if _, err := h.Seek(-left, io.SeekEnd); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenHandle(context.Background(), h, path, nil); !errors.Is(err, errCutShort) {
			t.Errorf("%d bytes are left: %v, want %v", left, err, errCutShort)
		}
	}
}

// TestFaultsAreErrorsOnlyInGuarded: after guarded, a fault of other code ends the program as before.
func TestFaultsAreErrorsOnlyInGuarded(t *testing.T) {
	f, _ := mappedFile(t)
	for _, before := range []bool{false, true} {
		t.Run(fmt.Sprint(before), func(t *testing.T) {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(before))
			within := false
			err := f.guarded(func() error {
				within = debug.SetPanicOnFault(true)
				return nil
			})
			if after := debug.SetPanicOnFault(before); err != nil || !within || after != before {
				t.Errorf("within: %v, after: %v, want %v; %v", within, after, before, err)
			}
		})
	}
}

// TestCloseClosesOwnHandles: Close closes the handle that Open opened, and not the handle of a caller.
func TestCloseClosesOwnHandles(t *testing.T) {
	f, path := mappedFile(t)
	own := f.handle
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := own.Stat(); err == nil { // the error of a closed handle differs between systems
		t.Error("the handle stays open")
	}
	if err := f.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
	h, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	f, err = OpenHandle(context.Background(), h, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := h.Stat(); err != nil {
		t.Errorf("the handle of the caller: %v", err)
	}
	if f, err = OpenHandle(context.Background(), h, path, nil); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h.Close()
	if err := f.Intact(); err == nil {
		t.Error("intact without a handle")
	}
}

// TestFilesThatCannotBeMapped: the error of the system names the file.
func TestFilesThatCannotBeMapped(t *testing.T) {
	_, path := mappedFile(t)
	h, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	_, err = OpenHandle(context.Background(), h, path, nil)
	if p, ok := errors.AsType[*os.PathError](err); !ok || p.Op != "map" || p.Path != path {
		t.Errorf("%v", err)
	}
}

// TestWrittenNeedsTheWholeFile: if a zero at the end of the old file is missing, no byte differs, but the file has been
// cut short.
func TestWrittenNeedsTheWholeFile(t *testing.T) {
	skipIfMappedFilesKeepTheirSize(t)
	path := filepath.Join(t.TempDir(), "zeros.pdf")
	data := append(sample(false).Bytes(webcapturetest.Layout{}), make([]byte, smallFile)...)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	u := f.NewUpdate()
	u.Put(object.Ref{Num: 7}, []byte("(a)"))
	g := opened(t, "written", ways[0].written(t, u), "")
	if err := u.Written(g); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, f.Size()-1); err != nil {
		t.Fatal(err)
	}
	if err := u.Written(g); err != errCutShort {
		t.Errorf("%v, want %v", err, errCutShort)
	}
}

// TestOwnNoticesZeros: if the last byte of an object became zero, the file was cut short. Null has no bytes.
func TestOwnNoticesZeros(t *testing.T) {
	f, _ := mappedFile(t)
	data := []byte("(a)")
	o, _, err := object.Parse(data, 0)
	if err != nil {
		t.Fatal(err)
	}
	data[2] = 0
	if _, err := f.NewReader().own(o); err != errCutShort {
		t.Errorf("%v, want %v", err, errCutShort)
	}
	if o, err := f.NewReader().own(object.Object{}); err != nil || !o.IsNull() {
		t.Errorf("null is %v, %v", o, err)
	}
}

// A lateCutter is a writer that shortens a file by a byte when it has all bytes of the file.
type lateCutter struct {
	path    string
	size, n int64
}

func (c *lateCutter) Write(b []byte) (int, error) {
	if c.n += int64(len(b)); c.n >= c.size {
		return len(b), os.Truncate(c.path, c.size-1)
	}
	return len(b), nil
}

// TestFileCutShortAtTheLastWrite: if a file is cut short during the last write, the result is an error.
func TestFileCutShortAtTheLastWrite(t *testing.T) {
	skipIfMappedFilesKeepTheirSize(t)
	for name, write := range map[string]func(*Update, io.Writer) error{
		"increment": (*Update).WriteIncrement,
		"WriteTo":   func(u *Update, w io.Writer) error { _, err := u.f.WriteTo(w); return err },
	} {
		t.Run(name, func(t *testing.T) {
			f, path := mappedFile(t)
			if err := write(f.NewUpdate(), &lateCutter{path: path, size: f.Size()}); err != errCutShort {
				t.Errorf("%v, want %v", err, errCutShort)
			}
		})
	}
}
