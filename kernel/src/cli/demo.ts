import path from 'node:path'
import { defineError } from '@agent-service/sdk'
import type { Environment } from '../config/index.js'

/** The demo talks to nobody and knows nothing; it must not be mistaken for the product. */
export const demoInProductionError = defineError<Record<string, never>>({
  code: 'configuration_demo_in_production',
  status: 500,
  title: 'No demo in production',
  message: () => 'The demo answers from a script, so it refuses to start with NODE_ENV=production. Leave out --demo, or unset NODE_ENV.',
})

/**
 * The environment of the demo: its own data folder, one model group that a scripted provider answers, and the plugins that
 * `SERVICE_PLUGINS_SOURCES` names. Nothing of it is written into a
 * configuration file. @throws `configuration_demo_in_production`.
 */
export function demoEnvironment(
  environment: Environment,
  options: { readonly workingDirectory: string; readonly provider: string },
): Environment {
  if (environment['NODE_ENV'] === 'production') throw demoInProductionError.create({})
  const folder = path.join(options.workingDirectory, 'data', 'demo')
  const kept = Object.entries(environment).filter(([name]) => !/^SERVICE_(PROVIDERS|MODELS|PLUGINS|CONFIG$|DATABASE)/.test(name))
  return {
    ...Object.fromEntries(kept),
    SERVICE_SERVER_DATA_DIR: environment['SERVICE_SERVER_DATA_DIR'] ? path.join(environment['SERVICE_SERVER_DATA_DIR'], 'demo') : folder,
    SERVICE_PLUGINS_SOURCES: JSON.stringify([options.provider, ...sourcesOf(environment)]),
    SERVICE_PROVIDERS: JSON.stringify({ demo: { provider: 'demo', adapter: 'adapter_scripted', base_url: 'http://demo.invalid' } }),
    SERVICE_MODELS: JSON.stringify({ primary: { provider: 'demo', model: 'scripted', api: 'scripted' } }),
  }
}

/** A JSON list, or paths with commas between them, as the configuration reads the variable. */
function sourcesOf(environment: Environment): readonly string[] {
  const text = environment['SERVICE_PLUGINS_SOURCES']?.trim() ?? ''
  if (text.startsWith('[')) return JSON.parse(text) as readonly string[]
  return text
    .split(',')
    .map((source) => source.trim())
    .filter((source) => source !== '')
}
