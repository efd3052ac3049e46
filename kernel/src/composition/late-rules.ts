import { examineConfiguration } from '../config/index.js'
import { examinedManifests, pluginConfigurationInvalidError, type ValidPlugin } from '../plugins/index.js'
import type { Prepared } from './prepare.js'

/**
 * Holds the configuration against the rules of a plugin that was switched off at the start, when it is about to be switched on.
 * @throws `plugin_configuration_invalid` with every problem.
 */
export const createLateRules =
  ({ configuration, examination, discovered, ruled }: Prepared) =>
  async (plugin: ValidPlugin): Promise<void> => {
    if (plugin.builtIn || plugin.manifest.rules === undefined || ruled.consent(plugin)) return
    const { file, environment, bases } = examination
    const plugins = examinedManifests(discovered, { consent: (other) => other === plugin || ruled.consent(other) })
    const { problems } = await examineConfiguration({ file, environment, bases, plugins, disabled: configuration.plugins.disabled })
    if (problems.length > 0) throw pluginConfigurationInvalidError.create({ id: plugin.id }, { problems })
    ruled.add(plugin)
  }
