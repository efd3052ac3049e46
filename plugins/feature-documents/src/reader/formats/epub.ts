import path from 'node:path'
import { type Archive, openArchive } from '../archives/archive.js'
import { propertiesIn } from '../archives/package-parts.js'
import { attributeOf, readXml } from '../archives/read-xml.js'
import { unreadable } from '../common/failures.js'
import type { ReadFormat } from '../common/format.js'
import { htmlToMarkdown } from '../markdown/html-to-markdown.js'
import { decodeText } from './decode-text.js'

/** An electronic book: its chapters, in the order of reading. */
export const readEpub: ReadFormat = async ({ bytes, sink }) => {
  const archive = await openArchive(bytes)
  if (archive.has('META-INF/encryption.xml') && archive.has('META-INF/rights.xml')) throw unreadable('it is encrypted')
  const book = await bookPart(archive)
  for (const part of await chaptersOf(archive, book)) {
    if (sink.full) break
    const content = await archive.read(part)
    if (content) sink.add(`${htmlToMarkdown(decodeText(content, { html: true }).text)}\n\n`)
  }
  const { title, creator, language, publisher } = await propertiesIn(archive, book)
  return { title, details: { author: creator, language, publisher } }
}

async function bookPart(archive: Archive): Promise<string> {
  const content = await archive.open('META-INF/container.xml')
  let part: string | undefined
  if (content)
    await readXml(content, {
      open: (name, attributes) => {
        if (name === 'rootfile') part ??= attributeOf(attributes, 'full-path')
      },
    })
  if (part === undefined || !archive.has(part)) throw unreadable('it has no list of its chapters')
  return part
}

async function chaptersOf(archive: Archive, book: string): Promise<readonly string[]> {
  const content = await archive.open(book)
  const items = new Map<string, string>()
  const chapters: string[] = []
  if (!content) return chapters
  await readXml(content, {
    open(name, attributes) {
      const id = attributeOf(attributes, 'id') ?? ''
      const href = attributeOf(attributes, 'href')
      if (name === 'item' && href !== undefined) items.set(id, href)
      const target = name === 'itemref' ? items.get(attributeOf(attributes, 'idref') ?? '') : undefined
      if (target !== undefined) chapters.push(path.posix.join(path.posix.dirname(book), decoded(target)))
    },
  })
  return [...new Set(chapters)]
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address.split('#')[0] ?? '')
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return address
  }
}
