package audit

import (
	"regexp"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestEncryptedTwice: if strings of a content set are encrypted twice, the report says only that. All other findings
// would be about noise.
func TestEncryptedTwice(t *testing.T) {
	const text = "names: << /URLS << /Names [ (http://a.example/page.html) 5 0 R ] >> >>\nspiderinfo: << /V 1.25 >>\n" +
		"5 0 obj << /S /SPS /ID " + idA + " /O [ 6 0 R ] /SI << /AU (http://a.example/page.html) >> >>\n" +
		"6 0 obj << /Type /Page /ID " + idA + " >>\n"
	layout := webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 6, Hex: true}}
	encrypt := func(text string) []byte {
		d, err := webcapturetest.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return d.Bytes(layout)
	}
	once := encrypt(text)
	if rep := auditBytes(t, once, Options{}); len(rep.Unread) > 0 {
		t.Errorf("encrypted once: %v", rep.Unread)
	}
	au := regexp.MustCompile(`/AU ?(<[0-9A-Fa-f]+>)`).FindSubmatch(once)
	if au == nil {
		t.Fatal("no AU in the encrypted file")
	}
	twice := strings.Replace(text, "/AU (http://a.example/page.html)", "/AU "+string(au[1]), 1)
	rep := auditBytes(t, encrypt(twice), Options{})
	if len(rep.Findings) > 0 || len(rep.Unread) != 1 ||
		!strings.Contains(rep.Unread[0].Err.Error(), "decrypted again, the URL is (http://a.example/page.html)") {
		t.Errorf("findings %v, unread %v", rep.Findings, rep.Unread)
	}
	noise := strings.Replace(text, "/AU (http://a.example/page.html)", "/AU <"+strings.Repeat("c9f2", 32)+">", 1)
	if rep := auditBytes(t, encrypt(noise), Options{}); len(rep.Findings) == 0 || len(rep.Unread) > 0 {
		t.Errorf("noise without a proof: findings %v, unread %v", rep.Findings, rep.Unread)
	}
}
