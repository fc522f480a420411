package audit_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	"strings"
	"testing"
)

// mhtmlCases are bodies in parts of MHTML files.
func mhtmlCases(same bool, text []byte) (list []bodyCase) {
	add := func(name, coding, body string, sure storage) {
		list = append(list, bodyCase{name, "a.mht", fmt.Appendf(nil,
			"From: <Saved by test>\r\nDate: Sun, 01 Feb 2026 10:00:00 GMT\r\nMIME-Version: 1.0\r\n"+
				"Content-Type: multipart/related; boundary=\"b\"\r\n\r\n--b\r\nContent-Type: text/plain\r\n%sContent-Location: %s\r\n\r\n"+
				"%s\r\n--b--\r\n", coding, bodyURL, body), same, sure})
	}
	const transfer = "Content-Transfer-Encoding: "
	var quoted bytes.Buffer
	w := quotedprintable.NewWriter(&quoted)
	w.Binary = true
	w.Write(text)
	w.Close()
	b64 := base64.StdEncoding.EncodeToString(text)
	add("binary", transfer+"binary\r\n", string(text), exact)
	add("8bit", transfer+"8bit\r\n", strings.ReplaceAll(string(text), "\n", "\r\n"), lost)
	add("no coding", "", strings.ReplaceAll(string(text), "\n", "\r\n"), lost)
	add("base64 in a part", transfer+"base64\r\n", b64, exact)
	add("base64 without padding in a part", transfer+"base64\r\n", strings.TrimRight(b64, "="), lost)
	add("base64 and garbage in a part", transfer+"base64\r\n", b64+"$$", lost)
	add("quoted-printable", transfer+"quoted-printable\r\n", quoted.String(), vague)
	add("quoted-printable without line ends", transfer+"quoted-printable\r\n",
		strings.NewReplacer("=\r\n", "=", "\r\n", "").Replace(quoted.String()), lost)
	add("quoted-printable in long lines", transfer+"quoted-printable\r\n", strings.ReplaceAll(quoted.String(), "=\r\n", ""), vague)
	add("quoted-printable and a stray escape", transfer+"quoted-printable\r\n", quoted.String()+"=zz", lost)
	add("unknown transfer coding", transfer+"x-uuencode\r\n", "begin 644 a", lost)
	return list
}

func TestStoredParts(t *testing.T) { testBodies(t, bodyPDF(capturedText), mhtmlCases) }
