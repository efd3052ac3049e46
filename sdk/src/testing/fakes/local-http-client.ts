import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { readBytes } from '../../async/read-bytes.js'
import { withTimeLimit } from '../../async/with-time-limit.js'
import {
  type HttpClient,
  type HttpClientRequest,
  type HttpClientResponse,
  httpAddressRefusedError,
  httpConnectionError,
  httpRedirectRefusedError,
  httpRequestInvalidError,
  httpResponseTooLargeError,
  httpTimeoutError,
} from '../../services/http-client.js'
import { pieceOf } from './fake-http-client.js'

const redirectStatus: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const loopback = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/

/**
 * A stand-in for `kernel.http-client` that reaches servers of a test: `servers` names them by the
 * hosts that a connection has. It refuses what the service refuses: `http` without `allowHttp`, an
 * address on this machine without `allowPrivate`, and every host that is not named. It has the limits
 * of the whole request and of the body. A redirect is returned or refused; to follow one fails.
 *
 * @example
 * const client = createLocalHttpClient({ 'vault.example': 'http://127.0.0.1:4711' })
 * const { signal } = new AbortController()
 * export const answer = client.request({ url: 'https://vault.example/items' }, { signal })
 */
export function createLocalHttpClient(servers: Readonly<Record<string, string>>): HttpClient {
  const request: HttpClient['request'] = async (sent, { signal }) => {
    const url = checkedUrl(sent)
    const { hostname: host } = url
    const target = targetOf(servers, url, sent)
    const { totalMs: limitMs = 60_000 } = sent.limits ?? {}
    const answer = await withTimeLimit((limited) => send(target, url, sent, limited), {
      ...{ limitMs, signal },
      timedOut: () => httpTimeoutError.create({ host, what: 'the whole request', limitMs }),
    })
    if (!redirectStatus.has(answer.status) || answer.headers['location'] === undefined || sent.redirect === 'return') return answer
    if (sent.redirect === 'refuse') throw httpRedirectRefusedError.create({ host, reason: 'this request does not follow redirects.' })
    throw new Error('createLocalHttpClient follows no redirects: say redirect: "refuse" or "return" in the request.')
  }
  return {
    request,
    async stream(sent, options) {
      const { body, ...head } = await request(sent, options)
      return { ...head, body: pieceOf(body), close: async () => undefined }
    },
  }
}

function checkedUrl({ url, allowHttp = false }: HttpClientRequest): URL {
  if (!URL.canParse(url)) throw httpRequestInvalidError.create({ reason: 'the address is no absolute URL.' })
  const parsed = new URL(url)
  const isTaken = parsed.protocol === 'https:' || (allowHttp && parsed.protocol === 'http:')
  if (!isTaken) throw httpRequestInvalidError.create({ reason: `${parsed.protocol} is not taken; https is.` })
  if (parsed.username !== '' || parsed.password !== '')
    throw httpRequestInvalidError.create({ reason: 'the address has a user name or a password.' })
  return parsed
}

/** Where a request really goes. */
function targetOf(servers: Readonly<Record<string, string>>, url: URL, { allowPrivate = false }: HttpClientRequest): URL {
  const { hostname: host, pathname, search } = url
  const server = Object.hasOwn(servers, host) ? servers[host] : undefined
  if (server !== undefined) return new URL(`${pathname}${search}`, server)
  if (!loopback.test(host)) throw httpAddressRefusedError.create({ host, reason: 'the test names no server for it.' })
  if (!allowPrivate) throw httpAddressRefusedError.create({ host, reason: 'it is not a public address.' })
  if (url.protocol === 'http:') return url
  throw httpConnectionError.create({ host, reason: 'a server of a test has no certificate; address it with http.' })
}

/** Each request has a connection of its own: none is left over that a server has closed meanwhile. */
async function send(
  target: URL,
  { hostname: host, href }: URL,
  { method = 'GET', headers = {}, body, limits = {} }: HttpClientRequest,
  signal: AbortSignal,
): Promise<HttpClientResponse> {
  const { maxBodyBytes: maxBytes = 10 * 1024 * 1024 } = limits
  try {
    const outgoing = requestHttp(target, { method, headers: { ...headers }, agent: false, signal }).end(body)
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const tooLarge = (): Error => httpResponseTooLargeError.create({ host, reason: `it has more than ${maxBytes} bytes.` })
    const bytes = await readBytes(incoming, { maxBytes, signal, tooLarge })
    const named = Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')])
    return { status: incoming.statusCode ?? 0, headers: Object.fromEntries(named), url: href, redirects: 0, body: bytes }
  } catch (error) {
    signal.throwIfAborted()
    if (httpResponseTooLargeError.isInstance(error)) throw error
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'the server closed it.'
    throw httpConnectionError.create({ host, reason }, { cause: error })
  }
}
