// The bare walk that benchmarks compare with: both trees, and of each content
// set the URL or the identifier. Run with: mutool run walk.js FILE
var doc = new PDFDocument(scriptArgs[0]);
var names = doc.getTrailer().get("Root").get("Names");
var entries = 0, other = 0;

function walk(node, field) {
	var kids = node.get("Kids");
	if (kids && kids.isArray()) {
		for (var i = 0; i < kids.length; i++) walk(kids.get(i), field);
		return;
	}
	var list = node.get("Names");
	for (var i = 0; i + 1 < list.length; i += 2) {
		entries++;
		var set = list.get(i + 1);
		var value = field == "AU" ? set.get("SI").get("AU") : set.get("ID");
		if (list.get(i).toString() != value.toString()) other++;
	}
}

walk(names.get("URLS"), "AU");
walk(names.get("IDS"), "ID");
print(entries + " entries, " + other + " unlike their content set");
