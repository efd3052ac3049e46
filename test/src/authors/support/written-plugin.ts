import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runCommandLine } from '@agent-service/kernel/testing'
import type { PluginReport } from '@agent-service/kernel-core/plugins'
import { validatePlugin } from '@agent-service/sdk/author'

const resolve = (module: string): string => JSON.stringify(import.meta.resolve(module))

/** A third party's plugin as text. */
export interface PluginText {
  readonly manifest: Readonly<Record<string, unknown>> & { readonly id: string }
  /** The body of `setup(context)`; the points of contracts are in scope by their names. */
  readonly setup?: string
  /** The collections of the code. */
  readonly collections?: string
  /** The manifest of the code, if it is another than that of `plugin.json`. */
  readonly codeManifest?: object
  /** The whole module instead. */
  readonly code?: string
}

/** Writes a plugin as its build would, also one that the build would refuse. */
export async function writePlugin(
  folder: string,
  { manifest, setup = '', collections = '[]', codeManifest, code }: PluginText,
): Promise<string> {
  const whole = { apiVersion: 1, ...manifest }
  await mkdir(path.join(folder, 'dist'), { recursive: true })
  const files: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({
      ...{ name: path.basename(folder), version: '1.0.0', type: 'module', exports: './dist/index.js' },
      agentService: { plugin: './dist/plugin.json' },
    }),
    'dist/plugin.json': JSON.stringify({ ...whole, version: '1.0.0', entry: './index.js' }),
    'dist/index.js': code ?? moduleText(codeManifest ?? whole, setup, collections),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  return folder
}

const moduleText = (manifest: object, setup: string, collections: string): string => `
import { definePlugin, defineServiceReference, Type } from ${resolve('@agent-service/sdk')}
const point = (id, keyOf) => ({ id, cardinality: 'many', specVersions: [1], keyOf })
const byId = (id) => point(id, (value) => value.id)
const consolePanels = byId('console.panel'), schedulerJobs = byId('scheduler.job'), userData = byId('user.data'), doctorChecks = byId('doctor.check'), chatParts = byId('chat.part')
const tools = point('tool', (value) => value.name), cliCommands = point('cli.command', (value) => value.name)
const httpRoutes = point('http.route', (value) => value.method + ' ' + value.path), websocketRoutes = point('websocket.route', (value) => value.path)
const httpSites = point('http.site', (value) => value.host), httpErrorFormats = point('http.error-format', (value) => value.prefix)
const tool = (more) => ({
  specVersion: 1, name: 'roll', title: 'Roll', description: 'Rolls a number of dice.', parameters: Type.Object({}), supports: { probe: false },
  execute: async () => ({ content: [] }), ...more,
})
const route = (path, operationId, more) => ({
  specVersion: 1, method: 'GET', path, operationId, summary: 'Reads.', auth: 'user',
  answers: { 204: { description: 'Nothing.' } }, handle: async () => ({ status: 204, kind: 'empty' }), ...more,
})
const command = (name) => ({ specVersion: 1, name, summary: 'Rolls', run: async () => ({ status: 0 }) })
const job = (id) => ({ specVersion: 1, id, title: 'Sweep', everySeconds: 3600, run: async () => {} })
const data = (id, collections) => ({
  specVersion: 1, id, collections, async *export() {}, erase: async () => {}, size: async () => ({ records: 0, bytes: 0 }),
})
export default definePlugin({
  manifest: ${JSON.stringify(manifest)},
  collections: ${collections},
  setup(context) { ${setup} },
})
`

/** The lines of `agent-service-plugin validate`. */
export const linesOfAuthors = async (folder: string): Promise<readonly string[]> => (await validatePlugin(folder)).problems

/** The lines of `agent-service plugins validate`. */
export async function linesOfOperators(folder: string, workingDirectory: string): Promise<readonly string[]> {
  const environment = { SERVICE_SERVER_DATA_DIR: path.join(workingDirectory, 'data') }
  const { output } = await runCommandLine(['plugins', 'validate', folder, '--json'], { workingDirectory, environment })
  return (JSON.parse(output) as { readonly problems: readonly string[] }).problems
}

/** What the start report says about the plugin in a folder. */
export function reportOf(reports: readonly PluginReport[], folder: string): PluginReport {
  const report = reports.find(({ source }) => source === folder)
  if (report === undefined) throw new Error(`The start report has no plugin from ${folder}.`)
  return report
}
