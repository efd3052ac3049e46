import type { Share, Snapshot } from '../store/share.js'
import { speakerName } from './chat-text.js'
import { escaped } from './escape.js'
import { pageEnd, pageHead } from './page-frame.js'
import { saidHtml } from './said.js'
import { momentOf, type PageLanguage, texts } from './texts.js'

/** The page of a shared chat, message by message; others get their turn after each. */
export async function* chatPage(request: {
  readonly share: Share
  readonly snapshot: Snapshot
  readonly secret: string
  readonly language: PageLanguage
  readonly ownOrigins: readonly string[]
}): AsyncIterable<Uint8Array> {
  const { share, snapshot, secret, language, ownOrigins } = request
  const t = texts[language]
  const title = share.title === '' ? t.chat : share.title
  const content = `../s/${encodeURIComponent(secret)}`
  const when =
    share.chat_id === null ? '' : `<p class="meta">${escaped(t.snapshot.replace('{time}', momentOf(share.created_at, language)))}</p>\n`
  yield Buffer.from(`${pageHead(title, language)}<main>
<header>
<p class="kind">${escaped(t.chat)}</p>
<h1>${escaped(title)}</h1>
${when}<p class="meta">${escaped(t.until.replace('{time}', momentOf(share.expires_at, language)))}</p>
<p class="actions"><a class="button" href="${content}">${escaped(t.text)}</a> <a class="button" href="${content}?download=1">${escaped(t.download)}</a></p>
</header>
`)
  if (snapshot.messages.length === 0) yield Buffer.from(`<p class="empty">${escaped(t.empty_chat)}</p>\n`)
  let speaker: string | undefined
  for (const message of snapshot.messages) {
    const { role, text, partial } = message
    const name = speakerName(message, snapshot, t)
    const heading = name === speaker ? '' : `<h2>${escaped(name)}</h2>\n`
    speaker = name
    yield Buffer.from(`<section class="message ${role}">\n${heading}<div class="said">`)
    // Lines end where they do in the chat.
    for await (const piece of saidHtml(text, { breaks: true, ownOrigins })) yield Buffer.from(piece)
    yield Buffer.from(`</div>\n${partial && role === 'agent' ? `<p class="meta">${escaped(t.partial)}</p>\n` : ''}</section>\n`)
  }
  yield Buffer.from(`</main>\n${pageEnd}`)
}
