import { setImmediate } from 'node:timers/promises'
import { type MarkdownHtmlOptions, markdownHtml } from '@agent-service/sdk/markdown'
import type { Urls } from '@agent-service/sdk/services/urls'

/** Tables are wide: they scroll by themselves. */
const around = { table: ['<div class="wide" tabindex="0">', '</div>'] } as const

/** Of one text. More takes seconds of the process, and anyone with a link can ask for it. */
const maxFormatted = 300_000

/** Where the service answers; links of foreign texts begin nothing there. */
export const originsOf = (urls: Pick<Urls, 'api' | 'external' | 'page'>): readonly string[] => [
  ...new Set([urls.api('/'), urls.external('/'), urls.page('/')].map((address) => new URL(address).origin)),
]

/**
 * Markdown that people, models and files have written, as HTML; others get their turn after each piece.
 * Of a very long text the rest is as it was written.
 */
export async function* saidHtml(markdown: string, options: Pick<MarkdownHtmlOptions, 'breaks' | 'ownOrigins'>): AsyncIterable<string> {
  for (const piece of markdownHtml(markdown, { ...options, around, maxFormatted })) {
    yield piece
    await setImmediate()
  }
}
