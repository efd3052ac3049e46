import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { plainAddress } from '@agent-service/sdk/addresses'
import { readText, signalWithin } from '@agent-service/sdk/async'
import { browserUnavailableError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import type { BrowserSettings } from '../configuration/browser-section.js'
import { codeOf } from '../protocol/open-web-socket.js'

/** An answer of the management interface. */
export interface ManagementAnswer {
  readonly status: number
  readonly text: string
  /** The address of this machine on the way to the service: where the browser may reach it. */
  readonly localAddress: string
}

/** The HTTP side of the browser service: `/json/version`, `/sessions`, `/metrics`, `/pressure`. */
export interface Management {
  /** Host and port, for people. */
  readonly shown: string
  /** Any status is an answer. @throws `browser_unavailable`, the reason of the signal. */
  get(path: string, options: { readonly signal: AbortSignal }): Promise<ManagementAnswer>
}

/** The management interface at the host of `browser.ws_url`, with `browser.api_token`. */
export function createManagement(settings: BrowserSettings & { readonly ws_url: string }): Management {
  const { protocol, host } = new URL(settings.ws_url)
  const base = `${protocol === 'wss:' ? 'https' : 'http'}://${host}`
  return {
    shown: host,
    async get(path, { signal }) {
      const url = new URL(path, base)
      url.searchParams.set('token', settings.api_token)
      const limitMs = Math.min(limits.managementMs, settings.connection_timeout_ms)
      const limited = signalWithin(limitMs, signal)
      try {
        return await ask(url, limited)
      } catch (error) {
        signal.throwIfAborted()
        const reason = limited.aborted ? `${host} did not answer within ${limitMs} ms.` : `${host} cannot be reached (${codeOf(error)}).`
        throw browserUnavailableError.create({ reason }, { cause: error })
      }
    },
  }
}

async function ask(url: URL, signal: AbortSignal): Promise<ManagementAnswer> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const sent = send(url, { signal, headers: hostHeader(url), agent: false })
  sent.on('error', () => undefined)
  sent.end()
  const [response] = (await once(sent, 'response', { signal })) as [IncomingMessage]
  const here = response.socket.localAddress ?? '127.0.0.1'
  const localAddress = plainAddress(here) ?? here
  try {
    return {
      status: response.statusCode ?? 0,
      text: await readText(response, { maxBytes: limits.maxManagementBytes, signal }),
      localAddress,
    }
  } finally {
    sent.destroy()
  }
}

/** Chromium answers requests for an address or `localhost` alone, so that a name is kept from it. */
export function hostHeader({ hostname, port }: URL): Readonly<Record<string, string>> {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) !== 0 || hostname === 'localhost' ? {} : { host: `localhost${port === '' ? '' : `:${port}`}` }
}
