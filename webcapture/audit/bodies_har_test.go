package audit_test

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// harOf returns a HAR file with one entry. Content is what its content has, as JSON.
func harOf(status int, headers, content map[string]any) []byte {
	var fields []map[string]any
	for name, value := range headers {
		fields = append(fields, map[string]any{"name": name, "value": value})
	}
	data, err := json.Marshal(map[string]any{"log": map[string]any{"version": "1.2", "entries": []any{map[string]any{
		"startedDateTime": "2026-02-01T10:00:00Z", "request": map[string]any{"method": "GET", "url": bodyURL},
		"response": map[string]any{"status": status, "headers": fields, "content": content},
	}}}})
	if err != nil {
		panic(err)
	}
	return data
}

// latin1 returns text with one more line: in ISO 8859-1, and as browsers decode it.
func latin1(text []byte) (sent []byte, decoded string) {
	return append(bytes.Clone(text), "K\xf6ln\n"...), string(text) + "Köln\n"
}

// harCases are bodies as browsers log them.
func harCases(same bool, text []byte) (list []bodyCase) {
	type object = map[string]any
	add := func(name string, sure storage, status int, headers, content object) {
		list = append(list, bodyCase{name, "a.har", harOf(status, headers, content), same, sure})
	}
	b64 := base64.StdEncoding.EncodeToString
	n := len(text)
	add("text", vague, 200, nil, object{"size": n, "mimeType": "text/plain", "text": string(text)})
	add("text of charset UTF-8", vague, 200, nil, object{"size": n, "mimeType": "text/plain; charset=utf-8", "text": string(text)})
	add("text without a size", vague, 200, nil, object{"mimeType": "text/plain", "text": string(text)})
	add("text of size 0", vague, 200, nil, object{"size": 0, "mimeType": "text/plain", "text": string(text)})
	add("text of size -1", vague, 200, nil, object{"size": -1, "mimeType": "text/plain; charset=iso-8859-1", "text": string(text)})
	add("text of another size", vague, 200, nil, object{"size": n + 3, "mimeType": "text/plain", "text": string(text)})
	add("text of status 0", vague, 0, nil, object{"size": n, "mimeType": "text/plain", "text": string(text)})
	add("text of status 404", vague, 404, nil, object{"size": n, "mimeType": "text/plain", "text": string(text)})
	add("text of an unknown encoding", vague, 200, nil, object{"size": n, "mimeType": "text/plain", "encoding": "utf8", "text": string(text)})
	add("no text, size 0", lost, 200, nil, object{"size": 0, "mimeType": "text/plain", "text": ""})
	add("no text, no size", lost, 200, nil, object{"mimeType": "text/plain", "text": ""})
	add("no base64", lost, 200, nil, object{"size": 0, "mimeType": "text/plain", "encoding": "base64", "text": ""})
	add("no content", lost, 204, nil, object{"size": 0, "mimeType": "text/plain", "text": ""})
	add("text of its length", vague, 200, object{"content-length": fmt.Sprint(n)},
		object{"size": n, "mimeType": "text/plain", "text": string(text)})
	add("text of another length", vague, 200, object{"content-length": fmt.Sprint(n + 9)},
		object{"size": n, "mimeType": "text/plain", "text": string(text)})
	add("text of another length, coded", vague, 200, object{"Content-Length": "99", "Content-Encoding": "gzip"},
		object{"size": n, "mimeType": "text/plain", "text": string(text)})
	add("text of status 304", vague, 304, nil, object{"size": n, "mimeType": "text/plain", "text": string(text)})
	for _, charset := range []string{"iso-2022-kr", "utf-7", "hz-gb-2312", "x-unknown"} {
		add(charset, vague, 200, nil, object{"size": n, "mimeType": "text/plain; charset=" + charset, "text": string(text)})
	}
	list = append(list, bodyCase{"text with an error", "a.har", bytes.Replace(harOf(200, nil,
		object{"size": n, "mimeType": "text/plain", "text": string(text)}), []byte(`"response":{`),
		[]byte(`"response":{"_error":"net::ERR_CONTENT_LENGTH_MISMATCH",`), 1), same, vague})
	add("UTF-16", vague, 200, nil, object{"mimeType": "text/plain; charset=utf-16le", "text": string(text)})
	whole := harOf(200, nil, object{"size": n, "mimeType": "text/plain", "text": string(text)})
	const without = `{"request":{"method":"GET","url":"` + bodyURL + `"},"response":{"status":200,"content":{"size":9}}},`
	list = append(list, bodyCase{"text after an entry without a body", "a.har",
		bytes.Replace(whole, []byte(`"entries":[`), []byte(`"entries":[`+without), 1), same, vague})
	const part = `{"request":{"method":"GET","url":"` + bodyURL + `"},"response":{"status":206,"content":{"size":1,"text":"x"}}},`
	list = append(list, bodyCase{"text after a part of a file", "a.har",
		bytes.Replace(whole, []byte(`"entries":[`), []byte(`"entries":[`+part), 1), same, vague})
	add("base64", exact, 200, nil, object{"size": n, "mimeType": "text/plain", "encoding": "base64", "text": b64(text)})
	add("base64 without padding", lost, 200, nil,
		object{"size": n, "mimeType": "text/plain", "encoding": "base64", "text": strings.TrimRight(b64(text), "=")})
	add("base64 and garbage", lost, 200, nil, object{"size": n, "mimeType": "text/plain", "encoding": "base64", "text": b64(text) + "$"})
	add("base64 without a size", vague, 200, nil, object{"mimeType": "text/plain", "encoding": "base64", "text": b64(text)})
	add("base64 of another size", vague, 200, nil, object{"size": n + 9, "mimeType": "text/plain", "encoding": "base64", "text": b64(text)})
	for _, c := range []struct {
		name   string
		encode func([]byte) []byte
	}{{"gzip", asGzip}, {"br", asBr}, {"deflate", asZlib}, {"zstd", asZstd}} {
		sure := vague
		if c.name == "br" { // browsers remove the declared coding, and this coding has no signature
			sure = lost
		}
		for _, headers := range []object{nil, {"Content-Encoding": c.name}} {
			add(fmt.Sprintf("base64 of %s, %d headers", c.name, len(headers)), sure, 200, headers,
				object{"size": n, "mimeType": "text/plain", "encoding": "base64", "text": b64(c.encode(text))})
		}
	}
	return list
}

