import type { Logger } from '@agent-service/sdk'
import { ServiceError } from '@agent-service/sdk'
import type { BrowserSettings } from '../configuration/browser-section.js'
import { createConnection } from '../protocol/connection.js'
import { openWebSocket } from '../protocol/open-web-socket.js'
import { type BrowserEndpoint, findEndpoint } from './endpoint.js'
import { createManagement, type Management } from './management.js'

/** What a test of the browser service has shown. */
export interface ServiceTest {
  readonly ok: boolean
  /** One line for people. */
  readonly text: string
  readonly kind: BrowserEndpoint['kind'] | null
  /** The name and version of the browser. */
  readonly product: string | null
  /** What works but should not stay so. */
  readonly warnings: readonly string[]
  /** What the management interface says, as far as it does. */
  readonly management: {
    readonly running: number | null
    readonly queued: number | null
    readonly accepts: boolean | null
  }
}

const noManagement = { running: null, queued: null, accepts: null } as const
const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined, child: () => silent }

/** Connects, asks the browser for its version, and its service for its load. Changes nothing. */
export async function testService(
  settings: BrowserSettings & { readonly ws_url: string },
  { signal, limitMs, log = silent }: { readonly signal: AbortSignal; readonly limitMs: number; readonly log?: Logger },
): Promise<ServiceTest> {
  const management = createManagement(settings)
  try {
    const endpoint = await findEndpoint(settings, { management, signal })
    const place = endpoint.kind === 'devtools' ? endpoint.place : endpoint.place({ proxy: 'http://127.0.0.1:9' })
    const connection = createConnection(await openWebSocket(place, { limitMs, signal }), { log })
    try {
      const { product } = await connection.browser.send<{ readonly product: string }>('Browser.getVersion', {}, { signal, limitMs })
      const kinds = { devtools: 'one browser for all, profiles are kept here', service: 'a browser for each profile' }
      return {
        ...{ ok: true, kind: endpoint.kind, product: String(product).slice(0, 100) },
        text: `${management.shown} answers: ${String(product).slice(0, 100)}, ${kinds[endpoint.kind]}`,
        warnings: endpoint.kind === 'devtools' ? [webRtcAdvice] : [],
        management: endpoint.kind === 'service' ? await pressureOf(management, signal) : noManagement,
      }
    } finally {
      connection.close('the test is over')
    }
  } catch (error) {
    signal.throwIfAborted()
    const text = ServiceError.isInstance(error) ? error.message : `${management.shown} could not be tested.`
    return { ok: false, text, kind: null, product: null, warnings: [], management: noManagement }
  }
}

const webRtcAdvice =
  'Start this Chromium with --force-webrtc-ip-handling-policy=disable_non_proxied_udp: WebRTC is closed to pages by script alone otherwise.'

/** `/pressure`, as Browserless answers it; older ones do not. */
async function pressureOf(management: Management, signal: AbortSignal): Promise<ServiceTest['management']> {
  try {
    const { status, text } = await management.get('/pressure', { signal })
    if (status !== 200) return noManagement
    const { pressure } = JSON.parse(text) as { readonly pressure?: Readonly<Record<string, unknown>> }
    const numberOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)
    const accepts = pressure?.['isAvailable']
    return {
      running: numberOf(pressure?.['running']),
      queued: numberOf(pressure?.['queued']),
      accepts: typeof accepts === 'boolean' ? accepts : null,
    }
  } catch {
    signal.throwIfAborted()
    return noManagement
  }
}
