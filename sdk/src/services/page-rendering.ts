import { defineError } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'

/** How a page is rendered. */
export interface PageRenderingOptions {
  /** For whom: pages of two users never share cookies, storage or a cache. */
  readonly userId: string
  /** Ends the rendering; the page is closed. */
  readonly signal: AbortSignal
  /** The largest document that is returned, in bytes of UTF-8. Default 5,000,000. */
  readonly maxBytes?: number
}

/** A page as it is once its scripts have run. */
export interface RenderedPage {
  /** Its address after redirects and scripts: absolute, `http` or `https`. */
  readonly url: string
  /** The status of the document's last answer, from 200 up. */
  readonly status: number
  /** The document as HTML, out of an untrusted page. */
  readonly html: string
  /** The title of the document; may be empty. */
  readonly title: string
  /** Whether `html` was cut at `maxBytes`. */
  readonly cut: boolean
}

/**
 * Renders pages that need scripts, in a browser. Everything that a page loads, redirects and
 * WebSockets included, goes through the same checks of addresses as `kernel.http-client`: it reaches
 * no address that is not public. Nothing stays after a page: no cookie, no storage, no download.
 *
 * @example
 * const rendering = context.use(pageRenderingService)
 * const page = rendering?.available() ? await rendering.render('https://example.org/', { userId, signal }) : undefined
 */
export interface PageRendering {
  /** Whether a browser is there at this moment, as far as it is known. */
  available(): boolean
  /**
   * Loads a page with `GET`, lets its scripts run until it is quiet, and returns its document; it takes half a minute
   * at most. An error page of the site is an answer. @throws `page_rendering_unavailable`, `page_rendering_failed`, or the
   * reason of the signal.
   */
  render(url: string, options: PageRenderingOptions): Promise<RenderedPage>
}

/** Pages that need scripts. Provided by `feature-browser`; absent without a browser. */
export const pageRenderingService = defineServiceReference<PageRendering>()('page-rendering')

/** There is no browser, it cannot be reached, or it has no place for another page. */
export const pageRenderingUnavailableError = defineError<{ readonly reason: string }>({
  code: 'page_rendering_unavailable',
  status: 503,
  title: 'Browser not available',
  message: ({ reason }) => `No page can be rendered at the moment: ${reason}.`,
})

/** The page could not be loaded or rendered: its address is refused, it is not there, or it took too long. */
export const pageRenderingFailedError = defineError<{ readonly host: string; readonly reason: string }>({
  code: 'page_rendering_failed',
  status: 502,
  title: 'Page not rendered',
  message: ({ host, reason }) => `The page of “${host}” could not be rendered: ${reason}.`,
})
