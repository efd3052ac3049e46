import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Configuration,
  type ConfigurationOrigin,
  type DiscoveredManifest,
  draftConfiguration,
  loadConfiguration,
} from '@agent-service/kernel-core/config'
import { modelPlugins, temporaryFolder, writeSettled } from '@agent-service/kernel-core/config/testing'
import type { DurableFileSystem } from '@agent-service/kernel-core/disk'
import { type JsonObject, type Problem, ServiceError } from '@agent-service/sdk'
import type { ConfigurationEditor, ConfigurationEditorOptions, ConfigurationPatch, SaveResult } from './configuration-editor.js'
import { createConfigurationEditor } from './create-configuration-editor.js'

/** What a file is edited in. */
export interface Desk {
  readonly folder: string
  /** `data/config.yaml` in it. */
  readonly path: string
  readonly editor: ConfigurationEditor
  readonly origin: ConfigurationOrigin
  /** Saves against the revision of now. */
  save(patch: ConfigurationPatch): Promise<SaveResult>
  /** The text of the file. */
  text(): Promise<string>
  /** What a start makes of it. */
  load(): Promise<Configuration>
}

/** An editor of a file with this text, or of none, in a folder of its own. */
export async function openDesk(
  options: {
    readonly yaml?: string
    readonly environment?: Readonly<Record<string, string>>
    readonly plugins?: readonly DiscoveredManifest[]
    readonly fileSystem?: DurableFileSystem
    readonly lockTimeoutMs?: number
    readonly newReferences?: ConfigurationEditorOptions['newReferences']
  } = {},
): Promise<Desk> {
  const folder = await temporaryFolder()
  const path = join(folder, 'data', 'config.yaml')
  await mkdir(join(folder, 'data'))
  if (options.yaml !== undefined) await writeSettled(path, options.yaml)
  const plugins = options.plugins ?? modelPlugins
  const origin: ConfigurationOrigin = {
    environment: options.environment ?? {},
    workingDirectory: folder,
    installedResources: join(folder, 'resources'),
    systemZone: 'Europe/Berlin',
  }
  const editor = createConfigurationEditor(
    {
      origin,
      discover: async () => plugins,
      ...(options.lockTimeoutMs === undefined ? {} : { lockTimeoutMs: options.lockTimeoutMs }),
      ...(options.newReferences === undefined ? {} : { newReferences: options.newReferences }),
    },
    options.fileSystem ? { fileSystem: options.fileSystem } : {},
  )
  return {
    ...{ folder, path, editor, origin },
    save: async (patch) => editor.save(patch, (await editor.read()).revision),
    text: () => readFile(path, 'utf8'),
    load: async () => (await loadConfiguration(origin)).complete(plugins),
  }
}

/** The file's text after a save. */
export async function saved(yaml: string | undefined, patch: ConfigurationPatch, plugins?: readonly DiscoveredManifest[]): Promise<string> {
  const desk = await openDesk({ ...(yaml === undefined ? {} : { yaml }), ...(plugins ? { plugins } : {}) })
  await desk.save(patch)
  return desk.text()
}

/** The effective values of a file with these values. */
export async function effective(desk: Desk, value: JsonObject, plugins = modelPlugins): Promise<JsonObject> {
  const file = { path: desk.path, exists: true, revision: null, value, positionOf: () => undefined }
  return (await draftConfiguration(file, desk.origin).examine(plugins)).evaluation.values
}

/** The error that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<ServiceError> {
  try {
    await promise
  } catch (error) {
    if (ServiceError.isInstance(error)) return error
    throw error
  }
  throw new Error('It was done.')
}

/** `path: message` of each problem that a save is refused with. */
export async function refusal(promise: Promise<unknown>): Promise<readonly string[]> {
  const error = await failureOf(promise)
  if (error.code !== 'configuration_patch_invalid') throw error
  return error.problems.map(({ path, message }: Problem) => `${path}: ${message}`)
}
