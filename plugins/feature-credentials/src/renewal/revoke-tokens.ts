import type { Logger } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import type { CredentialContent } from '@agent-service/sdk/services/credentials'
import type { PostForm } from '../server/post-form.js'
import type { StoredReference } from '../store/credential-store.js'

const maxRevocationMs = 5_000

/**
 * Revokes tokens if the server has an endpoint for that (RFC 7009). Takes at most 5 seconds and
 * never throws.
 */
export async function revokeTokens(
  reference: StoredReference,
  content: CredentialContent,
  { postForm, log, signal }: { readonly postForm: PostForm; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  if (content.kind !== 'oauth' || !content.client || !content.tokens) return
  const { client, tokens } = content
  const { refreshToken, accessToken } = tokens
  if (client.revocationUrl === undefined) return
  const form =
    refreshToken === undefined
      ? { token: accessToken, token_type_hint: 'access_token' }
      : { token: refreshToken, token_type_hint: 'refresh_token' }
  const limit = signalWithin(maxRevocationMs, signal)
  const reason = await postForm({ url: client.revocationUrl, form, client, owner: reference.owner }, { signal: limit }).then(
    (answer) => (answer.kind === 'answer' ? undefined : answer.kind === 'refused' ? answer.code : answer.reason),
    () => `it did not respond within ${maxRevocationMs} ms`,
  )
  if (reason !== undefined)
    log.warn('The tokens of a deleted credential were not revoked; they remain valid until they expire.', {
      ...{ credential_id: reference.id, plugin: reference.pluginId, reason },
    })
}
