import type { ModelRequest } from '../contracts/provider-adapter/index.js'
import { callFailure, isCallFailure } from './failures/call-failure.js'
import { classifyFailure, type FailureSign } from './failures/classify.js'
import { type ErrorBody, readErrorText } from './failures/error-body.js'
import type { FailureReport } from './failures/failure-report.js'
import { toProviderError } from './failures/to-error.js'
import { type ModelPost, sendPost } from './send-post.js'
import { readText } from './streams/read-text.js'
import type { CallDeadline } from './transport/deadline.js'
import type { ModelClient } from './transport/model-client.js'
import type { ResponseHeaders, UpstreamResponse } from './transport/upstream-response.js'

/** The largest error body that is read, in bytes. */
const errorBodyLimit = 64 * 1024
/** How often a call is sent at most, the first time included. */
const sendLimit = 3

/** A refusal as {@link Exchange.mend} sees it. */
export interface Refusal {
  /** From 300 up. */
  readonly status: number
  /** Its head. */
  readonly headers: ResponseHeaders
  /** Its body, cut at 64 KiB. */
  readonly text: string
}

/** The parts of an exchange. */
export type ExchangeRequest = Pick<ModelRequest, 'connection' | 'model' | 'timeouts' | 'stream'>

/** A request and its answer, before anything of the answer is read. */
export interface Exchange {
  /** The caller's. */
  readonly signal: AbortSignal
  /** The adapter's. */
  readonly client: ModelClient
  /**
   * Makes the request; again when `mend` asks for it. @throws a call failure if it cannot be made.
   */
  prepare(signal: AbortSignal): ModelPost | Promise<ModelPost>
  /**
   * Examines a refusal; true if it has changed something so that a retry may succeed. Called at
   * most twice for a call.
   */
  mend?(refusal: Refusal): boolean | Promise<boolean>
  /** Reads the body of a refusal, if the family has its own format. */
  readError?(refusal: Refusal): ErrorBody
  /** Signs of failures that only this family has. */
  readonly signs?: readonly FailureSign[]
  /** Secrets that must not appear in an error, besides the connection's key. */
  secrets?(): readonly string[]
}

/** Sends the request, and retries if the family can handle a refusal. @throws a call failure. */
export async function sendExchange(request: ExchangeRequest, call: Exchange, deadline: CallDeadline): Promise<UpstreamResponse> {
  const { client, mend } = call
  const means = { client, deadline, connectMs: request.timeouts.connectMs, stream: request.stream }
  for (let sent = 1; ; sent += 1) {
    const response = await sendPost(await call.prepare(deadline.signal), means)
    if (response.status >= 200 && response.status < 300) return response
    const { text } = await readText(response, deadline, errorBodyLimit)
    const refusal: Refusal = { status: response.status, headers: response.headers, text }
    if (sent < sendLimit && (await mend?.call(call, refusal)) === true) continue
    throw callFailure(reportOf(refusal, call))
  }
}

function reportOf(refusal: Refusal, call: Exchange): FailureReport {
  if (refusal.status < 400) {
    const target = refusal.headers.get('location') ?? 'elsewhere'
    return {
      failure: 'bad_request',
      retryable: false,
      httpStatus: refusal.status,
      reason: `The endpoint redirects to ${target}. Set base_url to the final address.`,
    }
  }
  return classifyFailure({
    status: refusal.status,
    headers: refusal.headers,
    body: call.readError?.(refusal) ?? readErrorText(refusal.text),
    now: Date.now(),
    ...(call.signs && { signs: call.signs }),
  })
}

/** The error that a call throws: a provider error, or the signal's reason. */
export function translateFailure(error: unknown, request: ExchangeRequest, call: Exchange, deadline: CallDeadline): unknown {
  if (call.signal.aborted) return call.signal.reason
  const secrets = call.secrets?.() ?? []
  const failed = (report: FailureReport, cause: unknown): Error => toProviderError(report, request, { cause, secrets })
  // Words about the cause that came before the limit say more than the limit.
  const hasCause = isCallFailure(error) && !endKinds.has(error.report.failure)
  if (deadline.expired !== undefined && !hasCause) {
    const { expired, expiredWait } = deadline
    return failed({ failure: 'timeout', retryable: true, reason: `${capitalise(expired)}.`, ...(expiredWait && { expiredWait }) }, error)
  }
  if (isCallFailure(error)) return failed(error.report, error.cause)
  const reason = error instanceof Error ? error.message : String(error)
  return failed({ failure: 'invalid_response', retryable: false, reason: `The answer could not be read: ${reason}` }, error)
}

/** How a call ends when its time is over. */
const endKinds: ReadonlySet<string> = new Set(['timeout', 'transport', 'truncated', 'invalid_response'])

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
