import { createHash } from 'node:crypto'
import { abortable, signalWithin } from '@agent-service/sdk/async'
import {
  callFailure,
  classifyFailure,
  endpointUrl,
  isObject,
  type ModelClient,
  numberAt,
  parseJson,
  readErrorText,
  textAt,
} from '@agent-service/sdk/provider-kit'
import { LRUCache } from 'lru-cache'
import { apiAddress } from './copilot-addresses.js'

/** A token that Copilot accepts, and where. */
export interface CopilotToken {
  readonly token: string
  readonly baseUrl: string
}

/** A token to exchange. */
export interface Exchange {
  readonly gitHubToken: string
  /** Where. */
  readonly url: string
  /** Of the connection: the address of calls if the token names none. */
  readonly baseUrl: string
  /** Sent along, as for calls. */
  readonly headers: Readonly<Record<string, string>>
}

/** The exchanged tokens, each kept until shortly before it expires. */
export interface CopilotTokens {
  /**
   * The token to call with. Concurrent callers share one exchange. @throws a call failure, or the
   * signal's reason.
   */
  take(exchange: Exchange, signal: AbortSignal): Promise<CopilotToken>
  /** Forgets a refused token. A newer one stays. */
  forget(exchange: Exchange, refused: string): void
}

interface Kept {
  readonly result: Promise<CopilotToken>
  token?: string
  /** In milliseconds since 1970; absent while the exchange is under way. */
  usableUntil?: number
}

/** How many tokens are kept at most. */
const keptLimit = 64
/** How long before it expires a token is exchanged again. */
const marginMs = 120_000
/** How long a token without a time is used. */
const defaultLifeMs = 600_000
/** How long an exchange may take. Its answer is short. */
const exchangeLimitMs = 15_000
const answerLimit = 64 * 1024

/** Makes an empty store. `now` in milliseconds since 1970. */
export function createCopilotTokens(client: ModelClient, now: () => number = Date.now): CopilotTokens {
  const kept = new LRUCache<string, Kept>({ max: keptLimit })

  const begin = (key: string, exchange: Exchange): Kept => {
    const entry: Kept = {
      result: exchangeToken(client, exchange, now()).then(
        ({ usableUntil, ...token }) => {
          entry.token = token.token
          entry.usableUntil = usableUntil
          return token
        },
        (error: unknown) => {
          if (kept.get(key) === entry) kept.delete(key)
          throw error
        },
      ),
    }
    kept.set(key, entry)
    return entry
  }

  return {
    take(exchange, signal) {
      const key = keyOf(exchange)
      const known = kept.get(key)
      const isUsable = known !== undefined && (known.usableUntil === undefined || known.usableUntil > now())
      return abortable((isUsable ? known : begin(key, exchange)).result, signal)
    },
    forget(exchange, refused) {
      const key = keyOf(exchange)
      if (kept.get(key)?.token === refused) kept.delete(key)
    },
  }
}

/** Names a token without holding it. */
const keyOf = ({ gitHubToken, url, baseUrl }: Exchange): string =>
  createHash('sha256').update([gitHubToken, url, baseUrl].join('\n')).digest('base64')

async function exchangeToken(
  client: ModelClient,
  { gitHubToken, url, baseUrl, headers }: Exchange,
  startedAt: number,
): Promise<CopilotToken & { readonly usableUntil: number }> {
  const signal = signalWithin(exchangeLimitMs)
  const request = {
    method: 'GET',
    url: endpointUrl(url, ''),
    headers: { 'user-agent': 'agent-service', ...lowerCased(headers), accept: 'application/json', authorization: `token ${gitHubToken}` },
    body: '',
    signal,
  } as const
  const { status, head, text } = await client
    .post(request, exchangeLimitMs)
    .then(async (response) => ({ status: response.status, head: response.headers, text: await textOf(response.read) }))
    .catch((error: unknown) => {
      const failure = signal.aborted ? 'timeout' : 'transport'
      throw callFailure({ failure, retryable: true, reason: 'The GitHub token could not be exchanged: GitHub was not reached.' }, error)
    })
  if (status !== 200) {
    const body = readErrorText(text)
    const report = classifyFailure({ status, headers: head, body, now: Date.now() })
    const isRefused = status === 401 || status === 403 || status === 404
    throw callFailure({
      ...report,
      ...(isRefused && report.failure !== 'rate_limited' && { failure: 'authentication', retryable: false }),
      reason: `The GitHub token was not exchanged for one of Copilot: ${body.message}`,
    })
  }
  const answer = parseJson(text)
  const token = textAt(answer, 'token')
  if (!isObject(answer) || token === undefined) {
    throw callFailure({
      failure: 'invalid_response',
      retryable: true,
      reason: 'GitHub answered the token exchange without a token.',
    })
  }
  const expires = numberAt(answer, 'expires_at')
  return {
    token,
    baseUrl: apiAddress(answer, baseUrl),
    usableUntil: (expires === undefined ? startedAt + defaultLifeMs : expires * 1_000) - marginMs,
  }
}

const lowerCased = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

async function textOf(read: () => Promise<Uint8Array | undefined>): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for (let bytes = await read(); bytes && size < answerLimit; bytes = await read()) {
    pieces.push(bytes)
    size += bytes.length
  }
  return Buffer.concat(pieces).subarray(0, answerLimit).toString('utf8')
}
