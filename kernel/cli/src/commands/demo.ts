import path from 'node:path'
import { type Environment, loadConfiguration } from '@agent-service/kernel-core/config'
import { defineError } from '@agent-service/sdk'
import { readStartTexts } from './start-texts.js'

/** The demo's answers are meaningless; it must not be mistaken for the product. */
export const demoInProductionError = defineError<Record<string, never>>({
  code: 'configuration_demo_in_production',
  status: 500,
  title: 'No demo in production',
  message: () => 'The demo answers from a script, so it refuses to start with NODE_ENV=production. Leave out --demo, or unset NODE_ENV.',
})

/**
 * The environment of the demo: a separate data folder, and the settings in `start.json` of the
 * resources instead of the operator's. The operator's plugins are included, with their settings and
 * switches. No configuration file is written.
 * @throws `configuration_demo_in_production`, and what reading the configuration throws.
 */
export async function demoEnvironment(
  environment: Environment,
  options: { readonly workingDirectory: string; readonly provider: string; readonly installedResources: string },
): Promise<Environment> {
  if (environment['NODE_ENV'] === 'production') throw demoInProductionError.create({})
  const { workingDirectory, provider, installedResources } = options
  const { demo } = await readStartTexts(installedResources)
  const { plugins } = (await loadConfiguration({ environment, workingDirectory, installedResources })).kernel
  const folder = path.join(workingDirectory, 'data', 'demo')
  const replaced = ['SERVICE_PLUGINS', 'SERVICE_DATABASE', ...Object.keys(demo)]
  const isKept = (name: string): boolean => name !== 'SERVICE_CONFIG' && !replaced.some((prefix) => name.startsWith(prefix))
  return {
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => isKept(name))),
    SERVICE_SERVER_DATA_DIR: environment['SERVICE_SERVER_DATA_DIR'] ? path.join(environment['SERVICE_SERVER_DATA_DIR'], 'demo') : folder,
    SERVICE_PLUGINS_SOURCES: JSON.stringify([...new Set([...plugins.sources, provider])]),
    SERVICE_PLUGINS_DISABLED: JSON.stringify(plugins.disabled),
    SERVICE_PLUGINS_SETTINGS: JSON.stringify(plugins.settings),
    ...Object.fromEntries(Object.entries(demo).map(([name, value]) => [name, JSON.stringify(value)])),
  }
}
