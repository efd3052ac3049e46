import path from 'node:path'
import { defineError } from '@agent-service/sdk'
import { type Environment, loadConfiguration } from '../config/index.js'

/** The demo's answers mean nothing; it must not be mistaken for the product. */
export const demoInProductionError = defineError<Record<string, never>>({
  code: 'configuration_demo_in_production',
  status: 500,
  title: 'No demo in production',
  message: () => 'The demo answers from a script, so it refuses to start with NODE_ENV=production. Leave out --demo, or unset NODE_ENV.',
})

/**
 * The environment of the demo: its own data folder, and one model group that a scripted provider answers. The operator's plugins are there too, with
 * their settings and switches. Nothing of it is written into a configuration file.
 * @throws `configuration_demo_in_production`, and what reading the configuration throws.
 */
export async function demoEnvironment(
  environment: Environment,
  options: { readonly workingDirectory: string; readonly provider: string; readonly installedResources: string },
): Promise<Environment> {
  if (environment['NODE_ENV'] === 'production') throw demoInProductionError.create({})
  const { workingDirectory, provider, installedResources } = options
  const { plugins } = (await loadConfiguration({ environment, workingDirectory, installedResources })).kernel
  const folder = path.join(workingDirectory, 'data', 'demo')
  const kept = Object.entries(environment).filter(([name]) => !/^SERVICE_(PROVIDERS|MODELS|PLUGINS|CONFIG$|DATABASE)/.test(name))
  return {
    ...Object.fromEntries(kept),
    SERVICE_SERVER_DATA_DIR: environment['SERVICE_SERVER_DATA_DIR'] ? path.join(environment['SERVICE_SERVER_DATA_DIR'], 'demo') : folder,
    SERVICE_PLUGINS_SOURCES: JSON.stringify([...new Set([...plugins.sources, provider])]),
    SERVICE_PLUGINS_DISABLED: JSON.stringify(plugins.disabled),
    SERVICE_PLUGINS_SETTINGS: JSON.stringify(plugins.settings),
    SERVICE_PROVIDERS: JSON.stringify({ demo: { provider: 'demo', adapter: 'adapter_scripted', base_url: 'http://demo.invalid' } }),
    SERVICE_MODELS: JSON.stringify({ primary: { provider: 'demo', model: 'scripted', api: 'scripted' } }),
  }
}
