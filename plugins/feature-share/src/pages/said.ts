import { setImmediate } from 'node:timers/promises'
import { type MarkdownHtmlOptions, markdownHtml } from '@agent-service/sdk/markdown'
import type { Urls } from '@agent-service/sdk/services/urls'

/** Tables are wide: they scroll by themselves. */
const around = { table: ['<div class="wide" tabindex="0">', '</div>'] } as const

/** Where the service answers; links of foreign texts begin nothing there. */
export const originsOf = (urls: Pick<Urls, 'api' | 'external' | 'page'>): readonly string[] => [
  ...new Set([urls.api('/'), urls.external('/'), urls.page('/')].map((address) => new URL(address).origin)),
]

/** Markdown that people, models and files have written, as HTML; others get their turn after each piece. */
export async function* saidHtml(markdown: string, options: Pick<MarkdownHtmlOptions, 'breaks' | 'ownOrigins'>): AsyncIterable<string> {
  for (const piece of markdownHtml(markdown, { ...options, around })) {
    yield piece
    await setImmediate()
  }
}
