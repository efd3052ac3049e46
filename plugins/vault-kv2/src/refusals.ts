import { vaultConnectionInvalidError, vaultForbiddenError, vaultUnauthorizedError } from '@agent-service/sdk/contracts/vault-connector'
import { type Api, type ApiAnswer, isRecord, vault } from './api.js'
import type { Server } from './members.js'

/** What a token says about itself; undefined for one that may not ask. */
export async function lookUpToken(api: Api, signal: AbortSignal): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { status, body } = await api({ path: 'auth/token/lookup-self' }, signal)
  if (status >= 400) return undefined
  return isRecord(body['data']) ? body['data'] : {}
}

/**
 * Vault answers 403 to a token that it does not know as to one that lacks a permission. The
 * difference: a token of its own may look itself up, or at least see its mount.
 */
export async function refusalOf(what: string, { api, server, signal }: { api: Api; server: Server; signal: AbortSignal }): Promise<Error> {
  if ((await lookUpToken(api, signal)) !== undefined) return vaultForbiddenError.create({ vault, what })
  const { status } = await mountOf(api, server, signal)
  return status < 300 ? vaultForbiddenError.create({ vault, what }) : vaultUnauthorizedError.create({ vault, reason: 'unknown' })
}

const mountOf = (api: Api, { mount }: Server, signal: AbortSignal): Promise<ApiAnswer> =>
  api({ path: `sys/internal/ui/mounts/${mount}` }, signal)

/**
 * Makes sure that the mount is one of KV version 2. @throws `vault_connection_invalid` for another
 * one, `vault_forbidden` where the token sees no such mount, `vault_unauthorized`.
 */
export async function checkMount({ api, server, signal }: { api: Api; server: Server; signal: AbortSignal }): Promise<void> {
  const { status, body } = await mountOf(api, server, signal)
  if (status >= 400) {
    const isKnown = (await lookUpToken(api, signal)) !== undefined
    throw isKnown
      ? vaultForbiddenError.create({ vault, what: `see the mount “${server.mountName}”, if there is one` })
      : vaultUnauthorizedError.create({ vault, reason: 'unknown' })
  }
  const { type, options, path } = isRecord(body['data']) ? body['data'] : {}
  const invalid = (reason: string): Error => vaultConnectionInvalidError.create({ member: 'mount', reason })
  if (type !== 'kv' && type !== 'generic') throw invalid('is not a KV secrets engine')
  const version = isRecord(options) ? options['version'] : undefined
  if (String(version) !== '2')
    throw invalid('is a KV secrets engine of version 1. Only version 2 is supported; vault kv enable-versioning upgrades it')
  // The server also answers for a path inside a mount.
  if (typeof path === 'string' && path.replace(/\/+$/, '') !== server.mountName) throw invalid(`is a path inside the mount “${path}”`)
}
