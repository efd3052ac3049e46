import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { importFile } from '@agent-service/kernel-core/modules'
import { discoverPlugins } from '@agent-service/kernel-core/plugins'
import { contractPoints, foreignCollections, unknownPointReason } from '@agent-service/kernel-core/plugins/contributions'
import { type Plugin, ServiceError } from '@agent-service/sdk'
import type { SetupTrial } from '@agent-service/sdk/author'
import { compareManifests, isPlugin } from '@agent-service/sdk/host'
import type { Invocation } from '../invocation.js'

/** Whether this service would load the plugin in a folder. */
export interface FolderVerdict {
  readonly id: string
  readonly version: string
  /** Why it would not be loaded. Empty if it would. */
  readonly problems: readonly string[]
  /**
   * Whether `setup` ran with stand-in services, or why not; absent if it failed or a problem came
   * first.
   */
  readonly setup?: SetupTrial
}

/** Where a folder is validated. */
export interface FolderPlace extends Pick<Invocation, 'workingDirectory' | 'installation'> {
  /** Settings for `setup`; absent: those of the manifest. */
  readonly settingsFile?: string | undefined
}

/**
 * Reads a plugin as the service would do beside its built-in ones, imports its code, runs `setup`
 * with stand-in services and checks its contributions.
 */
export async function validateFolder(
  folder: string,
  { workingDirectory, installation, settingsFile }: FolderPlace,
): Promise<FolderVerdict> {
  const wanted = path.resolve(workingDirectory, folder)
  const root = await realpath(wanted).catch(() => wanted)
  const { builtInFolder, installFolder } = installation
  const discovered = await discoverPlugins({ builtInFolder, installFolder, sources: [root] })
  const plugin = discovered.find((candidate) => candidate.root === root) ?? discovered.find((candidate) => candidate.source === root)
  if (plugin?.status !== 'valid') {
    const { id, version, reason } = plugin ?? { id: path.basename(root), version: 'unknown', reason: 'it is not a plugin' }
    return { id, version, problems: [reason] }
  }
  const { id, version, manifest, entryPath } = plugin
  const unknown = (manifest.contributes ?? []).filter((point) => !contractPoints.has(point))
  const problems = unknown.map((point) => unknownPointReason(point, contractPoints))
  if (entryPath === undefined) return { id, version, problems }
  try {
    const code = ((await importFile(entryPath)) as { readonly default?: unknown }).default
    if (!isPlugin(code)) return { id, version, problems: [...problems, `${entryPath} has no plugin as its default export`] }
    const differing = compareManifests(code.manifest, manifest)
    problems.push(
      ...(differing.length === 0 ? [] : [`the code and plugin.json differ in ${differing.join(', ')}; run its build again`]),
      ...foreignCollections(plugin, code.collections).map(
        (name) => `the collection ${name} has a name that does not begin with the id of the plugin`,
      ),
    )
    if (problems.length > 0) return { id, version, problems }
    const settings = settingsFile === undefined ? undefined : path.resolve(workingDirectory, settingsFile)
    return { id, version, ...(await runSetup(root, code, settings)) }
  } catch (error) {
    return { id, version, problems: [...problems, `importing ${entryPath} failed: ${messageOf(error)}`] }
  }
}

async function runSetup(root: string, code: Plugin, settings: string | undefined): Promise<Pick<FolderVerdict, 'problems' | 'setup'>> {
  const { trySetup } = await import('@agent-service/sdk/author')
  try {
    return { problems: [], setup: await trySetup(root, code, settings) }
  } catch (error) {
    const message = messageOf(error)
    const more = ServiceError.isInstance(error) ? error.problems.filter((problem) => !message.includes(problem.message)) : []
    return { problems: [message, ...more.map((problem) => `${problem.path}: ${problem.message}`)] }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
