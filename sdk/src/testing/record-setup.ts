import { isDeepStrictEqual } from 'node:util'
import { contractPoints } from '../admission/known-points.js'
import { recordContributions } from '../admission/recorded-contributions.js'
import { checkSetup } from '../admission/setup-lines.js'
import type { JsonValue } from '../core/json.js'
import { messageOf } from '../core/message-of.js'
import { checkJson } from '../manifest/check-json.js'
import type { RecordedSetup } from '../manifest/recorded-setup.js'
import type { Plugin } from '../plugin/define-plugin.js'
import { createPluginTrial, type PluginTrial, type TrialServices } from './plugin-trial.js'
import { withinSetupLimit } from './within-setup-limit.js'

/** What `setup` contributes, or why the plugin starts with the service. */
export type SetupRecording = { readonly recorded: RecordedSetup } | { readonly reason: string }

/**
 * Runs `setup` with the default settings and stand-ins for services, stops it, and writes down what it
 * contributed. Only of a plugin that can wait until the first of that is used: whose setup does nothing else, and
 * contributes the same in every deployment. `folder`: that of `plugin.json`, absolute.
 *
 * @example
 * const setup = await recordSetup(plugin, '/opt/tool-dice/dist')
 * if ('reason' in setup) throw new Error(`It would start with the service: ${setup.reason}`)
 */
export async function recordSetup(plugin: Plugin, folder: string): Promise<SetupRecording> {
  const { activation, optional = [] } = plugin.manifest
  if (activation !== undefined) return { reason: activation.reason }
  const alone = await recordTrial(plugin, folder, 'required')
  if (optional.length === 0 || 'reason' in alone) return alone
  const together = await recordTrial(plugin, folder, 'all')
  if ('reason' in together) return together
  if (isDeepStrictEqual(alone, together)) return alone
  return { reason: `what it contributes depends on whether ${optional.join(', ')} is there` }
}

async function recordTrial(plugin: Plugin, folder: string, services: TrialServices): Promise<SetupRecording> {
  let trial: PluginTrial
  try {
    trial = createPluginTrial(plugin, {}, services)
  } catch (error) {
    return { reason: `its setup could not be tried: ${messageOf(error)}` }
  }
  const failure = (what: string, error: unknown): SetupRecording => ({ reason: useReason(trial) ?? `${what}: ${messageOf(error)}` })
  let recording: SetupRecording
  try {
    await withinSetupLimit(trial.setup())
    recording = recordingOf(plugin, folder, trial)
  } catch (error) {
    return failure('its setup could not be tried', error)
  }
  try {
    await trial.dispose()
  } catch (error) {
    return failure('it could not be stopped', error)
  }
  return recording
}

function recordingOf({ manifest, collections }: Plugin, folder: string, trial: PluginTrial): SetupRecording {
  const { record, violations, settings } = trial
  const reason = useReason(trial)
  if (reason !== undefined) return { reason }
  const intake = { manifest, collections, knownPoints: contractPoints, plugin: { id: manifest.id, builtIn: true, manifest } }
  const [line] = [...violations.map(({ message }) => message), ...checkSetup(record, intake).lines]
  if (line !== undefined) return { reason: `a deployment would refuse it: ${line}` }
  if (record.contributions.length + record.services.size === 0)
    return { reason: 'its setup contributes nothing whose first use could start it' }
  if (checkJson(settings, '/').length > 0) return { reason: 'its settings are more than JSON' }
  const written = recordContributions(record.contributions, folder)
  if ('reason' in written) return written
  const named = collections.map(({ name, userField }) => ({ name, ...(userField !== undefined && { userField }) }))
  return { recorded: { settings: settings as JsonValue, collections: named, contributions: written.recorded } }
}

const useReason = ({ uses: [use] }: PluginTrial): string | undefined => (use === undefined ? undefined : `its setup ${use}`)
