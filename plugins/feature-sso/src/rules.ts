import type { ConfigurationRule, JsonObject } from '@agent-service/sdk'

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

export const rules: readonly ConfigurationRule[] = [checkSso]
