import { configurationPlace } from '../config/configuration-place.js'
import type { ConfigurationEditor } from '../config/save/index.js'
import { discoverPlugins, examinedManifests } from '../plugins/index.js'
import { installationFolder } from '../plugins/installed/index.js'
import type { InstallationOptions } from './examine-installation.js'

/** The editor of an installation's configuration file. Its code is loaded when it is first used, so that the start stays quick. */
export function createInstallationEditor(options: InstallationOptions): ConfigurationEditor {
  let opened: Promise<ConfigurationEditor> | undefined
  const editor = (): Promise<ConfigurationEditor> => {
    opened ??= openEditor(options)
    return opened
  }
  return {
    read: async () => (await editor()).read(),
    save: async (patch, revision, options) => (await editor()).save(patch, revision, options),
    check: async (patch) => (await editor()).check(patch),
  }
}

async function openEditor(options: InstallationOptions): Promise<ConfigurationEditor> {
  const { environment, workingDirectory, installedResources, builtInFolder, installFolder, systemZone } = options
  const { serverDataDir } = configurationPlace(environment, workingDirectory)
  const installedFolder = installationFolder(environment, { workingDirectory, serverDataDir })
  const { createConfigurationEditor } = await import('../config/save/index.js')
  return createConfigurationEditor({
    origin: { environment, workingDirectory, installedResources, ...(systemZone === undefined ? {} : { systemZone }) },
    discover: async (sources) => examinedManifests(await discoverPlugins({ builtInFolder, installFolder, sources, installedFolder })),
  })
}
