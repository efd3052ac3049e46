import type { OpenUserFile } from '@agent-service/sdk/services/user-files'
import type { Share } from '../store/share.js'
import { sentAs } from './content-type.js'
import { escaped } from './escape.js'
import { pageEnd, pageHead } from './page-frame.js'
import { saidHtml } from './said.js'
import { momentOf, type PageLanguage, type PageTexts, sizeOf, texts } from './texts.js'

/** How much of a text is shown in the page itself. */
const maxShown = 256 * 1024

interface FilePageRequest {
  /** It is read from, and stays the caller's to close. */
  readonly file: OpenUserFile
  readonly share: Pick<Share, 'expires_at'>
  readonly secret: string
  readonly language: PageLanguage
  readonly ownOrigins: readonly string[]
  readonly signal: AbortSignal
}

/** The page of a shared file: what it is, a preview if there can be one, and the download. */
export async function filePage(request: FilePageRequest): Promise<string> {
  const { file, share, secret, language } = request
  const t = texts[language]
  const content = `../s/${encodeURIComponent(secret)}`
  const open = sentAs(file.name).shown ? ` <a class="button" href="${content}">${escaped(t.open)}</a>` : ''
  return `${pageHead(file.name, language)}<main>
<header>
<p class="kind">${escaped(t.file)}, ${escaped(sizeOf(file.size, language))}</p>
<h1>${escaped(file.name)}</h1>
<p class="meta">${escaped(t.until.replace('{time}', momentOf(share.expires_at, language)))}</p>
<p class="actions"><a class="button main" href="${content}?download=1">${escaped(t.download)}</a>${open}</p>
</header>
${await previewOf(request, content, t)}
</main>
${pageEnd}`
}

async function previewOf({ file, signal, ownOrigins }: FilePageRequest, content: string, t: PageTexts): Promise<string> {
  const { type } = sentAs(file.name)
  const label = escaped(t.preview.replace('{name}', file.name))
  if (type.startsWith('image/')) return `<img src="${content}" alt="${label}">`
  if (type.startsWith('video/')) return `<video src="${content}" controls preload="metadata" aria-label="${label}"></video>`
  if (type.startsWith('audio/')) return `<audio src="${content}" controls preload="metadata" aria-label="${label}"></audio>`
  // Twice confined: by the frame, and by the headers of the content.
  if (type.startsWith('text/html')) return `<iframe src="${content}" sandbox="" referrerpolicy="no-referrer" title="${label}"></iframe>`
  if (!type.startsWith('text/')) return `<p class="empty">${escaped(t.no_preview)}</p>`
  const text = await beginningOf(file, signal)
  if (text === undefined) return `<p class="empty">${escaped(t.no_preview)}</p>`
  const isCut = file.size > maxShown
  const shown =
    /\.(md|markdown)$/i.test(file.name) && !isCut
      ? `<article class="said">${await documentHtml(text, ownOrigins)}</article>`
      : `<pre tabindex="0">${escaped(text)}</pre>`
  return `${shown}${isCut ? `\n<p class="meta">${escaped(t.cut)}</p>` : ''}`
}

/** The beginning of a text; `undefined` if it is none. A character that is cut off at the end is left out. */
async function beginningOf(file: OpenUserFile, signal: AbortSignal): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  for await (const chunk of file.stream({ offset: 0, length: Math.min(file.size, maxShown) })) {
    signal.throwIfAborted()
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

/** Of a file, whose lines are often filled. */
async function documentHtml(markdown: string, ownOrigins: readonly string[]): Promise<string> {
  let html = ''
  for await (const piece of saidHtml(markdown, { breaks: false, ownOrigins })) html += piece
  return html
}
