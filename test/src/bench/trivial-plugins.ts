import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const moduleOf = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier))
const sdk = moduleOf('@agent-service/sdk')
const toolPoint = moduleOf('@agent-service/sdk/contracts/tool')

const tool = {
  ...{ specVersion: 1, name: 'wave', title: 'Wave', description: 'Waves at the person.' },
  ...{ parameters: { type: 'object', properties: {}, additionalProperties: false }, supports: { probe: false } },
}

/** Writes plugins with one tool each, as a third party ships them once they are built. Gives their folders. */
export async function writeTrivialPlugins(folder: string, count: number): Promise<readonly string[]> {
  const folders: string[] = []
  for (let index = 0; index < count; index += 1) {
    const id = `bench-trivial-${index}`
    const place = path.join(folder, id)
    await mkdir(path.join(place, 'dist'), { recursive: true })
    const manifest = { id, apiVersion: 1, description: 'Waves.', contributes: ['tool'] }
    const recorded = { settings: {}, collections: [], contributions: [{ point: 'tool', data: tool, functions: ['execute'] }] }
    await writeFile(
      path.join(place, 'package.json'),
      JSON.stringify({ name: id, version: '1.0.0', type: 'module', agentService: { plugin: './dist/plugin.json' } }),
    )
    await writeFile(
      path.join(place, 'dist', 'plugin.json'),
      JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js', recorded }),
    )
    await writeFile(path.join(place, 'dist', 'index.js'), codeOf(manifest))
    folders.push(place)
  }
  return folders
}

const codeOf = (manifest: object): string => `
import { definePlugin } from ${JSON.stringify(sdk)}
import { tools } from ${JSON.stringify(toolPoint)}
export default definePlugin({
  manifest: ${JSON.stringify(manifest)},
  setup: (context) => context.contribute(tools, { ...${JSON.stringify(tool)}, execute: async () => ({ content: [] }) }),
})
`
