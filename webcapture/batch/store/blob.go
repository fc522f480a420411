//go:build cloud

package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"strings"
	"sync"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// Find yields the object of a name; if that is a prefix, all objects below it, in the order in
// which the store lists them. The error is an fs.ErrNotExist if there is no such object.
func Find(ctx context.Context, name string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		p, err := parse(name)
		if err != nil {
			yield(nil, err)
			return
		}
		b, err := Bucket(ctx, p.bucket())
		switch {
		case err != nil:
			yield(nil, reason(err))
		case IsPrefix(name):
			p.list(ctx, b, yield)
		default:
			o := &object{place: p, in: b}
			if a, err := o.attributes(ctx); err != nil {
				yield(nil, reason(err))
			} else {
				o.size = a.Size
				yield(o, nil)
			}
		}
	}
}

// A place is where an object is: what stands before its key, the key, and what the driver has to know.
type place struct{ start, key, query string }

// parse takes a name apart. In keys %, ? and # are escaped, as in other URLs.
func parse(name string) (place, error) {
	u, err := url.Parse(name)
	if err != nil {
		return place{}, errors.Unwrap(err)
	}
	if u.Fragment != "" {
		return place{}, errors.New("write # as %23 in object names")
	}
	p := place{u.Scheme + "://" + u.Host, strings.TrimPrefix(u.Path, "/"), u.RawQuery}
	if u.Scheme == "file" {
		p.start += "/" // the folder in which all others are
	}
	return p, nil
}

// bucket returns the URL of the bucket.
func (p place) bucket() string {
	if p.query == "" {
		return p.start
	}
	return p.start + "?" + p.query
}

// name returns the name that leads here.
func (p place) name() string {
	s := strings.TrimSuffix(p.start, "/") + (&url.URL{Path: "/" + p.key}).EscapedPath()
	if p.query != "" {
		s += "?" + p.query
	}
	return s
}

// list yields the objects whose keys begin as that of p.
func (p place) list(ctx context.Context, b *blob.Bucket, yield func(Object, error) bool) {
	for token := blob.FirstPageToken; len(token) > 0; {
		var page []*blob.ListObject
		err := timely(ctx, func(ctx context.Context) (err error) {
			page, token, err = b.ListPage(ctx, token, listed, &blob.ListOptions{Prefix: p.key})
			return err
		})
		if err != nil {
			yield(nil, reason(err))
			return
		}
		for _, entry := range page {
			if entry.IsDir || strings.HasSuffix(entry.Key, "/") { // some tools make folders of such
				continue
			}
			if !yield(&object{place: place{p.start, entry.Key, p.query}, in: b, size: entry.Size}, nil) {
				return
			}
		}
	}
}

// buckets are those that are open, by URL. To open one may take several requests, so they stay open.
var buckets struct {
	sync.Mutex
	open map[string]*blob.Bucket
}

// Bucket returns the bucket of a URL, the same each time.
func Bucket(ctx context.Context, url string) (*blob.Bucket, error) {
	buckets.Lock()
	defer buckets.Unlock()
	if b := buckets.open[url]; b != nil {
		return b, nil
	}
	var b *blob.Bucket
	err := timely(ctx, func(ctx context.Context) (err error) {
		b, err = blob.OpenBucket(context.WithoutCancel(ctx), url)
		return err
	})
	if err != nil {
		return nil, err
	}
	if buckets.open == nil {
		buckets.open = map[string]*blob.Bucket{}
	}
	buckets.open[url] = b
	return b, nil
}

// watch is called before each request, and with the number of bytes of each piece that came. Its
// error is there instead of what came. It is nil except in tests.
var watch func(ctx context.Context, bytes int) error

func watched(ctx context.Context, bytes int) error {
	if watch == nil {
		return nil
	}
	return watch(ctx, bytes)
}

// An object is an Object of a bucket.
type object struct {
	place
	in   *blob.Bucket
	size int64
}

func (o *object) Name() string { return o.place.name() }

func (o *object) Size() int64 { return o.size }

func (o *object) attributes(ctx context.Context) (a *blob.Attributes, err error) {
	err = timely(ctx, func(ctx context.Context) error {
		a, err = o.in.Attributes(ctx, o.key)
		return err
	})
	return a, err
}

// Range returns n bytes from an offset on.
func (o *object) Range(ctx context.Context, at, n int64) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	b := &body{ctx: ctx, cancel: cancel, stalled: time.AfterFunc(maxWait, func() { cancel(errStalled) })}
	err := watched(ctx, 0)
	if err == nil {
		b.r, err = o.in.NewRangeReader(ctx, o.key, at, n, nil)
	}
	if err != nil {
		err = b.reason(err)
	} else if b.r.Size() != o.size {
		err = errors.Join(errSize, b.r.Close())
	}
	if err != nil {
		b.end()
		return nil, err
	}
	return b, nil
}

// A body reads the bytes of an object. It fails when none have come for a minute.
type body struct {
	r       *blob.Reader
	ctx     context.Context
	cancel  context.CancelCauseFunc
	stalled *time.Timer
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if lost := watched(b.ctx, n); lost != nil {
		n, err = 0, lost
	}
	b.stalled.Reset(maxWait)
	if err != nil && err != io.EOF {
		err = b.reason(err)
	}
	return n, err
}

// Close ends the request.
func (b *body) Close() error {
	b.end()
	return b.r.Close()
}

func (b *body) end() {
	b.stalled.Stop()
	b.cancel(nil)
}

// reason returns why a request failed.
func (b *body) reason(err error) error {
	if context.Cause(b.ctx) == errStalled {
		return errStalled
	}
	return reason(err)
}

var (
	errStalled = fmt.Errorf("the store sent no data for %v", maxWait)
	errSize    = errors.New("the file changed while it was read: its size differs")
	errMissing = fmt.Errorf("no such object: %w", fs.ErrNotExist)
)

// timely runs do, a request whose answer is short, with an end to it.
func timely(ctx context.Context, do func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, maxWait, errStalled)
	defer cancel()
	err := watched(ctx, 0)
	if err == nil {
		err = do(ctx)
	}
	if err != nil && context.Cause(ctx) == errStalled {
		return errStalled
	}
	return err
}

// reason returns what is wrong, without the key, which is in the name that the message begins with.
func reason(err error) error {
	if gcerrors.Code(err) == gcerrors.NotFound {
		return errMissing
	}
	return cmp.Or(errors.Unwrap(err), err)
}
