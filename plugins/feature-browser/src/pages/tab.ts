import { abortable, signalWithin, sleep } from '@agent-service/sdk/async'
import { browserUseError } from '../common/errors.js'
import { limits, viewport } from '../common/limits.js'
import type { ProtocolSession } from '../protocol/protocol-session.js'
import { createElementRefs, type ElementRefs } from './element-refs.js'
import { type PageFrame, readFrames } from './frames.js'

/**
 * Address and title of a page, as it says itself. Longer than what is shown: what is secret in them is masked before
 * they are cut.
 */
export interface PageState {
  readonly url: string
  readonly title: string
}

/** A page of a session. */
export interface Tab {
  /** The id of its target. */
  readonly id: string
  readonly session: ProtocolSession
  readonly refs: ElementRefs
  /** The sessions of frames in other processes. */
  readonly children: Set<ProtocolSession>
  /** What was last known of it. */
  last(): PageState
  /** Asks the browser. */
  state(signal: AbortSignal): Promise<PageState>
  frames(signal: AbortSignal): Promise<readonly PageFrame[]>
  /**
   * Goes to an address, and waits until the page has loaded, or a while. `mayBeFile`: it is no failure if it is not shown
   * as a page. @throws `browser_use_invalid` if it cannot be opened.
   */
  navigate(url: string, signal: AbortSignal, options?: { readonly mayBeFile?: boolean }): Promise<void>
  /** Goes one page back. False: there is none. */
  back(signal: AbortSignal): Promise<boolean>
  /** Waits until what an action has begun has come to rest, or a while: the page, and windows that it opens. */
  settle(signal: AbortSignal): Promise<void>
  /** A window that the page opens has come; `rests` resolves once it is in use and has come to rest. */
  opens(rests: Promise<unknown>): void
  /** The status of the document that was loaded last; 0 if there was none. */
  status(): number
  close(): Promise<void>
}

interface HistoryEntry {
  readonly id: number
  readonly url: string
  readonly title: string
}

/** Makes the page of an attached target. Its fence stands already. */
export function createTab(id: string, session: ProtocolSession): Tab {
  const refs = createElementRefs()
  const children = new Set<ProtocolSession>()
  let last: PageState = { url: 'about:blank', title: '' }
  let isLoading = false
  /** Windows that the page has announced after an action, and those that are there but have not come to rest yet. */
  const windows = { announced: 0, opening: 0 }
  let status = 0
  const waiting: (() => void)[] = []
  const wake = (): void => {
    for (const go of waiting.splice(0)) go()
  }
  const isMain = ({ frameId }: { readonly frameId?: string }): boolean => frameId === id
  const setLoading = (loading: boolean): void => {
    isLoading = loading
    wake()
  }
  session.on<{ readonly frameId: string }>('Page.frameStartedLoading', (event) => isMain(event) && setLoading(true))
  session.on<{ readonly frameId: string }>('Page.frameStoppedLoading', (event) => isMain(event) && setLoading(false))
  // Without an action of a person the browser lets no window open.
  session.on<{ readonly userGesture: boolean }>('Page.windowOpen', ({ userGesture }) => {
    if (userGesture) windows.announced += 1
  })
  session.on<{ readonly type: string; readonly frameId?: string; readonly response: { readonly status: number } }>(
    'Network.responseReceived',
    (event) => {
      if (event.type === 'Document' && isMain(event)) status = event.response.status
    },
  )
  const untilNot = async (isBusy: () => boolean, signal: AbortSignal, limitMs: number): Promise<void> => {
    const limited = signalWithin(limitMs, signal, session.ended)
    while (isBusy() && !limited.aborted) {
      const changed = new Promise<void>((resolve) => void waiting.push(resolve))
      await abortable(changed, limited).catch(() => undefined)
    }
    signal.throwIfAborted()
  }
  const history = (signal: AbortSignal) =>
    session.send<{ readonly currentIndex: number; readonly entries: readonly HistoryEntry[] }>('Page.getNavigationHistory', {}, { signal })
  return {
    id,
    session,
    refs,
    children,
    last: () => last,
    async state(signal) {
      const { currentIndex, entries } = await history(signal)
      const current = entries[currentIndex]
      if (current !== undefined) last = { url: current.url.slice(0, 20_000), title: current.title.slice(0, 5_000) }
      return last
    },
    frames: (signal) => readFrames(session, children, signal),
    async navigate(url, signal, { mayBeFile = false } = {}) {
      status = 0
      const { errorText = '' } = await session.send<{ readonly errorText?: string }>(
        'Page.navigate',
        { url },
        { signal, limitMs: limits.loadMs },
      )
      if (errorText !== '' && !(mayBeFile && errorText === 'net::ERR_ABORTED'))
        throw browserUseError.create({ text: `The page could not be opened: ${wordsOf(errorText)}` })
      await untilNot(() => isLoading, signal, limits.loadMs)
    },
    async back(signal) {
      const { currentIndex, entries } = await history(signal)
      const entry = entries[currentIndex - 1]
      if (entry === undefined || entry.url === 'about:blank') return false
      await session.send('Page.navigateToHistoryEntry', { entryId: entry.id }, { signal })
      await this.settle(signal)
      return true
    },
    async settle(signal) {
      await sleep(200, { signal })
      await untilNot(() => isLoading || windows.announced + windows.opening > 0, signal, limits.settleMs)
      windows.announced = 0
    },
    opens(rests) {
      windows.announced = Math.max(0, windows.announced - 1)
      windows.opening += 1
      const end = (): void => {
        windows.opening -= 1
        wake()
      }
      rests.then(end, end)
    },
    status: () => status,
    async close() {
      await session.send('Page.close', {}, { limitMs: 5_000 }).catch(() => undefined)
    },
  }
}

/** How every page of a session looks to the site. */
export async function prepareTab({ session }: Tab): Promise<void> {
  await Promise.all([
    session.send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false }),
    session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    session.send('Page.setInterceptFileChooserDialog', { enabled: true }),
    session.send('Network.enable', { maxTotalBufferSize: 1_000_000, maxResourceBufferSize: 500_000 }),
  ])
}

/** What the browser’s words for a failed connection mean. */
function wordsOf(error: string): string {
  const known: Readonly<Record<string, string>> = {
    'net::ERR_ADDRESS_UNREACHABLE': 'its address is closed to the browser, or its name is unknown.',
    'net::ERR_TUNNEL_CONNECTION_FAILED':
      'there is no connection to this site; its address may be closed to the browser, or its name unknown.',
    'net::ERR_PROXY_CONNECTION_FAILED':
      'the browser does not reach the proxy of this service. An administrator has to let the browser service connect back to this service.',
    'net::ERR_ABORTED': 'it is no page but a file (use browser_download), or it was left before it came.',
    'net::ERR_TIMED_OUT': 'it took too long.',
    'net::ERR_CERT_AUTHORITY_INVALID': 'its certificate is not trusted.',
    'net::ERR_CERT_DATE_INVALID': 'its certificate has expired.',
    'net::ERR_CERT_COMMON_NAME_INVALID': 'its certificate is for another site.',
  }
  return known[error] ?? `${error.slice(0, 100)}.`
}
