import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const sdk = import.meta.resolve('@agent-service/sdk')

/**
 * Writes built plugins that contribute nothing, as a third party would ship them. Gives their
 * folders.
 */
export async function writeTrivialPlugins(folder: string, count: number): Promise<readonly string[]> {
  const folders: string[] = []
  for (let index = 0; index < count; index += 1) {
    const id = `bench-trivial-${index}`
    const place = path.join(folder, id)
    await mkdir(path.join(place, 'dist'), { recursive: true })
    const manifest = { id, apiVersion: 1, description: 'Does nothing.' }
    await writeFile(
      path.join(place, 'package.json'),
      JSON.stringify({ name: id, version: '1.0.0', type: 'module', agentService: { plugin: './dist/plugin.json' } }),
    )
    await writeFile(path.join(place, 'dist', 'plugin.json'), JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js' }))
    await writeFile(
      path.join(place, 'dist', 'index.js'),
      `import { definePlugin } from ${JSON.stringify(fileURLToPath(sdk))}\nexport default definePlugin({ manifest: ${JSON.stringify(manifest)}, setup() {} })\n`,
    )
    folders.push(place)
  }
  return folders
}
