// Copies pages into a new document with MuPDF: mutool run graft.js OPERATION IN OUT. Without a graft
// map, what several pages share is copied for each.
var operation = scriptArgs[0], was = new PDFDocument(scriptArgs[1])

function copyPage(is, map, n) {
	if (map) return map.graftPage(-1, was, n)
	is.graftPage(-1, was, n)
}

function copyObjects(is, n) {
	var page = was.findPage(n), copy = is.newDictionary()
	copy.put("Type", is.newName("Page"))
	;["MediaBox", "Resources", "Contents", "Rotate", "ID", "PZ"].forEach(function (name) {
		var value = page.get(name)
		if (value) copy.put(name, is.graftObject(value))
	})
	is.insertPage(-1, is.addObject(copy))
}

var is = was
if (operation === "save") {
	is.save(scriptArgs[2], "compress")
} else if (operation === "delete") {
	if (is.countPages() > 1) is.deletePage(0)
	is.save(scriptArgs[2], "garbage")
} else {
	is = new PDFDocument()
	var map = operation === "map" ? is.newGraftMap() : null
	for (var n = 0; n < was.countPages(); n++) {
		if (operation === "objects") copyObjects(is, n)
		else copyPage(is, map, n)
	}
	is.save(scriptArgs[2], "")
}
