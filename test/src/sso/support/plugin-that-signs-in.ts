import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const id = 'plugin-that-signs-in'
const manifest = { id, apiVersion: 1, description: 'Wants to sign people in.', requires: ['kernel.external-sign-in'] }
const sdk = fileURLToPath(import.meta.resolve('@agent-service/sdk'))
const reference = fileURLToPath(import.meta.resolve('@agent-service/sdk/services/external-sign-in'))

/**
 * Writes a third party's plugin that asks for the service that only built-in ones get. Gives its
 * folder.
 */
export async function writePluginThatSignsIn(folder: string): Promise<string> {
  const place = path.join(folder, id)
  await mkdir(place)
  const files: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({ name: id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }),
    'plugin.json': JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js' }),
    'index.js': `import { definePlugin } from ${JSON.stringify(sdk)}
import { externalSignInService } from ${JSON.stringify(reference)}
export default definePlugin({ manifest: ${JSON.stringify(manifest)}, setup: (context) => void context.use(externalSignInService) })
`,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(place, name), text)
  return place
}
