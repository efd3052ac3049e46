import type { ModelRequest, ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import type { ContributionLease } from '@agent-service/sdk/services/contributions'

/** Limits of a test call. */
export const probeTimeouts = { connectMs: 10_000, firstTokenMs: 45_000, idleMs: 30_000, totalMs: 60_000 } as const
/** Some vendors refuse a lower limit. */
export const probeAnswerTokens = 16
/** The tool that a model is offered to learn whether it takes any. */
export const probeTools: ModelRequest['tools'] = [
  { name: 'get_time', description: 'Tells the time.', parameters: { type: 'object', properties: {} } },
]
/** What a model is asked in a test. */
export const probeMessages: ModelRequest['messages'] = [{ role: 'user', content: [{ type: 'text', text: 'Say OK.' }] }]

/**
 * Makes a call and cancels it as soon as the answer begins; its usage is not recorded. Returns
 * `undefined` if a model answers, else the failure. Releases the lease.
 * @throws the signal's reason.
 */
export async function callOnce(
  lease: ContributionLease<ProviderAdapter>,
  prepare: () => ModelRequest,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    for await (const event of lease.value.call(prepare(), { signal: AbortSignal.any([signal, lease.signal]) }))
      if (event.type !== 'response.started') return undefined
    return new Error('The model ended without an answer.')
  } catch (error) {
    signal.throwIfAborted()
    return error
  } finally {
    lease.release()
  }
}
