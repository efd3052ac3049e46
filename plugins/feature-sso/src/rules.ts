import type { ConfigurationRule, JsonObject } from '@agent-service/sdk'
import { isLoopbackHost } from './configuration/loopback-host.js'

/** Checks the section `sso`, which decides whether anyone can sign in. */
const checkSso: ConfigurationRule = (configuration) => {
  const sso = configuration['sso'] as JsonObject
  if (sso['enabled'] !== true) {
    return sso['disable_local_auth'] === true
      ? [
          {
            path: 'sso.disable_local_auth',
            message: 'would leave no way to sign in while sso.enabled is false. Set sso.enabled to true, or remove this',
          },
        ]
      : []
  }
  return ['authority', 'client_id']
    .filter((name) => sso[name] === undefined)
    .map((name) => ({ path: `sso.${name}`, message: 'is required while sso.enabled is true' }))
}

/** Codes, tokens and keys come from there: without TLS, an attacker could replace them. */
const checkTransport: ConfigurationRule = (configuration) => {
  const { enabled, authority } = configuration['sso'] as { readonly enabled?: unknown; readonly authority?: unknown }
  if (enabled !== true || typeof authority !== 'string' || !URL.canParse(authority)) return []
  const { protocol, hostname } = new URL(authority)
  if (protocol === 'https:' || isLoopbackHost(hostname)) return []
  return [{ path: 'sso.authority', message: 'must start with https:// unless the identity provider runs on this machine' }]
}

export const rules: readonly ConfigurationRule[] = [checkSso, checkTransport]
