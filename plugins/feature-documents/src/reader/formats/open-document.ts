import { openArchive } from '../archives/archive.js'
import { propertiesIn } from '../archives/package-parts.js'
import { attributeOf, readXml, type XmlAttributes } from '../archives/read-xml.js'
import { unreadable } from '../common/failures.js'
import type { ReadFormat } from '../common/format.js'
import type { TextSink } from '../common/text-sink.js'
import { createTableWriter, type TableWriter } from '../markdown/table.js'

const maxColumns = 200

/** Elements whose text is not part of the document as people see it. */
const unseen: ReadonlySet<string> = new Set(['annotation', 'tracked-changes', 'desc', 'scripts', 'forms', 'note-citation'])

/** A document of LibreOffice and the like: text, spreadsheet or presentation. */
export const readOpenDocument: ReadFormat = async ({ bytes, sink }) => {
  const archive = await openArchive(bytes)
  const manifest = await archive.read('META-INF/manifest.xml')
  if (manifest?.includes('encryption-data') === true) throw unreadable('it is encrypted')
  const content = await archive.open('content.xml')
  if (!content) throw unreadable('it has no content')
  await readContent(content, sink)
  const { title, creator, 'initial-creator': first, date } = await propertiesIn(archive, 'meta.xml')
  return { title, details: { author: creator ?? first, modified: date } }
}

/** Where in the document the reading is. */
interface Place {
  /** Its open paragraph: the text so far, and what it begins with. Notes are paragraphs within one. */
  readonly paragraphs: { text: string; readonly prefix: string }[]
  lists: number
  slides: number
  skipped: number
  table: TableWriter | undefined
  row: string[]
  cell: { text: string; readonly repeated: number; readonly value: string | undefined } | undefined
}

async function readContent(content: AsyncIterable<Uint8Array>, sink: TextSink): Promise<void> {
  const place: Place = { paragraphs: [], lists: 0, slides: 0, skipped: 0, table: undefined, row: [], cell: undefined }
  let inBody = false
  await readXml(content, {
    open(name, attributes) {
      if (name === 'body') inBody = true
      if (unseen.has(name)) place.skipped += 1
      if (inBody && place.skipped === 0) opened(place, name, attributes, sink)
    },
    text(piece) {
      const paragraph = place.paragraphs.at(-1)
      if (paragraph && place.skipped === 0) paragraph.text += piece.replaceAll(/\s+/g, ' ')
    },
    close(name) {
      if (inBody && place.skipped === 0) closed(place, name, sink)
      if (unseen.has(name)) place.skipped -= 1
    },
    done: () => sink.full,
  })
}

function opened(place: Place, name: string, attributes: XmlAttributes, sink: TextSink): void {
  const paragraph = place.paragraphs.at(-1)
  const count = (attribute: string): number => Math.max(1, Number(attributeOf(attributes, attribute) ?? 1) || 1)
  switch (name) {
    case 'h':
      place.paragraphs.push({ text: '', prefix: `${'#'.repeat(Math.min(6, count('outline-level')))} ` })
      return
    case 'p': {
      const prefix = place.lists > 0 && place.cell === undefined ? `${'  '.repeat(Math.min(9, place.lists) - 1)}- ` : ''
      place.paragraphs.push({ text: '', prefix: paragraph ? '' : prefix })
      return
    }
    case 'list':
      place.lists += 1
      return
    case 'page':
      place.slides += 1
      sink.add(`## Slide ${place.slides}\n\n`)
      return
    case 'notes':
      sink.add('Notes:\n\n')
      return
    case 'table': {
      const title = attributeOf(attributes, 'name')
      if (title !== undefined) sink.add(`## ${title}\n\n`)
      place.table = createTableWriter(sink)
      return
    }
    case 'table-row':
      place.row = []
      return
    case 'table-cell':
    case 'covered-table-cell':
      place.cell = {
        text: '',
        repeated: Math.min(count('number-columns-repeated'), maxColumns),
        value: attributeOf(attributes, 'date-value'),
      }
      return
    case 's':
      if (paragraph) paragraph.text += ' '.repeat(Math.min(100, count('c')))
      return
    case 'tab':
    case 'line-break':
      if (paragraph) paragraph.text += name === 'tab' ? '\t' : '\n'
      return
  }
}

function closed(place: Place, name: string, sink: TextSink): void {
  switch (name) {
    case 'h':
    case 'p':
      endParagraph(place, sink)
      return
    case 'list':
      place.lists -= 1
      if (place.lists === 0) sink.add('\n')
      return
    case 'table':
      place.table?.end()
      place.table = undefined
      return
    case 'table-row': {
      const last = place.row.findLastIndex((text) => text !== '')
      if (last >= 0) place.table?.row(place.row.slice(0, last + 1))
      place.row = []
      return
    }
    case 'table-cell':
    case 'covered-table-cell': {
      const { text = '', repeated = 1, value } = place.cell ?? {}
      const shown = text.trim() === '' ? '' : (value ?? text.trim())
      for (let index = 0; index < repeated && place.row.length < maxColumns; index += 1) place.row.push(shown)
      place.cell = undefined
      return
    }
  }
}

function endParagraph(place: Place, sink: TextSink): void {
  const paragraph = place.paragraphs.pop()
  const text = paragraph?.text.trim() ?? ''
  if (!paragraph || text === '') return
  const outer = place.paragraphs.at(-1)
  // A note stands where its mark is.
  if (outer) outer.text += ` [${text}] `
  else if (place.cell) place.cell.text += `${text} `
  else sink.add(`${paragraph.prefix}${text}${paragraph.prefix.trimStart().startsWith('-') ? '\n' : '\n\n'}`)
}
