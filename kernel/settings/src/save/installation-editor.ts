import { type Configuration, type ConfigurationDraft, type Examination, encryptionVariables } from '@agent-service/kernel-core/config'
import { discoverFor, type InstallationOptions, switchedOffIn, writableIn } from '../installation/index.js'
import { examinedManifests, type RuleConsent } from '../installation/rule-consent.js'
import type { ConfigurationEditor, ConfigurationEditorOptions } from './configuration-editor.js'
import { createConfigurationEditor } from './create-configuration-editor.js'

/** A running service, whose configuration can be changed by people who are not its operator. */
export interface RunningInstallation {
  readonly configuration: Configuration
  readonly examination: Examination
  /** The plugins by whose rules the configuration was checked at the start. */
  readonly consent: RuleConsent
}

/**
 * The editor of an installation's configuration file. It imports no code of a plugin that only the
 * change adds; with `running`, none that the running service has not run.
 */
export function createInstallationEditor(options: InstallationOptions, running?: RunningInstallation): ConfigurationEditor {
  return createConfigurationEditor({
    origin: options,
    discover: discoverer(options, running),
    ...(running === undefined
      ? {}
      : {
          newReferences: { isReserved: encryptionVariables(running.examination.file.value) },
          running: placesOf(running),
        }),
  })
}

const placesOf = ({ configuration }: RunningInstallation): Pick<ConfigurationDraft, 'kernel' | 'serverDataDir'> => ({
  kernel: configuration,
  serverDataDir: configuration.serverDataDir,
})

const discoverer =
  (options: InstallationOptions, running: RunningInstallation | undefined): ConfigurationEditorOptions['discover'] =>
  async (changed, saved) => {
    // After a change that moves the data folder, files in the old one must not become code.
    const before = running === undefined ? [] : writableIn(placesOf(running))
    const discovered = await discoverFor(options, changed, [...writableIn(changed), ...writableIn(saved), ...before])
    return examinedManifests(discovered, {
      consent: running?.consent ?? consentIn(changed, saved),
      isOff: await switchedOffIn(saved),
    })
  }

/**
 * The operator has consented to the plugins that the file named, and did not disable, before the
 * change.
 */
const consentIn =
  ({ kernel: { plugins: changed } }: ConfigurationDraft, { kernel: { plugins: saved } }: ConfigurationDraft): RuleConsent =>
  ({ id, source }) =>
    (!changed.sources.includes(source) || saved.sources.includes(source)) && !saved.disabled.includes(id)
