// Writes a PDF file anew: node write.mjs save|copy|first IN OUT. With copy and first it copies all
// pages, or the first, into a new document.
import { readFileSync, writeFileSync } from 'node:fs'
import { PDFDocument } from 'pdf-lib'

const [how, from, to] = process.argv.slice(2)
const was = await PDFDocument.load(readFileSync(from))
let is = was
if (how !== 'save') {
  is = await PDFDocument.create()
  const pages = how === 'first' ? [0] : was.getPageIndices()
  for (const page of await is.copyPages(was, pages)) is.addPage(page)
}
writeFileSync(to, await is.save())
