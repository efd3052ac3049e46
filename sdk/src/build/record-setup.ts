import { contractPoints } from '../admission/known-points.js'
import { recordContributions } from '../admission/recorded-contributions.js'
import { checkSetup } from '../admission/setup-lines.js'
import type { JsonValue } from '../core/json.js'
import { messageOf } from '../core/message-of.js'
import { checkJson } from '../manifest/check-json.js'
import type { RecordedSetup } from '../manifest/recorded-setup.js'
import type { Plugin } from '../plugin/define-plugin.js'
import { createPluginTrial, type PluginTrial } from '../testing/create-test-context.js'
import { withinSetupLimit } from './setup-limit.js'

/** What `setup` contributes, or why the plugin starts with the service. */
export type SetupRecording = { readonly recorded: RecordedSetup } | { readonly reason: string }

/**
 * Runs `setup` with the default settings and stand-ins for services, stops it, and writes down what it
 * contributed. Only of a plugin that can wait until the first of that is used: whose setup does nothing else, and
 * contributes the same in every deployment.
 */
export async function recordSetup(plugin: Plugin): Promise<SetupRecording> {
  const reason = reasonOfManifest(plugin)
  if (reason !== undefined) return { reason }
  let trial: PluginTrial
  try {
    trial = createPluginTrial(plugin, {})
    await withinSetupLimit(trial.setup())
  } catch (error) {
    return { reason: `its setup could not be tried: ${messageOf(error)}` }
  }
  try {
    return recordingOf(plugin, trial)
  } finally {
    // What is wrong with its stop is for “validate”, and for the service.
    await trial.dispose().catch(() => undefined)
  }
}

function reasonOfManifest({ manifest, collections }: Plugin): string | undefined {
  const { activation, optional = [], contributes = [] } = manifest
  if (activation !== undefined) return activation.reason
  if (collections.length > 0) return 'its collections are opened with the database'
  if (optional.length > 0) return `what it contributes may depend on whether ${optional.join(', ')} is there`
  return contributes.length === 0 ? 'it contributes nothing of which the first use could start it' : undefined
}

function recordingOf({ manifest, collections }: Plugin, { record, violations, calls, settings }: PluginTrial): SetupRecording {
  const [call] = calls
  if (call !== undefined) return { reason: `its setup calls ${call}` }
  const intake = { manifest, collections, knownPoints: contractPoints, plugin: { id: manifest.id, builtIn: true, manifest } }
  const [line] = [...violations.map(({ message }) => message), ...checkSetup(record, intake).lines]
  if (line !== undefined) return { reason: `a deployment would refuse it: ${line}` }
  if (checkJson(settings, '/').length > 0) return { reason: 'its settings are more than JSON' }
  const written = recordContributions(record.contributions)
  return 'reason' in written ? written : { recorded: { settings: settings as JsonValue, contributions: written.recorded } }
}
