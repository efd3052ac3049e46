import type { Clock } from '@agent-service/sdk/services/clock'
import type { Documents } from '@agent-service/sdk/services/documents'
import type { HttpClient } from '@agent-service/sdk/services/http-client'
import { type PageRendering, pageRenderingFailedError, pageRenderingUnavailableError } from '@agent-service/sdk/services/page-rendering'
import { type FetchedPage, fetchPage, maxPageBytes } from './fetch-page.js'
import { isHtml } from './media-types.js'
import { type CachedPage, createPageCache } from './page-cache.js'
import { type PageText, readPage } from './read-page.js'
import type { WebMetrics } from './web-metrics.js'

/** Less readable text than this, in a page with scripts, means that the scripts make the page. */
const fewCharacters = 200

/** Which page, for whom, and how. */
export interface PageRequest {
  readonly userId: string
  /** Absolute, without a fragment. */
  readonly url: string
  /** The source instead of the readable text. */
  readonly raw: boolean
  /** In the browser, whether it needs that or not. */
  readonly render: boolean
  readonly signal: AbortSignal
}

/** Pages of the web as text. */
export interface WebPages {
  /**
   * The page, from the cache of this user's last five minutes or fetched. @throws the errors of the guarded
   * client, of the services `documents` and `page-rendering`, `page_unreadable`, or the reason of the signal.
   */
  open(request: PageRequest): Promise<PageText>
}

/** Makes the pages. Without `documents` only plain text and JSON are read, without `rendering` no scripts are run. */
export function createWebPages(dependencies: {
  readonly http: Pick<HttpClient, 'stream'>
  readonly documents: Pick<Documents, 'reads' | 'toText'> | undefined
  readonly rendering: PageRendering | undefined
  readonly clock: Clock
  readonly metrics: WebMetrics
  /** Runs a piece of work within the limits of a user. */
  readonly withinLimits: <T>(userId: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>
}): WebPages {
  const { http, documents, rendering, clock, metrics, withinLimits } = dependencies
  const cache = createPageCache({ clock })

  const rendered = async ({ url, userId, raw, signal }: PageRequest): Promise<PageText> => {
    if (!rendering?.available()) throw pageRenderingUnavailableError.create({ reason: 'no browser is connected' })
    const page = await rendering.render(url, { userId, signal, maxBytes: maxPageBytes })
    metrics.rendered()
    const fetched: FetchedPage = {
      ...{ url: page.url, status: page.status, mediaType: 'text/html', charset: 'utf-8', cut: page.cut },
      bytes: new TextEncoder().encode(page.html),
    }
    const text = await readPage(fetched, { documents, raw, userId, signal })
    return { ...text, ...(text.title === undefined && page.title !== '' && { title: page.title.slice(0, 300) }) }
  }

  const fetched = async (request: PageRequest): Promise<PageText> => {
    const { url, userId, raw, signal } = request
    const page = await fetchPage(http, url, signal)
    metrics.received(page.bytes.byteLength)
    const text = await readPage(page, { documents, raw, userId, signal })
    if (raw || !rendering?.available() || !needsScripts(page, text)) return text
    try {
      return await rendered({ ...request, url: page.url })
    } catch (error) {
      signal.throwIfAborted()
      if (!pageRenderingUnavailableError.isInstance(error) && !pageRenderingFailedError.isInstance(error)) throw error
      return { ...text, notes: [...text.notes, 'The page needs scripts, and rendering it has failed.'] }
    }
  }

  return {
    async open(request) {
      const { userId, url, raw, render, signal } = request
      const key: CachedPage = { userId, url, mode: render ? 'rendered' : raw ? 'raw' : 'readable' }
      const kept = raw && render ? undefined : cache.find(key)
      if (kept) {
        metrics.ended('cached')
        return kept
      }
      const text = await withinLimits(userId, signal, () => metrics.measured(signal, () => (render ? rendered(request) : fetched(request))))
      if (text.status < 400 && !(raw && render)) cache.keep(key, text)
      return text
    },
  }
}

/** HTML with scripts and nearly nothing to read. */
function needsScripts({ mediaType, status, bytes }: FetchedPage, { text }: PageText): boolean {
  if (!isHtml(mediaType) || status >= 400 || text.trim().length >= fewCharacters) return false
  return /<script[\s>]/i.test(new TextDecoder('latin1').decode(bytes.subarray(0, 262_144)))
}
