package canon

// The functions that README.URL of WWWOFFLE names, as version 2.9 has them. URLDecodeGeneric() is [Decode].

// Parts splits url as p does, and reduces the parts: without the steps between, they are those of the canonical form
// that Append returns. For the profiles of WWWOFFLE, it is SplitURL() of README.URL: Host includes the port, and
// only WWWOFFLE26 has Params.
func (p *Profile) Parts(url []byte) Parts {
	r := reduction{Parts: p.split(append([]byte(nil), url...)), profile: p}
	p.take(&r)
	return r.Parts
}

// EncodePath appends a decoded path to dst and encodes it; it is URLEncodePath() of README.URL. Letters, digits, and
// ! $ ( ) * + , - . / : ; = _ ~ stay. decoded must not share memory with dst from len(dst) on.
func EncodePath(dst, decoded []byte) []byte { return wwwPath.encode(dst, decoded) }

// EncodePassword appends a decoded username or password to dst and encodes it; it is URLEncodePassword() of README.URL.
// Letters, digits, and ! $ * + , - . = _ ~ stay. decoded must not share memory with dst from len(dst) on.
func EncodePassword(dst, decoded []byte) []byte { return wwwUserinfo.encode(dst, decoded) }

// RecodeFormArgs appends the arguments of a URL, or the data of a form, to dst in canonical form; it is
// URLRecodeFormArgs() of README.URL. It decodes escapes of octets that need none, writes a blank as "+", and keeps the
// delimiters & ; =. args must not share memory with dst from len(dst) on.
func RecodeFormArgs(dst, args []byte) []byte { return wwwQuery.append(dst, args) }

// SplitFormArgs splits recoded arguments into the strings key=data between "&" and ";"; it is SplitFormArgs() of
// README.URL. It decodes nothing. The strings alias args.
func SplitFormArgs(args []byte) (pairs [][]byte) {
	start := 0
	for i, c := range args {
		if c == '&' || c == ';' {
			pairs = append(pairs, args[start:i])
			start = i + 1
		}
	}
	return append(pairs, args[start:])
}
