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

// Find yields the object with this name. If the name is a prefix, it yields all objects below it, in the order of
// the store. The error is an fs.ErrNotExist if there is no such object.
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

// place is the parsed name of an object: the URL of its bucket, its key, and the query with options for the driver.
type place struct{ start, key, query string }

// parse parses a name. In keys, %, ? and # are escaped, as in other URLs.
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
		p.start += "/" // the root folder
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

// name returns the name of the object at p.
func (p place) name() string {
	s := strings.TrimSuffix(p.start, "/") + (&url.URL{Path: "/" + p.key}).EscapedPath()
	if p.query != "" {
		s += "?" + p.query
	}
	return s
}

// list yields the objects whose keys begin with the key of p.
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
			if entry.IsDir || strings.HasSuffix(entry.Key, "/") { // some tools create objects like this for folders
				continue
			}
			if !yield(&object{place: place{p.start, entry.Key, p.query}, in: b, size: entry.Size}, nil) {
				return
			}
		}
	}
}

// buckets are the open buckets, by URL. They stay open, because opening one may take several requests.
var buckets struct {
	sync.Mutex
	open map[string]*blob.Bucket
}

// Bucket returns the bucket at url. It returns the same bucket each time.
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

// watch is called before each request, and with the number of bytes of each received piece. Its error replaces the
// response. It is nil except in tests.
var watch func(ctx context.Context, bytes int) error

func watched(ctx context.Context, bytes int) error {
	if watch == nil {
		return nil
	}
	return watch(ctx, bytes)
}

// object is an Object of a bucket.
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

// Range returns n bytes from offset at.
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

// body reads the bytes of an object. It fails if no bytes arrive for a minute.
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

// reason returns the reason for a failed request.
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

// timely runs do, a request with a short response, with a time limit.
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

// reason returns the error without the key, because messages begin with the name of the object.
func reason(err error) error {
	if gcerrors.Code(err) == gcerrors.NotFound {
		return errMissing
	}
	return cmp.Or(errors.Unwrap(err), err)
}
