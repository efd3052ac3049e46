import { ServiceError } from '@agent-service/sdk'
import { signalWithin, sleep } from '@agent-service/sdk/async'
import type { TakePlace } from '@agent-service/sdk/egress-proxy'
import {
  type PageRendering,
  pageRenderingFailedError,
  pageRenderingUnavailableError,
  type RenderedPage,
} from '@agent-service/sdk/services/page-rendering'
import type { Limit } from '@agent-service/sdk/services/quotas'
import type { BrowserPool } from '../browsers/browser-pool.js'
import { browserLostError, browserUnavailableError, browserUseError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import type { BrowserMetrics } from '../common/metrics.js'
import type { PageGuard } from '../network/page-guard.js'
import { callInFrame } from '../pages/frames.js'
import { documentFunctions } from '../pages/page-script.js'
import { createBrowserSession } from '../sessions/browser-session.js'
import { addressOf } from '../tools/navigation-tools.js'

/** Renders pages for others: each in a browser context of its own, of which nothing stays. */
export function createPageRendering(dependencies: {
  readonly pool: BrowserPool
  readonly guard: PageGuard
  readonly limit: Limit
  readonly takePlaceOf: (owner: string) => TakePlace
  readonly metrics: Pick<BrowserMetrics, 'rendered'>
}): PageRendering {
  const { pool, guard, limit, takePlaceOf, metrics } = dependencies
  return {
    available: () => pool.state().reachable !== 'no',
    async render(url, { userId, signal, maxBytes = limits.defaultRenderedBytes }) {
      const host = URL.canParse(url) ? new URL(url).host : url.slice(0, 100)
      const limited = signalWithin(limits.renderMs, signal)
      let hold: { release(): void } | undefined
      try {
        hold = await limit.acquire(`user:${userId}`, 1, { signal: limited })
        const page = await renderOnce(addressOf(url, guard), { maxBytes, signal: limited })
        metrics.rendered('done')
        return page
      } catch (error) {
        signal.throwIfAborted()
        metrics.rendered('failed')
        throw failureOf(error, host, limited.aborted)
      } finally {
        hold?.release()
      }
    },
  }

  async function renderOnce(
    url: string,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<RenderedPage> {
    const browser = await pool.open({ takePlace: takePlaceOf('rendering'), allows: async () => true }, signal)
    try {
      const session = createBrowserSession(browser)
      const tab = await session.open(signal)
      await tab.navigate(url, signal)
      await quiet(tab.frames, signal)
      const [frame] = await tab.frames(signal)
      if (frame === undefined) throw browserUseError.create({ text: 'the page is gone' })
      const found = await callInFrame<{ readonly html: string; readonly cut: boolean; readonly title: string; readonly url: string }>(
        ...[frame, documentFunctions.html, [maxBytes], signal],
      )
      return { ...found, ...cutTo(found.html, maxBytes, found.cut), status: Math.max(200, tab.status()) }
    } finally {
      await browser.close()
    }
  }
}

const pauseMs = 500

/** Scripts that run after the load get a moment; the document is taken when it has stopped to grow, or after a few. */
async function quiet(
  frames: (signal: AbortSignal) => Promise<readonly Parameters<typeof callInFrame>[0][]>,
  signal: AbortSignal,
): Promise<void> {
  let before = -1
  for (let looks = 0; looks < 6; looks += 1) {
    await sleep(pauseMs, { signal })
    const [frame] = await frames(signal)
    if (frame === undefined) return
    const size = await callInFrame<number>(frame, 'function() { return document.getElementsByTagName("*").length; }', [], signal)
    if (size === before) return
    before = size
  }
}

/** At most so many bytes of UTF-8, between two characters. */
function cutTo(html: string, maxBytes: number, wasCut: boolean): { readonly html: string; readonly cut: boolean } {
  const bytes = Buffer.from(html)
  if (bytes.length <= maxBytes) return { html, cut: wasCut }
  let end = maxBytes
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return { html: bytes.subarray(0, end).toString(), cut: true }
}

function failureOf(error: unknown, host: string, isLate: boolean): Error {
  if (isLate)
    return pageRenderingFailedError.create({ host, reason: `it took longer than ${limits.renderMs / 1_000} seconds` }, { cause: error })
  const words = error instanceof Error ? error.message.replace(/\.$/, '') : 'the browser failed'
  const isUnavailable = browserUnavailableError.isInstance(error) || browserLostError.isInstance(error)
  const isBusy = ServiceError.isInstance(error) && (error.code === 'limit_reached' || error.code === 'overloaded')
  if (isUnavailable || isBusy) return pageRenderingUnavailableError.create({ reason: words }, { cause: error })
  if (ServiceError.isInstance(error)) return pageRenderingFailedError.create({ host, reason: words }, { cause: error })
  return pageRenderingFailedError.create({ host, reason: 'the browser failed' }, { cause: error })
}
