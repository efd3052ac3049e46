import { readText, signalWithin } from '@agent-service/sdk/async'
import { credentialsUnavailable } from './credential-failure.js'

/** The largest answer that is read, in bytes. */
const answerLimit = 256 * 1024

/** A request to an endpoint that issues credentials. */
export interface EndpointQuestion {
  /** For messages: `The token service`. */
  readonly who: string
  readonly url: URL
  readonly method: 'GET' | 'PUT' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** How long the whole answer may take, in milliseconds. */
  readonly limitMs: number
  readonly signal: AbortSignal
}

/**
 * Sends it without following redirects. @throws a retryable failure without the sent data, if no
 * answer comes in time.
 */
export async function askEndpoint(question: EndpointQuestion): Promise<{ readonly status: number; readonly text: string }> {
  const { who, url, method, headers = {}, body, limitMs, signal } = question
  const within = signalWithin(limitMs, signal)
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: within,
      ...(body !== undefined && { body }),
    })
    return { status: response.status, text: await readAnswer(response) }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    // The error itself may repeat a header with a secret.
    const reason = within.aborted ? `did not answer within ${limitMs} ms` : `could not be reached${codeOf(error)}`
    throw credentialsUnavailable(`${who} at ${url.origin} ${reason}.`)
  }
}

function readAnswer({ body }: Response): Promise<string> {
  return body ? readText(body as AsyncIterable<Uint8Array>, { maxBytes: answerLimit, what: 'The answer' }) : Promise.resolve('')
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = typeof cause === 'object' && cause !== null ? (cause as { readonly code?: unknown }).code : undefined
  return typeof code === 'string' ? ` (${code})` : ''
}
