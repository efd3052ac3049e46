import { type Archive, openArchive } from '../archives/archive.js'
import { partOfType, propertiesIn, relationshipsOf } from '../archives/package-parts.js'
import { attributeOf, readXml } from '../archives/read-xml.js'
import { unreadable } from '../common/failures.js'
import type { ReadFormat } from '../common/format.js'
import type { TextSink } from '../common/text-sink.js'
import { createTableWriter } from '../markdown/table.js'

/** A presentation: a section for each slide, with its tables and the notes of the speaker. */
export const readPptx: ReadFormat = async ({ bytes, sink }) => {
  const archive = await openArchive(bytes)
  const slides = await slidesIn(archive)
  for (const [index, part] of slides.entries()) {
    if (sink.full) break
    const content = await archive.open(part)
    if (!content) continue
    await readSlide(content, { heading: `## Slide ${index + 1}`, sink })
    const notes = partOfType(await relationshipsOf(archive, part), '/notesSlide')
    const notesContent = notes === undefined ? undefined : await archive.open(notes)
    if (notesContent) await readNotes(notesContent, sink)
  }
  const { title, creator, modified } = await propertiesIn(archive, 'docProps/core.xml')
  return { title, details: { author: creator, modified, slides: slides.length } }
}

/** The parts of the slides, in their order. */
async function slidesIn(archive: Archive): Promise<readonly string[]> {
  const part = partOfType(await relationshipsOf(archive, ''), '/officeDocument') ?? 'ppt/presentation.xml'
  const content = await archive.open(part)
  if (!content) throw unreadable('it has no presentation')
  const relationships = await relationshipsOf(archive, part)
  const slides: string[] = []
  await readXml(content, {
    open(name, attributes) {
      const target = name === 'sldId' ? relationships.get(attributeOf(attributes, 'id', { prefixed: true }) ?? '')?.target : undefined
      if (target !== undefined) slides.push(target)
    },
  })
  return slides
}

/** A shape's kind of place on its slide, and its paragraphs. */
interface Paragraph {
  readonly text: string
  readonly level: number
  readonly place: string
}

/** Goes through the paragraphs and tables of a slide. */
async function readShapes(
  content: AsyncIterable<Uint8Array>,
  steps: { paragraph(paragraph: Paragraph): void; row(cells: readonly string[]): void; tableEnd(): void; done(): boolean },
): Promise<void> {
  let place = ''
  let text = ''
  let level = 0
  let inText = false
  let cells: string[] | undefined
  let cell: string[] = []
  await readXml(content, {
    open(name, attributes) {
      if (name === 'sp') place = ''
      else if (name === 'ph') place = attributeOf(attributes, 'type') ?? 'body'
      else if (name === 'p') {
        text = ''
        level = 0
      } else if (name === 'pPr') level = Math.min(8, Number(attributeOf(attributes, 'lvl') ?? 0) || 0)
      else if (name === 't') inText = true
      else if (name === 'br') text += ' '
      else if (name === 'tr') cells = []
      else if (name === 'tc') cell = []
    },
    text(piece) {
      if (inText) text += piece
    },
    close(name) {
      if (name === 't') inText = false
      else if (name === 'p' && text.trim() !== '') {
        if (cells) cell.push(text.trim())
        else steps.paragraph({ text: text.trim(), level, place })
      } else if (name === 'tc') cells?.push(cell.join(' '))
      else if (name === 'tr') {
        steps.row(cells ?? [])
        cells = undefined
      } else if (name === 'tbl') steps.tableEnd()
    },
    done: steps.done,
  })
}

async function readSlide(
  content: AsyncIterable<Uint8Array>,
  { heading, sink }: { readonly heading: string; readonly sink: TextSink },
): Promise<void> {
  const table = createTableWriter(sink)
  let begun = false
  const begin = (title?: string): void => {
    if (!begun) sink.add(`${heading}${title === undefined ? '' : `: ${title}`}\n\n`)
    begun = true
  }
  await readShapes(content, {
    paragraph({ text, level, place }) {
      if (['sldNum', 'dt', 'ftr'].includes(place)) return
      if (!begun && (place === 'title' || place === 'ctrTitle')) return begin(text)
      begin()
      sink.add(place === 'body' || level > 0 ? `${'  '.repeat(level)}- ${text}\n` : `${text}\n\n`)
    },
    row(cells) {
      begin()
      table.row(cells)
    },
    tableEnd: table.end,
    done: () => sink.full,
  })
  begin()
  sink.add('\n')
}

async function readNotes(content: AsyncIterable<Uint8Array>, sink: TextSink): Promise<void> {
  const notes: string[] = []
  await readShapes(content, {
    paragraph: ({ text, place }) => void (place === 'body' && notes.push(text)),
    row: () => undefined,
    tableEnd: () => undefined,
    done: () => sink.full,
  })
  if (notes.length > 0) sink.add(`Notes: ${notes.join('\n')}\n\n`)
}
