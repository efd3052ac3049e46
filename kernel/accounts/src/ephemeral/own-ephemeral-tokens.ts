import type { DisposableScope } from '@agent-service/sdk/host'
import type { EphemeralTokenRequest, EphemeralTokens, TokenFileEnd } from '@agent-service/sdk/services/ephemeral-tokens'
import { joinSignals } from './joined-signal.js'

/** The service for one plugin: the tokens that it keeps end with it. */
export function ownEphemeralTokens(tokens: EphemeralTokens, scope: DisposableScope): EphemeralTokens {
  const own = async <T extends { readonly ended: Promise<TokenFileEnd> }>(
    { actor }: EphemeralTokenRequest,
    signal: AbortSignal,
    begin: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const registration = scope.child(`token of ${actor.kind} ${actor.id}`)
    const joined = joinSignals(signal, registration.signal, scope.signal)
    try {
      const kept = await begin(joined.signal)
      registration.add('token', async () => {
        await kept.ended
      })
      void kept.ended.then(() => {
        joined.release()
        return registration.dispose()
      })
      return kept
    } catch (error) {
      joined.release()
      await registration.dispose(error)
      throw error
    }
  }
  return Object.freeze<EphemeralTokens>({
    issue: (request) => tokens.issue(request),
    revoke: (userId, grantId) => tokens.revoke(userId, grantId),
    keepTokenFile: (request, signal) => own(request, signal, (own) => tokens.keepTokenFile(request, own)),
    keepToken: (request, signal) => own(request, signal, (own) => tokens.keepToken(request, own)),
  })
}