// charsetCases are texts that were not sent as UTF-8. The text is in ISO 8859-1 as it was sent, and a HAR file has only
// decoded text.
func charsetCases(same bool, text []byte) (list []bodyCase) {
	type object = map[string]any
	_, decoded := latin1(text)
	replaced := strings.ReplaceAll(decoded, "ö", "\ufffd")
	for _, row := range []struct {
		name, media string
		size        any
		text        string
		sure        storage
	}{
		{"Latin-1, the size of the text", "text/plain; charset=iso-8859-1", len(decoded), decoded, lost},
		{"Latin-1, the size of the file", "text/plain; charset=iso-8859-1", len(decoded) - 1, decoded, lost},
		{"Latin-1, size 0", "text/plain; charset=iso-8859-1", 0, decoded, lost},
		{"Latin-1, size -1", "text/plain; charset=ISO-8859-1", -1, decoded, lost},
		{"Latin-1, quoted", `text/plain; charset="latin1"`, len(decoded), decoded, lost},
		{"Latin-1, no charset", "text/plain", len(decoded), decoded, lost},
		{"windows-1252", "text/plain; charset=windows-1252", len(decoded), decoded, lost},
		{"Latin-1, characters replaced", "text/plain; charset=utf-8", len(replaced), replaced, lost},
	} {
		content := object{"size": row.size, "mimeType": row.media, "text": row.text}
		list = append(list, bodyCase{row.name, "a.har", harOf(200, nil, content), same, row.sure})
	}
	return list
}

func TestStoredLogs(t *testing.T) { testBodies(t, bodyPDF(capturedText), harCases) }

func TestStoredCharsets(t *testing.T) {
	sent, _ := latin1(capturedText)
	testBodies(t, bodyPDF(sent), charsetCases)
}

// TestStoredLogMD5: the MD5 that a mismatch names is that of the body in the log, not of a form that webcap made of it.
func TestStoredLogMD5(t *testing.T) {
	content := map[string]any{"size": len(otherText), "mimeType": "text/plain", "encoding": "base64",
		"text": base64.StdEncoding.EncodeToString(otherText)}
	got := verdictOf(t, bodyPDF(capturedText), bodyCase{file: "a.har", data: harOf(200, nil, content)})
	if want := fmt.Sprintf("the MD5 of the source is <%x>", md5.Sum(otherText)); got.Reason != want {
		t.Errorf("%s, want %s", got.Reason, want)
	}
}
