import { existsSync } from 'node:fs'
import path from 'node:path'
import { restoreIntrinsics } from '../admission/intrinsics.js'
import { contractPoints } from '../admission/known-points.js'
import { checkSetup } from '../admission/setup-lines.js'
import { messageOf } from '../core/message-of.js'
import type { Plugin } from '../plugin/define-plugin.js'
import { serviceNotGivenError } from '../testing/create-test-context.js'
import { configurationInvalidError } from '../testing/plugin-test/index.js'
import { createPluginTrial, type PluginTrial } from '../testing/plugin-trial.js'
import { withinSetupLimit } from '../testing/within-setup-limit.js'
import { readJsonObject } from './common/plugin-package.js'

/** How a trial of `setup` went. */
export type SetupTrial = { readonly outcome: 'ran' } | { readonly outcome: 'not_run'; readonly reason: string }

/** A trial of `setup`, or what a deployment would report, one line for each fault. */
export type SetupFindings = { readonly setup: SetupTrial; readonly problems: readonly [] } | { readonly problems: readonly string[] }

/**
 * Runs `setup` of a third party's plugin in a stub host: checked against its manifest, its
 * contributions and their names checked as the host does, with fakes of the kernel's services and
 * default settings or those of `settingsFile`; then stops it. It does not run if it needs something
 * that a stub cannot provide: settings without a default, or another plugin's service.
 */
export async function trySetup(plugin: Plugin, settingsFile?: string): Promise<SetupFindings> {
  const notRun = (reason: string): SetupFindings => ({ setup: { outcome: 'not_run', reason }, problems: [] })
  let trial: PluginTrial
  try {
    const config = settingsFile === undefined ? undefined : await readJsonObject(path.resolve(settingsFile))
    trial = createPluginTrial(plugin, { config })
  } catch (error) {
    if (!configurationInvalidError.isInstance(error) || settingsFile !== undefined) return { problems: [messageOf(error)] }
    const paths = error.problems.map(({ path: at }) => at).join(', ')
    return notRun(`it has settings without a default (${paths}). Pass them: --config settings.json`)
  }
  const changes: string[] = []
  try {
    const ending = trial.setup()
    changes.push(...restoreIntrinsics())
    await withinSetupLimit(ending).finally(() => changes.push(...restoreIntrinsics()))
  } catch (error) {
    if (changes.length > 0) return { problems: changes }
    if (serviceNotGivenError.isInstance(error)) return notRun(`it uses “${String(error.details['service'])}”, which has no fake.`)
    return { problems: [`setup failed: ${messageOf(error)}`] }
  }
  const { lines } = checkSetup(trial.record, {
    ...{ manifest: plugin.manifest, collections: plugin.collections, knownPoints: contractPoints },
    plugin: { id: plugin.manifest.id, builtIn: false, manifest: plugin.manifest },
  })
  const problems = [...changes, ...trial.violations.map(({ message }) => message), ...lines]
  try {
    await trial.dispose()
  } catch (error) {
    const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error]
    problems.push(...errors.map((each) => `stopping it failed: ${messageOf(each)}`))
  }
  return problems.length > 0 ? { problems } : { setup: { outcome: 'ran' }, problems: [] }
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
