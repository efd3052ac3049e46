import { zipSync } from 'fflate'
import mammoth from 'mammoth'
import { openArchive } from '../archives/archive.js'
import { propertiesIn } from '../archives/package-parts.js'
import { readXml } from '../archives/read-xml.js'
import { tooCostly } from '../common/failures.js'
import type { ReadFormat } from '../common/format.js'
import { htmlToMarkdown } from '../markdown/html-to-markdown.js'

/** A tree of a larger text does not fit into the memory of a reader. */
const maxXmlBytes = 24 * 1024 * 1024

/**
 * A text document of Office. Only its files of XML reach the library, after they were unpacked
 * within limits and checked: no picture, nothing that is embedded, no entity.
 */
export const readDocx: ReadFormat = async ({ bytes, sink }) => {
  const archive = await openArchive(bytes)
  const files: Record<string, Uint8Array> = {}
  let size = 0
  for (const name of archive.names) {
    if (!/\.(?:xml|rels)$/i.test(name)) continue
    const content = await archive.read(name)
    if (!content) continue
    size += content.length
    if (size > maxXmlBytes) throw tooCostly(`${maxXmlBytes / 1024 / 1024} MiB of text and layout`)
    await readXml(once(content), {})
    files[name] = content
  }
  const buffer = Buffer.from(zipSync(files, { level: 0 }))
  const { value } = await mammoth.convertToHtml(
    { buffer },
    { externalFileAccess: false, convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
  )
  sink.add(htmlToMarkdown(value))
  const { title, creator, modified } = await propertiesIn(archive, 'docProps/core.xml')
  const { Pages: pages } = await propertiesIn(archive, 'docProps/app.xml')
  return { title, details: { author: creator, modified, pages } }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
