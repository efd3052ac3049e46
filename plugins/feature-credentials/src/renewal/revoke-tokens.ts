import type { Logger } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import type { CredentialContent } from '@agent-service/sdk/services/credentials'
import type { AskServer } from '../server/ask-server.js'
import type { StoredReference } from '../store/credential-store.js'

const revocationMs = 5_000

/**
 * Takes tokens back where the server has an endpoint for that (RFC 7009): within 5 seconds, and whatever it
 * answers. Never throws.
 */
export async function revokeTokens(
  reference: StoredReference,
  content: CredentialContent,
  { ask, log, signal }: { readonly ask: AskServer; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  if (content.kind !== 'oauth' || !content.client || !content.tokens) return
  const { client, tokens } = content
  const { refreshToken, accessToken } = tokens
  if (client.revocationUrl === undefined) return
  const form =
    refreshToken === undefined
      ? { token: accessToken, token_type_hint: 'access_token' }
      : { token: refreshToken, token_type_hint: 'refresh_token' }
  const limit = signalWithin(revocationMs, signal)
  const reason = await ask({ url: client.revocationUrl, form, client, owner: reference.owner }, { signal: limit }).then(
    (answer) => (answer.kind === 'answer' ? undefined : answer.kind === 'refused' ? answer.code : answer.reason),
    () => `it did not answer within ${revocationMs} ms`,
  )
  if (reason !== undefined)
    log.warn('The tokens of a credential that was deleted were not taken back; they end by themselves.', {
      ...{ credential_id: reference.id, plugin: reference.pluginId, reason },
    })
}
