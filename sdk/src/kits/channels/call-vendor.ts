import { abortable } from '../../async/abortable.js'
import { signalWithin } from '../../async/signal-within.js'
import { channelErrorKindOf, channelOutcomeUnknownError, channelUnavailableError } from '../../contracts/channel/errors.js'

/** How a vendor is called. */
export interface VendorCall {
  /** The channel's title, for people. */
  readonly channel: string
  /** Of the function that calls: its abort ends the call with its reason. */
  readonly signal: AbortSignal
  /** The longest wait, in milliseconds. Default 20,000. */
  readonly limitMs?: number
  /** Whether a message is sent: a call that fails on its way may have sent it. Default false. */
  readonly sending?: boolean
}

/** What fails before anything was sent. */
const before: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
])

/**
 * Runs one call of a vendor so that it keeps the contract: it is not begun once the signal is aborted,
 * ends within its limit, and fails with the signal's reason, an error of the contract that the work
 * threw, or one made of what it threw: `channel_unavailable`, or `channel_outcome_unknown` where a
 * message may have been sent.
 */
export async function callVendor<T>(work: (signal: AbortSignal) => Promise<T>, call: VendorCall): Promise<T> {
  const { channel, signal, limitMs = 20_000, sending = false } = call
  signal.throwIfAborted()
  const within = signalWithin(limitMs, signal)
  try {
    return await abortable(() => work(within), within)
  } catch (error) {
    signal.throwIfAborted()
    if (channelErrorKindOf(error) !== 'unknown' || channelOutcomeUnknownError.isInstance(error)) throw error
    const code = codesOf(error).find((each) => each !== undefined)
    const reason = within.aborted ? `it took longer than ${limitMs} ms` : `the request failed${code === undefined ? '' : ` (${code})`}`
    const definition = sending && !codesOf(error).some((each) => before.has(each)) ? channelOutcomeUnknownError : channelUnavailableError
    throw definition.create({ channel, reason }, { cause: error })
  }
}

/** The codes of an error and its causes: `fetch` says what happened in its cause. */
function codesOf(error: unknown, depth = 0): readonly (string | undefined)[] {
  if (typeof error !== 'object' || error === null || depth > 3) return []
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  return [typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : undefined, ...codesOf(cause, depth + 1)]
}
