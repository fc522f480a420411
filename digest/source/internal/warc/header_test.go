package warc

import (
	"strings"
	"testing"
)

// headerOf parses the header of a WARC record with these fields.
func headerOf(t *testing.T, fields ...string) record {
	t.Helper()
	text := "WARC/1.1\r\n" + strings.Join(append(fields, "", ""), "\r\n")
	b := []byte(text + "the block")
	r, err := parseRecord(b)
	if err != nil || string(r.raw) != text {
		t.Fatalf("%q: %q, %v", text, r.raw, err)
	}
	return r
}

// TestKindsOfRecord: the type, the URL, and the media type decide what a record means.
func TestKindsOfRecord(t *testing.T) {
	for _, row := range []struct {
		fields string
		kind   string
		http   bool
	}{
		{"WARC-Type: response", "reply", true},
		{"WARC-Type: response|Content-Type: application/http", "reply", true},
		{"WARC-Type: response|Content-Type: Application/HTTP; msgtype=response", "reply", true},
		{"WARC-Type: response|Content-Type: text/dns", "reply", false},
		{"WARC-Type: revisit", "revisit", true},
		{"WARC-Type: request", "request", true},
		{"WARC-Type: resource|Content-Type: text/html", "reply", false},
		{"WARC-Type: metadata|WARC-Target-URI: http://a/", "other", false},
		{"WARC-Type: metadata|WARC-Target-URI: ftp://a/", "other", false},
		{"WARC-Type: metadata|WARC-Target-URI: metadata://a/", "other", false},
		{"WARC-Type: metadata|WARC-Target-URI: urn:pageinfo:x", "other", false},
		{"WARC-Type: conversion|WARC-Target-URI: urn:x", "other", false},
		{"WARC-Type: continuation|WARC-Segment-Number: 2", "other", false},
		{"WARC-Type: new", "other", false},
		{"WARC-Type: ARC", "other", false},
		{"WARC-Type: other", "other", false},
	} {
		t.Run(row.fields, func(t *testing.T) {
			r := headerOf(t, strings.Split(row.fields, "|")...)
			is := map[string]bool{"reply": r.isReply(), "revisit": r.isRevisit(), "request": r.isRequest(), "other": r.isOther()}
			if !is[row.kind] || r.http != row.http {
				t.Errorf("%v, HTTP %v", is, r.http)
			}
		})
	}
}

// TestDetectArchive: what begins an archive file. Line ends may precede it.
func TestDetectArchive(t *testing.T) {
	warcHeader, arcHeader := "WARC/1.0\r\nWARC-Type: response\r\n\r\n", "http://a/ 1.2.3.4 20200102030405 text/html 17\n"
	for _, row := range []struct {
		start string
		is    bool
	}{
		{warcHeader + "data", true},
		{"\r\n\n" + warcHeader + "data", true},
		{warcHeader[:20], true},
		{"WARC/1.0\r\nWARC/1.0\r\n", false},
		{arcHeader + "data", true},
		{"\n" + arcHeader, true},
		{arcHeader[:20], false},
		{"filedesc://a.arc", true},
		{"filedesc://a.arc 0.0.0.0 - text/plain 9\n", true},
		{"text", false},
		{"", false},
	} {
		t.Run(row.start, func(t *testing.T) {
			if got := Detect([]byte(row.start)); got != row.is {
				t.Errorf("%v, want %v", got, row.is)
			}
		})
	}
}
