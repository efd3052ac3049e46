import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type Configuration,
  configurationFrom,
  type Examination,
  loadConfiguration,
  type SchemaNode,
} from '@agent-service/kernel-core/config'
import { discoverPlugins } from '@agent-service/kernel-core/plugins'
import { type JsonObject, type PluginManifest, type Problem, ServiceError } from '@agent-service/sdk'
import { findInstallation } from '../commands/installation.js'

/** One configuration as an operator would give it. */
export interface TestConfigurationInput {
  /** The file's text. Without it there is no file. */
  readonly yaml?: string | Uint8Array
  readonly environment?: Readonly<Record<string, string>>
  /** Manifests beside those of the built-in plugins; without `rules`. */
  readonly plugins?: readonly PluginManifest[]
  readonly systemZone?: string
}

/** What became of it. */
export interface TestConfiguration {
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
  /** Custom values that override a typed setting. */
  readonly overlaps: Examination['overlaps']
  /** Every value, defaults filled in; empty when the file could not be parsed. */
  readonly values: JsonObject
  /** The schema that all of it was held against; absent when the file could not be parsed. */
  readonly schema?: SchemaNode
  /** Absent while there are problems. */
  readonly configuration?: Configuration
}

/**
 * Reads configurations with the manifests, schemas and rules of the real built-in plugins, by the
 * code that every start uses.
 */
export interface TestConfigurations {
  /** The working directory of every {@link load}; the file is `data/config.yaml` in it. */
  readonly folder: string
  /** One after the other: each call replaces the file. */
  load(input?: TestConfigurationInput): Promise<TestConfiguration>
  /** Removes the folder. */
  remove(): Promise<void>
}

/** Discovers the built-in plugins once, in place of at each load. */
export async function openTestConfigurations(): Promise<TestConfigurations> {
  const { builtInFolder, installFolder, installedResources } = findInstallation()
  const discovered = await discoverPlugins({ builtInFolder, installFolder, sources: [] })
  const builtIn = discovered.flatMap((plugin) => {
    if (plugin.status === 'invalid') throw new Error(`The built-in plugin “${plugin.id}” is invalid: ${plugin.reason}`)
    return [{ manifest: plugin.manifest, folder: plugin.folder }]
  })
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-service-configuration-')))
  const file = path.join(folder, 'data', 'config.yaml')
  await mkdir(path.dirname(file))

  return {
    folder,
    remove: () => rm(folder, { recursive: true, force: true }),
    async load({ yaml, environment = {}, plugins = [], systemZone = 'UTC' } = {}) {
      if (yaml === undefined) await rm(file, { force: true })
      else {
        await writeFile(file, yaml)
        // A file that was written to a moment ago would be waited for.
        await utimes(file, 0, 0)
      }
      const added = plugins.map((manifest) => ({ manifest: { version: '1.0.0', ...manifest }, folder }))
      let examination: Examination
      try {
        const draft = await loadConfiguration({ environment, workingDirectory: folder, installedResources, systemZone })
        examination = await draft.examine([...builtIn, ...added])
      } catch (error) {
        if (ServiceError.isInstance(error) && error.code === 'configuration_invalid')
          return { problems: error.problems, warnings: [], overlaps: [], values: {} }
        throw error
      }
      const { problems, warnings, overlaps, schema, evaluation } = examination
      return {
        ...{ problems, warnings, overlaps, schema, values: evaluation.values },
        ...(problems.length > 0 ? {} : { configuration: await configurationFrom(examination, systemZone) }),
      }
    },
  }
}
