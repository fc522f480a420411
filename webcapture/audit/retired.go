package audit

import (
	"strconv"
	"strings"
)

// Retired returns a sentence about a former rule, such as "WC205 is part of WC204" or "WC502 was removed". It returns
// false if there was no such rule. The name is an ID, such as "WC205" or "205".
func Retired(name string) (string, bool) {
	if _, err := strconv.ParseUint(name, 10, 16); err == nil {
		name = "WC" + name
	}
	id := strings.ToUpper(name)
	parts, ok := retired[id]
	switch {
	case !ok:
		return "", false
	case parts == "":
		return id + " was removed", true
	}
	return id + " is part of " + strings.ReplaceAll(parts, " ", " and "), true
}

// retired maps the IDs of former rules to the rules that check the same, separated by blanks. The value is empty if no
// rule does. An ID is never used again.
var retired = map[string]string{
	"WC105": "WC106",
	"WC109": "WC126",
	"WC116": "",
	"WC117": "WC115",
	"WC118": "",
	"WC119": "",
	"WC123": "WC120",
	"WC124": "",
	"WC127": "WC101",
	"WC128": "",
	"WC203": "WC204",
	"WC205": "WC204",
	"WC206": "WC204",
	"WC207": "WC204",
	"WC208": "WC210",
	"WC209": "WC204",
	"WC212": "",
	"WC213": "WC210",
	"WC214": "WC204",
	"WC222": "WC221",
	"WC225": "WC223 WC304",
	"WC226": "WC221",
	"WC227": "WC221",
	"WC404": "WC405",
	"WC406": "WC437",
	"WC411": "WC437",
	"WC414": "WC413",
	"WC415": "WC437",
	"WC416": "WC437",
	"WC417": "WC437",
	"WC418": "WC420",
	"WC419": "",
	"WC422": "WC405",
	"WC423": "WC201",
	"WC424": "WC437",
	"WC425": "",
	"WC426": "",
	"WC427": "",
	"WC429": "WC437",
	"WC430": "WC431",
	"WC432": "WC412",
	"WC433": "WC413",
	"WC434": "WC413",
	"WC435": "",
	"WC436": "",
	"WC502": "",
	"WC503": "WC501",
	"WC507": "",
	"WC513": "",
	"WC520": "WC521",
	"WC524": "",
	"WC525": "",
	"WC526": "",
	"WC528": "WC527",
	"WC602": "WC601",
	"WC605": "WC601",
	"WC608": "WC607",
	"WC613": "",
	"WC614": "WC611",
	"WC615": "WC612",
	"WC616": "WC611",
	"WC617": "",
	"WC618": "WC611",
	"WC619": "WC611",
	"WC620": "WC611",
	"WC621": "WC611",
	"WC622": "WC611",
	"WC623": "WC611",
	"WC624": "",
	"WC625": "WC611",
	"WC626": "",
	"WC703": "WC701",
	"WC705": "WC704",
}
