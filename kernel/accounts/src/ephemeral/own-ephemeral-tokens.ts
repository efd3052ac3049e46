import type { DisposableScope } from '@agent-service/sdk/host'
import type { EphemeralTokens } from '@agent-service/sdk/services/ephemeral-tokens'

/** The service for one plugin: its token files end with it. */
export function ownEphemeralTokens(tokens: EphemeralTokens, scope: DisposableScope): EphemeralTokens {
  return Object.freeze<EphemeralTokens>({
    issue: (request) => tokens.issue(request),
    revoke: (userId, grantId) => tokens.revoke(userId, grantId),
    async keepTokenFile(request, signal) {
      const registration = scope.child(`token file of ${request.actor.kind} ${request.actor.id}`)
      try {
        const file = await tokens.keepTokenFile(request, AbortSignal.any([signal, registration.signal, scope.signal]))
        registration.add('token file', async () => {
          await file.ended
        })
        void file.ended.then(() => registration.dispose())
        return file
      } catch (error) {
        await registration.dispose(error)
        throw error
      }
    },
  })
}
