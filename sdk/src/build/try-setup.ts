import { existsSync } from 'node:fs'
import path from 'node:path'
import { ServiceError } from '../core/errors.js'
import type { Plugin } from '../plugin/define-plugin.js'
import { createTestContext, serviceNotGivenError } from '../testing/create-test-context.js'
import { configurationInvalidError } from '../testing/plugin-test/index.js'
import { pluginBuildError } from './common/build-errors.js'
import { readJsonObject } from './common/plugin-package.js'

const setupLimitMs = 30_000

/** The result of a successful trial of `setup`. */
export type SetupTrial = { readonly outcome: 'ran' } | { readonly outcome: 'not_run'; readonly reason: string }

/**
 * Runs `setup` of a plugin in a stub host: checked against its manifest, its contributions checked,
 * with fakes of the kernel's services and default settings or those of `settingsFile`; then stops
 * it. It does not run if it needs something that a stub cannot provide: settings without a default,
 * or another plugin's service. @throws a `plugin_build_failed` error with what a deployment would
 * report.
 */
export async function trySetup(folder: string, plugin: Plugin, settingsFile?: string): Promise<SetupTrial> {
  const config = settingsFile === undefined ? undefined : await readJsonObject(path.resolve(settingsFile))
  try {
    const test = createTestContext(plugin, { config })
    await withinLimit(test.setup())
    await test.dispose()
    return { outcome: 'ran' }
  } catch (error) {
    if (serviceNotGivenError.isInstance(error))
      return { outcome: 'not_run', reason: `it uses “${String(error.details['service'])}”, which has no fake.` }
    if (configurationInvalidError.isInstance(error) && settingsFile === undefined) {
      const paths = error.problems.map(({ path: at }) => at).join(', ')
      return { outcome: 'not_run', reason: `it has settings without a default (${paths}). Pass them: --config settings.json` }
    }
    const reason = `setup fails: ${error instanceof Error ? error.message : String(error)}`
    throw pluginBuildError.create({ folder, reason }, { cause: error, problems: ServiceError.isInstance(error) ? error.problems : [] })
  }
}

async function withinLimit(setup: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not end within ${setupLimitMs / 1_000} seconds.`)), setupLimitMs)
  })
  try {
    await Promise.race([setup, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** Problems that may only appear elsewhere, each with a fix. */
export async function adviseOnPackage(folder: string): Promise<readonly string[]> {
  const file = path.join(folder, 'package.json')
  if (!existsSync(file)) return []
  const json = await readJsonObject(file)
  const has = (member: string, name: string): boolean => typeof json[member] === 'object' && json[member] !== null && name in json[member]
  const sdk = '@agent-service/sdk'
  return [
    ...(typeof json['name'] === 'string' ? [] : ['package.json has no “name”, so the plugin cannot be installed by name.']),
    ...(json['type'] === 'module' ? [] : ['package.json has no "type": "module"; Node reads its .js files as CommonJS.']),
    ...(has('dependencies', sdk)
      ? [`package.json lists ${sdk} in “dependencies”; move it to “peerDependencies”, so that there is one copy.`]
      : []),
    ...(has('dependencies', sdk) || has('peerDependencies', sdk) ? [] : [`package.json does not list ${sdk} in “peerDependencies”.`]),
  ]
}
