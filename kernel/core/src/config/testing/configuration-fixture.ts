import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PluginManifest, type Problem, ServiceError, Type } from '@agent-service/sdk'
import type { Configuration, DiscoveredManifest } from '../effective/configuration.js'
import { loadConfiguration } from '../load-configuration.js'
import { configurationInvalidError } from '../schema/problem.js'

const folders: string[] = []

after(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** An empty folder that is removed when the tests have run. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'configuration-')))
  folders.push(folder)
  return folder
}

/** A discovered plugin as the plugin host passes it. */
export const plugin = (manifest: Omit<PluginManifest, 'apiVersion'>, folder = '/nowhere'): DiscoveredManifest => ({
  folder,
  manifest: { apiVersion: 1, version: '1.0.0', ...(JSON.parse(JSON.stringify(manifest)) as Omit<PluginManifest, 'apiVersion'>) },
})

/**
 * Plugins with a map of connections and of model groups, two protocols that extend the groups, and
 * one with settings.
 */
export const modelPlugins: readonly DiscoveredManifest[] = [
  plugin({
    id: 'feature-models',
    sections: {
      providers: Type.Record(
        Type.String({ pattern: '^[a-z][a-z0-9_-]{1,31}$' }),
        Type.Object({
          base_url: Type.Optional(Type.String({ format: 'http-url' })),
          api_key: Type.Optional(Type.String({ 'x-secret': true, 'x-expand': 'at-use' })),
          enabled: Type.Boolean({ default: true }),
        }),
        { default: {}, 'x-known-keys': ['github-copilot', 'groq'] },
      ),
      models: Type.Record(
        Type.String({ pattern: '^[a-z][a-z0-9_-]*$' }),
        Type.Object(
          {
            provider: Type.String(),
            temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
            api: Type.Optional(Type.String()),
            extra_params: Type.Record(Type.String(), Type.Unknown(), { default: {}, 'x-expand': 'never' }),
            fallbacks: Type.Array(
              Type.Object(
                { provider: Type.String(), api: Type.Optional(Type.String()) },
                { 'x-extension-place': 'settings', 'x-variant-member': 'api', 'x-variant-aliases': { chat_completions: 'completions' } },
              ),
              { default: [], 'x-no-effect': 'fallbacks come later' },
            ),
            retry: Type.Object({
              max_retries: Type.Integer({ default: 10, minimum: 0 }),
              backoff_multiplier: Type.Number({ default: 2, minimum: 1 }),
            }),
          },
          { 'x-extension-place': 'settings', 'x-variant-member': 'api', 'x-variant-aliases': { chat_completions: 'completions' } },
        ),
        { default: {} },
      ),
    },
  }),
  plugin({
    id: 'provider-one',
    extends: [
      {
        section: 'models',
        place: 'settings',
        variant: 'completions',
        schema: Type.Object({ seed: Type.Optional(Type.Integer()), stop: Type.Optional(Type.Array(Type.String())) }),
      },
      {
        section: 'models',
        place: 'settings',
        variant: 'messages',
        schema: Type.Object({ top_k: Type.Optional(Type.Integer({ minimum: 1 })) }),
      },
    ],
  }),
  plugin({
    id: 'tool-dice',
    config: Type.Object({ sides: Type.Integer({ default: 6, minimum: 2 }), label: Type.Optional(Type.String()) }),
  }),
]

/** The configuration that a test loads. */
export interface Loading {
  readonly yaml?: string | Uint8Array
  readonly environment?: Readonly<Record<string, string>>
  readonly plugins?: readonly DiscoveredManifest[]
  readonly workingDirectory?: string
  readonly installedResources?: string
}

/** Writes a file with an old modification time, since reading waits for a recently changed one. */
export async function writeSettled(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(path, content)
  await utimes(path, 0, 0)
}

/** Loads and completes a configuration from a file in a folder of its own. */
export async function load(loading: Loading = {}): Promise<Configuration & { readonly folder: string }> {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'data'))
  if (loading.yaml !== undefined) await writeSettled(join(folder, 'data', 'config.yaml'), loading.yaml)
  const draft = await loadConfiguration({
    environment: loading.environment ?? {},
    workingDirectory: loading.workingDirectory ?? folder,
    installedResources: loading.installedResources ?? join(folder, 'resources'),
    systemZone: 'Europe/Berlin',
  })
  return { ...(await draft.complete(loading.plugins ?? modelPlugins)), folder }
}

/** The problems of a configuration that must be refused, as `path: message` lines. */
export async function refusalOf(loading: Loading): Promise<readonly string[]> {
  return (await problemsOf(() => load(loading))).map(({ path, message }) => `${path}: ${message}`)
}

export async function problemsOf(attempt: () => Promise<unknown>): Promise<readonly Problem[]> {
  try {
    await attempt()
  } catch (error) {
    if (configurationInvalidError.isInstance(error) && ServiceError.isInstance(error)) return error.problems
    throw error
  }
  throw new Error('The configuration was accepted.')
}
