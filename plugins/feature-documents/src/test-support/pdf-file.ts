import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** A PDF of these objects, whose numbers begin at 1; the first is the catalogue. */
export const pdfOf = (...objects: readonly string[]): Uint8Array => {
  let text = '%PDF-1.4\n'
  const offsets: number[] = []
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length)
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  return Buffer.from(`${text}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${text.indexOf('xref\n')}\n%%EOF\n`, 'latin1')
}

/** A PDF of one page with these lines. */
export function pdfOfLines(...lines: readonly string[]): Uint8Array {
  const content = lines.map((line, index) => `BT /F1 12 Tf 72 ${720 - index * 14} Td (${line}) Tj ET`).join('\n')
  return pdfOf(
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  )
}

/** A page as a browser prints it. */
export async function printedPage(html: string): Promise<Uint8Array> {
  const folder = await mkdtemp(path.join(tmpdir(), 'printed-page-'))
  try {
    const page = path.join(folder, 'page.html')
    const file = path.join(folder, 'page.pdf')
    await writeFile(page, html)
    const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-pdf-header-footer', `--user-data-dir=${folder}/profile`]
    await withBrowser([...args, `--print-to-pdf=${file}`, page])
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function withBrowser(args: readonly string[]): Promise<void> {
  const run = promisify(execFile)
  try {
    await run('chromium-headless-shell', args, { timeout: 50_000 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await run('chromium', args, { timeout: 50_000 })
  }
}
