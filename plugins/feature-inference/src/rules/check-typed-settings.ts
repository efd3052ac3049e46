import type { ConfigurationFinding } from '@agent-service/sdk'
import { commonGroupMembers } from '../configuration/models-section.js'
import { speakerOf } from './check-protocol.js'
import type { ConfiguredModels, Target } from './configured-models.js'

/** Typed settings must belong to the protocol; some brands take only the common ones. */
export function checkTypedSettings(
  { path, settings, connection, protocol }: Target,
  { settingsOf }: ConfiguredModels,
): readonly ConfigurationFinding[] {
  const takesNone = connection?.brand?.typed_settings === false
  const supported = takesNone ? [] : settingsOf(protocol ?? '')?.names
  if (!connection || !supported) return []
  const who = takesNone ? speakerOf(connection) : `the protocol “${protocol}”`
  const what = ['max_tokens', 'temperature', ...supported].join(', ')
  return Object.keys(settings)
    .filter((name) => !commonGroupMembers.has(name) && !supported.includes(name))
    .map((name) => ({
      path: `${path}.${name}`,
      message: `is not supported by ${who}, which supports ${what}; use extra_params for native parameters`,
    }))
}
