import type { BrowserSettings } from '../configuration/browser-section.js'
import type { WebSocketPlace } from '../protocol/open-web-socket.js'
import { hostHeader, type Management } from './management.js'

/** What a browser service starts a browser with. */
export interface LaunchOptions {
  /** The folder of the profile on the disk of the browser service. Absent: nothing is kept. */
  readonly profile?: string
  readonly proxy: string
}

/**
 * What stands at `browser.ws_url`. `devtools`: one Chromium with its debugging port, which all
 * profiles share, each in a context of its own. `service`: a service that starts a browser for each
 * connection.
 */
export type BrowserEndpoint =
  | { readonly kind: 'devtools'; readonly localAddress: string; readonly place: WebSocketPlace }
  | { readonly kind: 'service'; readonly localAddress: string; place(options: LaunchOptions): WebSocketPlace }

/** Sessions of a browser service last at most so long, by what it is asked for; its own limit may be lower. */
const maxSessionMs = 6 * 3_600_000

/**
 * Finds out what stands at the address. @throws `browser_unavailable`, the reason of the signal.
 */
export async function findEndpoint(
  settings: BrowserSettings & { readonly ws_url: string },
  { management, signal }: { readonly management: Management; readonly signal: AbortSignal },
): Promise<BrowserEndpoint> {
  const url = new URL(settings.ws_url)
  const { status, text, localAddress } = await management.get('/json/version', { signal })
  const path = isDevtools(url.pathname) ? url.pathname : status === 200 ? pathIn(text) : undefined
  const shown = management.shown
  if (path !== undefined) {
    // The host that is configured, whatever the answer says.
    const place = { url: new URL(path, url).href, headers: hostHeader(url), shown }
    return { kind: 'devtools', localAddress, place }
  }
  return {
    kind: 'service',
    localAddress,
    place: (options) => ({ url: serviceUrl(url, settings.api_token, options), headers: {}, shown }),
  }
}

const isDevtools = (path: string): boolean => /^\/devtools\/browser\/[^/]+$/.test(path)

/** The path in Chromium's own description of itself; a browser service has another one. */
function pathIn(text: string): string | undefined {
  try {
    const { webSocketDebuggerUrl: found } = JSON.parse(text) as { readonly webSocketDebuggerUrl?: unknown }
    const path = typeof found === 'string' && URL.canParse(found) ? new URL(found).pathname : ''
    return isDevtools(path) ? path : undefined
  } catch {
    return undefined
  }
}

/** As Browserless takes them: `launch` with the arguments of Chromium, `token`, `timeout`. */
function serviceUrl(base: URL, token: string, { profile, proxy }: LaunchOptions): string {
  const url = new URL(base)
  if (!url.searchParams.has('token')) url.searchParams.set('token', token)
  if (!url.searchParams.has('timeout')) url.searchParams.set('timeout', String(maxSessionMs))
  const kept = profile === undefined ? [] : [`--user-data-dir=${profile}`]
  url.searchParams.set('launch', JSON.stringify({ headless: true, args: [...kept, ...networkArguments(proxy)] }))
  return url.href
}

/** Everything through the proxy; what cannot go through it does not go at all. */
export const networkArguments = (proxy: string): readonly string[] => [
  `--proxy-server=${proxy}`,
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
]
