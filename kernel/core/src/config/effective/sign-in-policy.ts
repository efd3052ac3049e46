import type { JsonObject } from '@agent-service/sdk'
import { type Environment, variableValue } from '../read/expand-references.js'
import { isObject, own } from '../schema/schema-node.js'

export interface SignInPolicy {
  /** `sso.enabled`. */
  readonly singleSignOn: boolean
  /** False with `sso.disable_local_auth`: no user signs up or in with a password. */
  readonly localSignIn: boolean
}

/**
 * Reads the policy from the effective values, independent of the plugin that owns the section
 * `sso`: if that plugin is disabled or fails, nothing else opens. If no readable plugin owns the
 * section but the environment sets a field of it, the operator's intent is unknown and local
 * sign-in is closed. (In the file such a section is an error.)
 */
export function signInPolicyOf(values: JsonObject, environment: Environment): SignInPolicy {
  const section = own(values, 'sso')
  if (isObject(section))
    return Object.freeze({ singleSignOn: section['enabled'] === true, localSignIn: section['disable_local_auth'] !== true })
  const isMeant = Object.keys(environment).some((name) => /^SERVICE_SSO(_|$)/i.test(name) && variableValue(environment, name) !== undefined)
  return Object.freeze({ singleSignOn: false, localSignIn: !isMeant })
}
