import type { Logger } from '@agent-service/sdk'
import { abortable, signalWithin } from '@agent-service/sdk/async'
import { browserLostError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import type { PageGuard } from '../network/page-guard.js'
import type { ProfileProxy } from '../network/profile-proxy.js'
import { createTab, prepareTab, type Tab } from '../pages/tab.js'
import type { PausedRequest } from '../protocol/messages.js'
import type { ProtocolSession } from '../protocol/protocol-session.js'
import type { AttachedTarget, BrowserContext, BrowserLink } from './browser-link.js'
import { type FenceRules, fenceTarget } from './fence-target.js'

/** Who has a page: a session of a chat, or a rendering. */
export interface TabOwner {
  /** A page that one of its pages has opened. False: it has enough, and the page is closed. */
  opened(tab: Tab): boolean
  /** A page is gone. */
  closed(tab: Tab, reason: string): void
  /** A page wanted to reach an address that is closed to it. */
  refused(url: string, reason: string): void
  /** A dialog of a page: what is answered. */
  dialog(dialog: { readonly type: string; readonly message: string }): { readonly accept: boolean; readonly promptText?: string }
  /** A page asks for a file. */
  fileChooser(): void
  /** The answer to a document: true if the owner takes it. */
  takeDocument(tab: Tab, paused: PausedRequest, session: ProtocolSession): Promise<boolean>
  /** A page hands out a file that it has made itself, or whose answer was not held. */
  downloadBegan(tab: Tab, download: { readonly url: string; readonly name: string; readonly frameId: string }): void
}

/** The browser of one profile: its context, and the pages in it. */
export interface ProfileBrowser {
  readonly context: BrowserContext
  readonly browser: ProtocolSession
  /** Opens an empty page. @throws `browser_lost`, the reason of the signal. */
  openTab(owner: TabOwner, signal: AbortSignal): Promise<Tab>
  /** Aborted when it is gone. */
  readonly ended: AbortSignal
  close(): Promise<void>
}

interface KnownTab {
  readonly tab: Tab
  owner: TabOwner | undefined
  /** Once its fence stands. */
  ready: Promise<void>
}

/** Opens the browser of a profile over a connection. `isShared`: the browser has other profiles, too. */
export async function openProfileBrowser(
  link: BrowserLink,
  dependencies: {
    readonly guard: PageGuard
    readonly proxy: ProfileProxy
    readonly log: Logger
    readonly isShared: boolean
    readonly onRefused: () => void
  },
): Promise<ProfileBrowser> {
  const { guard, proxy, log, isShared, onRefused } = dependencies
  const { browser } = link.connection
  const tabs = new Map<string, KnownTab>()
  const waiting = new Map<string, (known: KnownTab) => void>()
  const ended = new AbortController()

  const rulesOf = (known: KnownTab | undefined): FenceRules => ({
    ...{ guard, proxy, log },
    refused: (url, reason, by) => {
      if (by === 'fence') onRefused()
      known?.owner?.refused(url, reason)
    },
    takeDocument: async (paused, session) => (await known?.owner?.takeDocument(known.tab, paused, session)) === true,
    attachedChild: ({ session, info }) => {
      if (known === undefined || info.type !== 'iframe') return
      known.tab.children.add(session)
      session.ended.addEventListener('abort', () => known.tab.children.delete(session), { once: true })
    },
  })
  const adopt = (target: AttachedTarget): void => {
    if (target.info.type !== 'page') {
      fenceTarget(target, rulesOf(undefined)).catch((error: unknown) => log.debug('A worker ended before its fence stood.', { error }))
      return
    }
    const { targetId, openerId = '' } = target.info
    const opener = tabs.get(openerId)
    const known: KnownTab = { tab: createTab(targetId, target.session), owner: opener?.owner, ready: Promise.resolve() }
    tabs.set(targetId, known)
    listen(known)
    known.ready = Promise.all([fenceTarget(target, rulesOf(known)), prepareTab(known.tab)]).then(() => undefined)
    waiting.get(targetId)?.(known)
    target.session.ended.addEventListener(
      'abort',
      () => {
        tabs.delete(targetId)
        known.owner?.closed(known.tab, 'it was closed')
      },
      { once: true },
    )
    const used = known.ready
      .then(() => {
        if (openerId !== '' && known.owner?.opened(known.tab) === false) void known.tab.close()
      })
      .catch((error: unknown) => {
        if (!browserLostError.isInstance(error)) log.warn('A page could not be fenced and was closed.', { error })
        void known.tab.close()
      })
    opener?.tab.opens(used.then(() => known.tab.settle(ended.signal)))
  }
  const context = isShared ? await link.createContext(proxy.server, adopt) : await link.defaultContext(adopt)
  const end = (reason: unknown): void => {
    if (ended.signal.aborted) return
    ended.abort(reason)
    proxy.close()
  }
  browser.ended.addEventListener('abort', () => end(browser.ended.reason), { once: true })
  await browser.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true, ...context.named })
  return {
    context,
    browser,
    ended: ended.signal,
    async openTab(owner, signal) {
      const limited = signalWithin(limits.commandMs, signal, ended.signal)
      const targetId = await context.newPage(limited)
      const known = await abortable(() => attachedTab(targetId), limited)
      known.owner = owner
      return known.tab
    },
    async close() {
      if (!ended.signal.aborted)
        await context.close().catch((error: unknown) => log.debug('The browser of a profile was gone before it was closed.', { error }))
      end(browserLostError.create({ reason: 'it was closed' }))
    },
  }

  /** Resolves once the fence of the page stands. */
  async function attachedTab(targetId: string): Promise<KnownTab> {
    const attached = new Promise<KnownTab>((resolve) => waiting.set(targetId, resolve))
    const known = tabs.get(targetId) ?? (await attached.finally(() => waiting.delete(targetId)))
    waiting.delete(targetId)
    await known.ready
    return known
  }
}

/** What a page asks of its person. */
function listen(known: KnownTab): void {
  const { session } = known.tab
  const answer = (parameters: object): void =>
    // A dialog that is gone needs no answer.
    void session.send('Page.handleJavaScriptDialog', parameters).catch(() => undefined)
  session.on<{ readonly type: string; readonly message: string }>('Page.javascriptDialogOpening', (dialog) =>
    answer(known.owner?.dialog(dialog) ?? { accept: false }),
  )
  session.on<{ readonly url: string; readonly suggestedFilename: string; readonly frameId: string }>(
    'Page.downloadWillBegin',
    ({ url, suggestedFilename: name, frameId }) => known.owner?.downloadBegan(known.tab, { url, name, frameId }),
  )
  session.on('Page.fileChooserOpened', () => known.owner?.fileChooser())
  session.on('Inspector.targetCrashed', () => {
    known.owner?.closed(known.tab, 'it crashed')
    known.owner = undefined
    void known.tab.close()
  })
}
