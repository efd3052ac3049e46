import type { ConfigurationFinding } from '@agent-service/sdk'
import { checkExtraParams } from './check-extra-params.js'
import { checkOutputLimits } from './check-output-limits.js'
import { checkPrice } from './check-price.js'
import { checkProtocol } from './check-protocol.js'
import { checkProvider } from './check-provider.js'
import { checkTypedSettings } from './check-typed-settings.js'
import type { ConfiguredModels, Target } from './configured-models.js'

/**
 * Checks one group or fallback. Checks that depend on the protocol run only if the connection
 * speaks it.
 */
export function checkTarget(target: Target, configured: ConfiguredModels): readonly ConfigurationFinding[] {
  const provider = checkProvider(target, configured)
  if (provider.length > 0) return provider
  const protocol = checkProtocol(target, configured)
  return [
    ...checkPrice(target, configured),
    ...protocol.findings,
    ...(protocol.spoken
      ? [...checkTypedSettings(target, configured), ...checkOutputLimits(target, configured), ...checkExtraParams(target, configured)]
      : []),
  ]
}
