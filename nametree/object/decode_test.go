package object

import (
	"bytes"
	"testing"
)

func mustParse(tb testing.TB, s string) Object {
	tb.Helper()
	o, end, err := Parse([]byte(s), 0)
	if err != nil || end != len(s) {
		tb.Fatalf("Parse(%q): end %d, %v", s, end, err)
	}
	return o
}

func TestAppendString(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "(abc)", "abc"},
		{"empty", "()", ""},
		{"bytes", "(\x00\x80\xff)", "\x00\x80\xff"},
		{"escapes", `(\n\r\t\b\f\(\)\\)`, "\n\r\t\b\f()\\"},
		{"reverse solidus before other characters", `(\a\ \%\")`, `a %"`},
		{"octal of three digits", `(\101\053\060\377)`, "A+0\xff"},
		{"every first digit", `(\001\021\041\061\101\121\141\161)`, "\x01\x11\x21\x31\x41\x51\x61\x71"},
		{"every second digit", `(\000\010\020\030\040\050\060\070)`, "\x00\x08\x10\x18\x20\x28\x30\x38"},
		{"octal of one and two digits", `(\0x\53x\5)`, "\x00x+x\x05"},
		{"octal ends after three digits", `(\0533)`, "+3"},
		{"octal ends at a character below the digits", `(\5 \5+)`, "\x05 \x05+"},
		{"octal ends at eight", `(\58\08)`, "\x058\x008"},
		{"octal with overflow", `(\501\777)`, "A\xff"},
		{"LF", "(a\nb)", "a\nb"},
		{"CR", "(a\rb\r)", "a\nb\n"},
		{"CR at the beginning", "(\rb)", "\nb"},
		{"CR LF", "(a\r\nb)", "a\nb"},
		{"CR CR LF", "(a\r\r\nb)", "a\n\nb"},
		{"LF CR", "(a\n\rb)", "a\n\nb"},
		{"escaped CR stays", `(a\rb)`, "a\rb"},
		{"continued at LF", "(a\\\nb)", "ab"},
		{"continued at CR", "(a\\\rb)", "ab"},
		{"continued at CR, and no more", "(a\\\r)", "a"},
		{"continued at CR LF", "(a\\\r\nb)", "ab"},
		{"continued at CR LF, then LF", "(a\\\r\n\nb)", "a\nb"},
		{"nested", "(a(b)c)", "a(b)c"},
		{"hexadecimal", "<00ffAbCd>", "\x00\xff\xab\xcd"},
		{"hexadecimal, empty", "<>", ""},
		{"hexadecimal, odd", "<901FA>", "\x90\x1f\xa0"},
		{"hexadecimal, one digit", "<7>", "p"},
		{"hexadecimal, white space", "< 4\x001\t4\n2\f4\r3 >", "ABC"},
		{"hexadecimal, white space after pairs", "<41 42>", "AB"},
		{"hexadecimal, zeros after white space", "<41 00 4 0 0 4 0>", "A\x00@\x04\x00"},
		{"hexadecimal, other characters", "<4x1(>", "A"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := mustParse(t, test.in)
			got, ok := o.AppendString([]byte("before "))
			if want := "before " + test.want; string(got) != want || !ok {
				t.Errorf("AppendString of %q = %q, %v, want %q", test.in, got, ok, want)
			}
		})
	}
}

// Each byte survives in each spelling.
func TestAppendStringKeepsEveryByte(t *testing.T) {
	const octal, hex = "01234567", "0123456789abcdef"
	var esc, digits, want []byte
	for c := range 256 {
		esc = append(esc, '\\', octal[c>>6], octal[c>>3&7], octal[c&7])
		digits = append(digits, hex[c>>4], hex[c&15])
		want = append(want, byte(c))
	}
	for _, in := range []string{"(" + string(esc) + ")", "<" + string(digits) + ">",
		"<" + string(bytes.ToUpper(digits)) + ">"} {
		t.Run(in, func(t *testing.T) {
			if got, _ := mustParse(t, in).AppendString(nil); !bytes.Equal(got, want) {
				t.Errorf("AppendString of %s = %x", in, got)
			}
		})
	}
}

func TestName(t *testing.T) {
	tests := []struct{ in, want string }{
		{"/Name1", "Name1"},
		{"/", ""},
		{"/A;Name_With-Various***Characters?", "A;Name_With-Various***Characters?"},
		{"/1.2", "1.2"},
		{"/$$", "$$"},
		{"/lime#20Green", "lime Green"},
		{"/paired#28#29parentheses", "paired()parentheses"},
		{"/The_Key_of_F#23_Minor", "The_Key_of_F#_Minor"},
		{"/A#42", "AB"},
		{"/A#4a#4A", "AJJ"},
		{"/A#", "A#"},
		{"/A#4", "A#4"},
		{"/A#4x", "A#4x"},
		{"/A##41", "A#A"},
		{"/\xe9", "\xe9"},
	}
	for _, test := range tests {
		t.Run(test.in, func(t *testing.T) {
			o := mustParse(t, test.in)
			got, ok := o.Name()
			if string(got) != test.want || !ok || got == nil {
				t.Errorf("Name of %s = %q, %v, want %q", test.in, got, ok, test.want)
			}
			if !o.IsName(test.want) || o.IsName(test.want+"x") {
				t.Errorf("IsName of %s disagrees with Name", test.in)
			}
		})
	}
}

// Dictionary keys are names: a name without escapes must not be copied.
func TestNameIsAView(t *testing.T) {
	o := mustParse(t, "/Name1")
	if n, _ := o.Name(); &n[0] != &o.Raw()[1] {
		t.Errorf("the name was copied")
	}
}

func BenchmarkAppendString(b *testing.B) {
	for _, in := range []string{"<6aff6ffde16c22ad173845d2aad0b489>",
		"(http://www.jamestown.org/news_details.php?news_id=40)", `(a\(b\)c\053)`} {
		b.Run(in, func(b *testing.B) {
			o := mustParse(b, in)
			var buf []byte
			b.ReportAllocs()
			for b.Loop() {
				buf, _ = o.AppendString(buf[:0])
			}
		})
	}
}
