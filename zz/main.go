package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/webcap-tools/webcap/digest/source"
)

func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func main() {
	switch os.Args[1] {
	case "many":
		f, _ := os.Create(os.Args[2])
		w := bufio.NewWriter(f)
		for i := range 1_000_000 {
			fmt.Fprintf(w, "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h.example/%d\r\nWARC-Date: 2024-05-06T07:08:09Z\r\nWARC-Record-ID: <urn:uuid:%d>\r\nContent-Length: 4\r\n\r\ndata\r\n\r\n", i, i)
		}
		w.Flush()
	case "gz":
		f, _ := os.Open(os.Args[2])
		z, _ := gzip.NewReader(bufio.NewReaderSize(f, 256<<10))
		b := make([]byte, 256<<10)
		for {
			if _, err := z.Read(b); err != nil {
				break
			}
		}
		fmt.Println("gzip.Reader", cpu())
	case "open":
		s, err := source.Open("", os.Args[2])
		if err != nil {
			panic(err)
		}
		fmt.Println("open", cpu(), s.Stats().Kept)
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Printf("%.1f B/record, sys %.1f B/record\n", float64(m.HeapAlloc)/float64(s.Stats().Kept), float64(m.Sys)/float64(s.Stats().Kept))
		if len(os.Args) > 3 {
			n := 0
			for _, err := range source.All(s) {
				if err == nil {
					n++
				}
			}
			fmt.Println("list", cpu(), n)
		}
	}
}
