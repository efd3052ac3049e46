import type { ConfigurationRule, JsonObject } from '@agent-service/sdk'
import { isLoopbackHost } from './configuration/loopback-host.js'

/** What the section `sso` must hold: who can sign in at all hangs on it. */
const checkSso: ConfigurationRule = (configuration) => {
  const sso = configuration['sso'] as JsonObject
  if (sso['enabled'] !== true) {
    return sso['disable_local_auth'] === true
      ? [
          {
            path: 'sso.disable_local_auth',
            message: 'would leave nobody a way to sign in while sso.enabled is false. Set sso.enabled to true, or remove this',
          },
        ]
      : []
  }
  return ['authority', 'client_id']
    .filter((name) => sso[name] === undefined)
    .map((name) => ({ path: `sso.${name}`, message: 'is required while sso.enabled is true' }))
}

/** Codes, tokens and keys come from there: on the way, somebody else could put in their own. */
const checkTransport: ConfigurationRule = (configuration) => {
  const { enabled, authority } = configuration['sso'] as { readonly enabled?: unknown; readonly authority?: unknown }
  if (enabled !== true || typeof authority !== 'string' || !URL.canParse(authority)) return []
  const { protocol, hostname } = new URL(authority)
  if (protocol === 'https:' || isLoopbackHost(hostname)) return []
  return [{ path: 'sso.authority', message: 'must begin with https:// unless the identity provider runs on this machine' }]
}

export const rules: readonly ConfigurationRule[] = [checkSso, checkTransport]
