import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** A plugin that notes in files beside its own that they were imported. */
export interface RulesFolder {
  readonly folder: string
  /** Whether its rules have been imported, in any process. */
  ran(): boolean
  /** The same of the plugin itself. */
  loaded(): boolean
}

/** Writes the plugin, which wants `server.log_level` to be anything but `forbidden`. */
export async function writeRulesFolder(parent: string, id: string, forbidden = 'nothing'): Promise<RulesFolder> {
  const folder = path.join(parent, id)
  const manifest = { id, apiVersion: 1, description: 'Rules for a test.', rules: './rules.js' }
  await mkdir(folder, { recursive: true })
  const write = (name: string, content: string): Promise<void> => writeFile(path.join(folder, name), content)
  await write('package.json', JSON.stringify({ name: id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }))
  await write('plugin.json', JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js' }))
  await write(
    'index.js',
    `import { writeFileSync } from 'node:fs'
import { definePlugin } from ${JSON.stringify(import.meta.resolve('@agent-service/sdk'))}
writeFileSync(new URL('./loaded', import.meta.url), '')
export default definePlugin({ manifest: ${JSON.stringify(manifest)}, setup() {} })`,
  )
  await write(
    'rules.js',
    `import { writeFileSync } from 'node:fs'
writeFileSync(new URL('./ran', import.meta.url), '')
export const rules = [({ server }) => server.log_level === ${JSON.stringify(forbidden)}
  ? [{ path: 'server.log_level', message: 'is not what ${id} wants' }]
  : []]`,
  )
  const isThere = (name: string) => (): boolean => existsSync(path.join(folder, name))
  return { folder, ran: isThere('ran'), loaded: isThere('loaded') }
}
