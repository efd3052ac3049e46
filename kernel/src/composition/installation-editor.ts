import { type ConfigurationDraft, encryptionVariables, writableFolders } from '../config/index.js'
import type { ConfigurationEditor, ConfigurationEditorOptions } from '../config/save/index.js'
import { examinedManifests, type RuleConsent } from '../plugins/index.js'
import { discoverFor, type InstallationOptions, switchedOffIn, writableIn } from './examine-installation.js'
import type { Prepared } from './prepare.js'

/** The service whose configuration is changed while it runs, by people who are not its operator. */
export type RunningInstallation = Pick<Prepared, 'configuration' | 'examination' | 'ruled'>

/**
 * The editor of an installation's configuration file. Its code is loaded when it is first used, so that the start stays quick. It imports no code of a
 * plugin that only the change brings in; with `running`, none that the running service has not run.
 */
export function createInstallationEditor(options: InstallationOptions, running?: RunningInstallation): ConfigurationEditor {
  let opened: Promise<ConfigurationEditor> | undefined
  const editor = (): Promise<ConfigurationEditor> => {
    opened ??= openEditor(options, running)
    return opened
  }
  return {
    read: async () => (await editor()).read(),
    save: async (patch, revision, options) => (await editor()).save(patch, revision, options),
    check: async (patch) => (await editor()).check(patch),
  }
}

async function openEditor(options: InstallationOptions, running: RunningInstallation | undefined): Promise<ConfigurationEditor> {
  const { environment, workingDirectory, installedResources, systemZone } = options
  const { createConfigurationEditor } = await import('../config/save/index.js')
  return createConfigurationEditor({
    origin: { environment, workingDirectory, installedResources, ...(systemZone === undefined ? {} : { systemZone }) },
    discover: discoverer(options, running),
    ...(running === undefined
      ? {}
      : {
          newReferences: { isReserved: encryptionVariables(running.examination.file.value) },
          running: { kernel: running.configuration, serverDataDir: running.configuration.serverDataDir },
        }),
  })
}

const discoverer =
  (options: InstallationOptions, running: RunningInstallation | undefined): ConfigurationEditorOptions['discover'] =>
  async (changed, saved) => {
    // A change that moves the data folder does not make code of what lies in the old one.
    const before = running === undefined ? [] : foldersOf(running)
    const discovered = await discoverFor(options, changed, [...writableIn(changed), ...writableIn(saved), ...before])
    return examinedManifests(discovered, {
      consent: running?.ruled.consent ?? consentIn(changed, saved),
      isOff: await switchedOffIn(saved),
    })
  }

const foldersOf = ({ configuration }: RunningInstallation): readonly string[] =>
  writableFolders(configuration, configuration.serverDataDir).map(({ folder }) => folder)

/** The operator has consented to what the file names, and does not disable, before the change. */
const consentIn =
  ({ kernel: { plugins: changed } }: ConfigurationDraft, { kernel: { plugins: saved } }: ConfigurationDraft): RuleConsent =>
  ({ id, source }) =>
    (!changed.sources.includes(source) || saved.sources.includes(source)) && !saved.disabled.includes(id)
