import type { Logger } from '@agent-service/sdk'
import { limits } from '../common/limits.js'
import { createConnection, type ProtocolConnection } from '../protocol/connection.js'
import type { TargetInfo } from '../protocol/messages.js'
import { openWebSocket, type WebSocketPlace } from '../protocol/open-web-socket.js'
import type { ProtocolSession } from '../protocol/protocol-session.js'

/** A target that the browser attached, held at its beginning until it is resumed. */
export interface AttachedTarget {
  readonly session: ProtocolSession
  readonly info: TargetInfo
}

/** A separate set of cookies, storage and cache, with its own way to the network. */
export interface BrowserContext {
  /** Absent for the only one of a browser. */
  readonly id: string | undefined
  /** The parameter by which commands name it. */
  readonly named: { readonly browserContextId?: string }
  /** Opens an empty page; resolves with the id of its target. */
  newPage(signal: AbortSignal): Promise<string>
  /** Ends its pages and forgets its data; of the only one of a browser, its connection. */
  close(): Promise<void>
}

/** A connection to one browser. */
export interface BrowserLink {
  readonly connection: ProtocolConnection
  /** Makes a context whose traffic goes through the proxy. Each of its targets is handed to `adopt`, before it runs. */
  createContext(proxy: string, adopt: (target: AttachedTarget) => void): Promise<BrowserContext>
  /** The context that the browser was started with. */
  defaultContext(adopt: (target: AttachedTarget) => void): Promise<BrowserContext>
}

interface Attached {
  readonly sessionId: string
  readonly targetInfo: TargetInfo
}

/** Every kind of target that loads something, and holds each until its fence stands. */
export const attachment = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true } as const

/** Connects to a browser. @throws `browser_unavailable`, the reason of the signal. */
export async function openBrowserLink(
  place: WebSocketPlace,
  { limitMs, signal, log }: { readonly limitMs: number; readonly signal: AbortSignal; readonly log: Logger },
): Promise<BrowserLink> {
  const connection = createConnection(await openWebSocket(place, { limitMs, signal }), { log })
  const contexts = new Map<string, (target: AttachedTarget) => void>()
  let adoptAll: ((target: AttachedTarget) => void) | undefined
  const { browser } = connection
  browser.on<Attached>('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const adopt = contexts.get(targetInfo.browserContextId ?? '') ?? adoptAll
    if (adopt !== undefined) return adopt({ session: connection.session(sessionId), info: targetInfo })
    // A page of another connection, which resumes it; the browser holds it until each that is attached has let it go.
    release(browser, sessionId)
  })
  const contextOf = (id: string | undefined): BrowserContext => {
    const named = id === undefined ? {} : { browserContextId: id }
    return {
      id,
      named,
      async newPage(pageSignal) {
        const made = await browser.send<{ readonly targetId: string }>(
          'Target.createTarget',
          { url: 'about:blank', ...named },
          { signal: pageSignal },
        )
        return made.targetId
      },
      async close() {
        if (id === undefined) {
          // In order, so that the profile is written to its disk.
          await browser.send('Browser.close', {}, { limitMs: 5_000 }).catch(() => undefined)
          return connection.close('it is not needed any more')
        }
        contexts.delete(id)
        try {
          await browser.send('Target.disposeBrowserContext', named, { limitMs: limits.commandMs / 3 })
        } finally {
          // The browser disposes of the context then, too.
          connection.close('it is not needed any more')
        }
      },
    }
  }
  return {
    connection,
    async createContext(proxy, adopt) {
      await browser.send('Target.setAutoAttach', attachment, { signal })
      const parameters = { disposeOnDetach: true, proxyServer: proxy, proxyBypassList: '<-loopback>' }
      const { browserContextId: id } = await browser.send<{ readonly browserContextId: string }>(
        'Target.createBrowserContext',
        parameters,
        { signal },
      )
      contexts.set(id, adopt)
      return contextOf(id)
    },
    async defaultContext(adopt) {
      adoptAll = adopt
      await browser.send('Target.setAutoAttach', attachment, { signal })
      return contextOf(undefined)
    },
  }
}

function release(browser: ProtocolSession, sessionId: string): void {
  // It fails for a target that is gone already, which is as well.
  browser.send('Target.detachFromTarget', { sessionId }).catch(() => undefined)
}
