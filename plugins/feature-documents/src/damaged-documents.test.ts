import { expect } from 'chai'
import fc from 'fast-check'
import { readDocument } from './reader/read-document.js'
import { docxOf, epubOf, openDocumentOf, paragraph, pptxOf, shapeOf, xlsxOf } from './test-support/office-files.js'
import { pdfOfLines } from './test-support/pdf-file.js'

const samples: Readonly<Record<string, Uint8Array>> = {
  docx: docxOf(paragraph('Some text')),
  xlsx: xlsxOf('<row><c><v>1</v></c></row>'),
  pptx: pptxOf(shapeOf('title', 'One'), 'Notes'),
  odt: openDocumentOf('text', '<office:text><text:p>Text</text:p></office:text>'),
  epub: epubOf(['<p>Text</p>']),
  pdf: pdfOfLines('Hello'),
  html: Buffer.from('<!doctype html><html><body><table><tr><td>a</table><p>b</body></html>'),
  eml: Buffer.from('From: a@b\r\nTo: c@d\r\nSubject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b--'),
  rtf: Buffer.from("{\\rtf1\\ansi{\\fonttbl{\\f0 A;}}Hello \\'e9\\par}"),
  png: Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex'),
  beginning: Buffer.from('PK\x03\x04'),
}

/** A document with some bytes changed, and cut somewhere. */
const damaged = fc
  .tuple(fc.constantFrom(...Object.values(samples)), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }), fc.nat())
  .map(([sample, changes, cut]) => {
    const bytes = Uint8Array.from(sample)
    for (const [at, value] of changes) bytes[at % bytes.length] = value
    return cut % 3 === 0 ? bytes.subarray(0, cut % (bytes.length + 1)) : bytes
  })

const random = fc
  .tuple(
    fc.constantFrom('', '%PDF-1.7\n', 'PK\x03\x04', '{\\rtf1', '\xff\xd8\xff\xe1', 'II*\0', '\xff\xfe', '<html>', 'GIF89a'),
    fc.uint8Array({ maxLength: 500 }),
  )
  .map(([head, bytes]) => Buffer.concat([Buffer.from(head, 'latin1'), bytes]))

describe('damaged documents', () => {
  it('have an answer also if a part fails before it is read', async () => {
    const bytes = Uint8Array.from(samples['xlsx'] ?? [])
    const at = Buffer.from(bytes).indexOf('xl/workbook.xml') + 'xl/workbook.xml'.length
    bytes.fill(0xff, at, at + 20)
    const { answer } = await readDocument({ maxCharacters: 500 }, bytes)
    expect(answer.outcome).to.equal('unreadable')
  })

  it('always have an answer', async () => {
    const outcomes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.oneof(damaged, random), fc.constantFrom(undefined, 'x.html', 'x.eml', 'x.docx'), async (bytes, name) => {
        const { answer, text } = await readDocument({ maxCharacters: 500, ...(name === undefined ? {} : { name }) }, bytes)
        outcomes.add(answer.outcome)
        expect(text.length).to.be.at.most(500)
        expect(JSON.stringify(answer).length).to.be.below(5_000)
      }),
      { numRuns: 300 },
    )
    expect(outcomes).to.include('read').and.to.include('unreadable').and.to.include('type-unknown')
  })
})
