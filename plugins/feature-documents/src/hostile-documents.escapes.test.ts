import { expect } from 'chai'
import type { ReadAnswer } from './processes/protocol.js'
import type { ReaderPool } from './processes/reader-pool.js'
import { docxOf, paragraph, xlsxOf, zipOf } from './test-support/office-files.js'
import { pdfOf } from './test-support/pdf-file.js'
import { createTestPool } from './test-support/test-pool.js'

const never = new AbortController().signal
const text = (content: string): Uint8Array => Buffer.from(content)
const spaces = (mebibytes: number): string => ' '.repeat(mebibytes * 1024 * 1024)
const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, level) => `<!ENTITY ${'bcdefghij'[level]} "${`&${'abcdefghi'[level]};`.repeat(10)}">`).join('')}]><x>&j;</x>`

/** The index of an archive twice names the same bytes, as overlapping bombs do. */
function overlapping(): Uint8Array {
  const archive = Buffer.from(zipOf({ a: spaces(1), b: 'x' }))
  const first = archive.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
  const second = archive.indexOf(Buffer.from('PK\x01\x02', 'latin1'), first + 1)
  archive.copy(archive, second + 10, first + 10, first + 28)
  archive.copy(archive, second + 42, first + 42, first + 46)
  return archive
}

/** The index of an archive states another size of each sheet. */
function claiming(bytes: Uint8Array, size: number): Uint8Array {
  const archive = Buffer.from(bytes)
  const name = archive.lastIndexOf(Buffer.from('xl/worksheets/sheet1.xml'))
  archive.writeUInt32LE(size, name - 46 + 24)
  return archive
}

/** Each with what may become of it: an error of the contract, or a short text. */
const hostile: Readonly<Record<string, { readonly bytes: () => Uint8Array; readonly outcome: ReadAnswer['outcome'] }>> = {
  'a text document that unpacks to far more': { bytes: () => docxOf(paragraph(spaces(40))), outcome: 'too-costly' },
  'a workbook that says it unpacks to far more': { bytes: () => claiming(xlsxOf(''), 0x7fff_ffff), outcome: 'too-costly' },
  'a workbook that says it unpacks to less': { bytes: () => claiming(xlsxOf(`<!--${spaces(1)}-->`), 5), outcome: 'unreadable' },
  'entities that multiply': { bytes: () => docxOf('', { 'word/document.xml': laughs }), outcome: 'unreadable' },
  'entities in an open document': {
    bytes: () => zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': laughs }),
    outcome: 'unreadable',
  },
  'deep nesting in a text document': {
    bytes: () => docxOf(`${'<w:tbl><w:tr><w:tc>'.repeat(1_500)}${'</w:tc></w:tr></w:tbl>'.repeat(1_500)}`),
    outcome: 'too-costly',
  },
  'deep nesting in a page': { bytes: () => text(`<html>${'<div>'.repeat(100_000)}`), outcome: 'too-costly' },
  'open elements in a page': { bytes: () => text(`<html>${'<b><p>'.repeat(20_000)}`), outcome: 'too-costly' },
  'half a million cells': {
    bytes: () => xlsxOf(`<row>${'<c><v>1</v></c>'.repeat(1_000)}</row>`.repeat(500)),
    outcome: 'read',
  },
  'a hundred thousand sheets': { bytes: () => xlsxOf('', { sheets: 100_000 }), outcome: 'read' },
  'too many files': {
    bytes: () => zipOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`f${index}`, '']))),
    outcome: 'too-costly',
  },
  'files that overlap': { bytes: overlapping, outcome: 'type-unknown' },
  'an archive within an archive': { bytes: () => zipOf({ 'a.zip': zipOf({ 'b.zip': zipOf({ c: spaces(1) }) }) }), outcome: 'type-unknown' },
  'an e-mail of a hundred thousand nested parts': {
    bytes: () =>
      text(
        `From: a@b\r\nTo: c@d\r\nSubject: x\r\n${Array.from({ length: 100_000 }, (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`).join('')}`,
      ),
    outcome: 'unreadable',
  },
  'pages of a PDF that contain themselves': {
    bytes: () => pdfOf('<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R 2 0 R]/Count 999999>>'),
    outcome: 'unreadable',
  },
  'deep arrays in a PDF': { bytes: () => pdfOf('['.repeat(500_000)), outcome: 'unreadable' },
  'deep groups in RTF': { bytes: () => text(`{\\rtf1${'{'.repeat(100_000)}`), outcome: 'too-costly' },
}

describe('hostile documents', function () {
  this.timeout(120_000)
  let pool: ReaderPool
  let answered = 0
  let pulse: NodeJS.Timeout
  before(() => {
    pool = createTestPool({ limitMs: 100_000 })
    pulse = setInterval(() => {
      answered += 1
    }, 5)
  })
  after(async () => {
    clearInterval(pulse)
    await pool.close()
  })

  for (const [name, { bytes, outcome }] of Object.entries(hostile))
    it(`end with an answer: ${name}`, async () => {
      const content = bytes()
      const before = answered
      const { answer, text: read } = await pool.read({ maxCharacters: 20_000 }, content, { holder: 'ada', signal: never })
      expect(answer.outcome, JSON.stringify(answer)).to.equal(outcome)
      expect(read.length).to.be.at.most(20_000)
      // The service went on meanwhile.
      expect(answered).to.be.above(before)
    })
})
