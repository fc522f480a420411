// Writes a PDF file anew: node rewrite.mjs OPERATION IN OUT [OTHER]. An operation is the name of a
// library and what it does, such as pdflib-copy.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PDFDocument, degrees } from 'pdf-lib'

const [operation, from, to, other] = process.argv.slice(2)
const data = () => new Uint8Array(readFileSync(from))

// pdflib copies pages into a new document.
async function pdflib(choose) {
  const was = await PDFDocument.load(data())
  const is = await PDFDocument.create()
  for (const page of await is.copyPages(was, choose(was.getPageIndices()))) is.addPage(page)
  return is.save()
}

// edited saves a document after an edit by pdf-lib.
async function edited(edit) {
  const document = await PDFDocument.load(data())
  await edit(document)
  return document.save()
}

// pdfjs opens the file with pdf.js.
async function pdfjs(save) {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const task = getDocument({ data: data(), verbosity: 0 })
  const result = await save(await task.promise)
  await task.destroy()
  return result
}

// annotate saves the document with a note on the first page, which is all that a viewer's user does.
async function annotate(document) {
  document.annotationStorage.setValue('pdfjs_internal_editor_0', {
    annotationType: 3, color: [0, 0, 0], fontSize: 10, value: 'note', pageIndex: 0, rect: [20, 20, 90, 40], rotation: 0,
  })
  return document.saveDocument()
}

// pdfium opens the file with PDFium, and saves the document that edit returns.
async function pdfium(edit) {
  const { init } = await import('@embedpdf/pdfium')
  const wasm = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')
  const library = await init({ wasmBinary: readFileSync(wasm) })
  library.PDFiumExt_Init()
  const malloc = library.pdfium.wasmExports.malloc
  const bytes = data()
  const place = malloc(bytes.length)
  library.pdfium.HEAPU8.set(bytes, place)
  const document = edit(library, library.FPDF_LoadMemDocument(place, bytes.length, ''))
  const writer = library.PDFiumExt_OpenFileWriter()
  library.PDFiumExt_SaveAsCopy(document, writer)
  const size = library.PDFiumExt_GetFileWriterSize(writer)
  const out = malloc(size)
  library.PDFiumExt_GetFileWriterData(writer, out, size)
  return library.pdfium.HEAPU8.slice(out, out + size)
}

// imported returns a new document with pages of another.
function imported(library, document, range) {
  const is = library.FPDF_CreateNewDocument()
  library.FPDF_ImportPages(is, document, range, 0)
  return is
}

const operations = {
  'pdflib-save': () => edited(() => {}),
  'pdflib-copy': () => pdflib((pages) => pages),
  'pdflib-first': () => pdflib((pages) => pages.slice(0, 1)),
  'pdflib-remove': () => edited((d) => { if (d.getPageCount() > 1) d.removePage(0) }),
  'pdflib-insert': () => edited((d) => d.insertPage(0)),
  'pdflib-rotate': () => edited((d) => d.getPages().forEach((p) => p.setRotation(degrees(90)))),
  'pdflib-merge': () => edited(async (d) => {
    const second = await PDFDocument.load(readFileSync(other))
    for (const page of await d.copyPages(second, second.getPageIndices())) d.addPage(page)
  }),
  'pdfjs-save': () => pdfjs(annotate),
  'pdfjs-extract': () => pdfjs((d) => d.extractPages([{ document: null }])),
  'pdfjs-extract-first': () => pdfjs((d) => d.extractPages([{ document: null, includePages: [0] }])),
  'pdfjs-merge': () => pdfjs((d) => {
    return d.extractPages([{ document: null }, { document: new Uint8Array(readFileSync(other)) }])
  }),
  'pdfium-save': () => pdfium((_, d) => d),
  'pdfium-import': () => pdfium((l, d) => imported(l, d, '')),
  'pdfium-import-first': () => pdfium((l, d) => imported(l, d, '1')),
  'pdfium-delete': () => pdfium((l, d) => { if (l.FPDF_GetPageCount(d) > 1) l.FPDFPage_Delete(d, 0); return d }),
  'pdfium-rotate': () => pdfium((l, d) => { l.FPDFPage_SetRotation(l.FPDF_LoadPage(d, 0), 1); return d }),
}

writeFileSync(to, await operations[operation]())
process.exit(0)
