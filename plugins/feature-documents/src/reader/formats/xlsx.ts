import { type Archive, openArchive } from '../archives/archive.js'
import { partOfType, propertiesIn, relationshipsOf } from '../archives/package-parts.js'
import { attributeOf, readXml } from '../archives/read-xml.js'
import { tooCostly, unreadable } from '../common/failures.js'
import type { ReadFormat } from '../common/format.js'
import type { TextSink } from '../common/text-sink.js'
import { createTableWriter } from '../markdown/table.js'
import { dateStyles, dateText } from './number-formats.js'

/** Columns to the right of these are left out. */
const maxColumns = 200
const maxSharedCharacters = 32 * 1024 * 1024

interface Sheet {
  readonly name: string
  readonly part: string
  readonly hidden: boolean
}

/** What cells refer to. */
interface Workbook {
  readonly sheets: readonly Sheet[]
  readonly texts: readonly string[]
  readonly dates: readonly boolean[]
  readonly since1904: boolean
}

/** A workbook: a table for each sheet, with the values that were last computed. */
export const readXlsx: ReadFormat = async ({ bytes, sink }) => {
  const archive = await openArchive(bytes)
  const workbook = await openWorkbook(archive)
  for (const { name, part, hidden } of workbook.sheets) {
    if (sink.full) break
    sink.add(`## ${name.replaceAll(/\s+/g, ' ')}${hidden ? ' (hidden)' : ''}\n\n`)
    const content = await archive.open(part)
    if (content) await readSheet(content, workbook, sink)
  }
  const { title, creator, modified } = await propertiesIn(archive, 'docProps/core.xml')
  return { title, details: { author: creator, modified, sheets: workbook.sheets.length } }
}

async function openWorkbook(archive: Archive): Promise<Workbook> {
  const part = partOfType(await relationshipsOf(archive, ''), '/officeDocument') ?? 'xl/workbook.xml'
  const content = await archive.open(part)
  if (!content) throw unreadable('it has no workbook')
  const relationships = await relationshipsOf(archive, part)
  const sheets: Sheet[] = []
  let since1904 = false
  await readXml(content, {
    open(name, attributes) {
      if (name === 'workbookPr') since1904 = ['1', 'true'].includes(attributeOf(attributes, 'date1904') ?? '')
      if (name !== 'sheet') return
      const target = relationships.get(attributeOf(attributes, 'id', { prefixed: true }) ?? '')?.target
      const hidden = (attributeOf(attributes, 'state') ?? 'visible') !== 'visible'
      if (target !== undefined) sheets.push({ name: attributeOf(attributes, 'name') ?? '', part: target, hidden })
    },
  })
  return {
    sheets,
    since1904,
    texts: await sharedTexts(archive, partOfType(relationships, '/sharedStrings')),
    dates: await dateStyles(archive, partOfType(relationships, '/styles')),
  }
}

async function sharedTexts(archive: Archive, part: string | undefined): Promise<readonly string[]> {
  const content = part === undefined ? undefined : await archive.open(part)
  if (!content) return []
  const texts: string[] = []
  let characters = 0
  let text = ''
  let inText = false
  let inPhonetics = false
  await readXml(content, {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 'rPh') inPhonetics = true
      else if (name === 't') inText = !inPhonetics
    },
    text(piece) {
      if (inText) text += piece
    },
    close(name) {
      if (name === 'rPh') inPhonetics = false
      else if (name === 't') inText = false
      if (name !== 'si') return
      characters += text.length + 16
      if (characters > maxSharedCharacters) throw tooCostly('32 million characters of text in its cells')
      texts.push(text)
    },
  })
  return texts
}

async function readSheet(content: AsyncIterable<Uint8Array>, workbook: Workbook, sink: TextSink): Promise<void> {
  let table = createTableWriter(sink)
  let row: string[] = []
  let column = 0
  let type = 'n'
  let style = 0
  let value = ''
  let formula = ''
  let into: 'value' | 'formula' | undefined
  let leftOut = false
  let inPhonetics = false
  await readXml(content, {
    open(name, attributes) {
      if (name === 'dimension') table = createTableWriter(sink, { width: widthOf(attributeOf(attributes, 'ref')) })
      else if (name === 'row') {
        row = []
        column = 0
      } else if (name === 'c') {
        column = columnOf(attributeOf(attributes, 'r')) ?? column + 1
        type = attributeOf(attributes, 't') ?? 'n'
        style = Number(attributeOf(attributes, 's') ?? 0)
        value = ''
        formula = ''
      } else if (name === 'rPh') inPhonetics = true
      else if (name === 'v' || (name === 't' && !inPhonetics)) into = 'value'
      else if (name === 'f') into = 'formula'
    },
    text(piece) {
      if (into === 'value') value += piece
      else if (into === 'formula') formula += piece
    },
    close(name) {
      if (name === 'rPh') inPhonetics = false
      if (name === 'v' || name === 't' || name === 'f') into = undefined
      if (name === 'c') {
        const text = value === '' && formula !== '' ? `=${formula}` : shownValue(value, type, style, workbook)
        if (text === '') return
        if (column > maxColumns) {
          leftOut = true
          return
        }
        while (row.length < column - 1) row.push('')
        row[column - 1] = text
      } else if (name === 'row' && row.length > 0) table.row(row)
    },
    done: () => sink.full,
  })
  table.end()
  if (leftOut) sink.add(`(Columns after the first ${maxColumns} are left out.)\n\n`)
}

function shownValue(value: string, type: string, style: number, { texts, dates, since1904 }: Workbook): string {
  switch (type) {
    case 's':
      return texts[Number(value)] ?? ''
    case 'b':
      return value === '1' ? 'TRUE' : value === '' ? '' : 'FALSE'
    case 'n':
      return (dates[style] === true && value !== '' ? dateText(Number(value), { since1904 }) : undefined) ?? value
    default:
      return value
  }
}

/** The number of a column, from 1: 28 of `AB12`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  return letters === undefined ? undefined : [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)
}

/** How many columns a sheet says that it has, if that is believable. */
function widthOf(reference: string | undefined): number {
  const width = columnOf(reference?.split(':')[1]) ?? 0
  return width > 50 ? 0 : width
}
