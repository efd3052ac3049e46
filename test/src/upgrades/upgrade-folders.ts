import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FolderContents } from './folder-contents.js'

/**
 * Data folders of earlier releases, one folder each: `data.tar.gz` as a kill left it, and
 * `contents.json`. Nothing in them is ever changed.
 */
export const upgradeFolders = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../fixtures/upgrades')

/** What every process that opens such a folder is given. */
export const upgradeEnvironment = (upstreamUrl: string): Readonly<Record<string, string>> => ({
  UPSTREAM_URL: upstreamUrl,
  UPSTREAM_KEY: 'upstream-key-0123456789',
  SERVICE_SERVER_BASE_URL: 'http://localhost:9',
})

/** The configuration of such a folder: its one model is wherever `UPSTREAM_URL` says. */
export async function writeUpgradeConfiguration(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'data'), { recursive: true })
  await writeFile(
    path.join(folder, 'data', 'config.yaml'),
    [
      'providers:',
      '  upstream:',
      '    provider: scripted-upstream',
      '    adapter: adapter_alpha',
      '    base_url: ${UPSTREAM_URL}',
      '    api_key: ${UPSTREAM_KEY}',
      'models:',
      '  primary:',
      '    provider: upstream',
      '    model: scripted-model',
      '    api: completions',
      '    retry:',
      '      max_retries: 0',
      '',
    ].join('\n'),
  )
}

/** Unpacks a folder into a temporary one, which the caller removes. */
export async function unpackUpgradeFolder(release: string): Promise<{ readonly folder: string; readonly contents: FolderContents }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-upgrade-'))
  const source = path.join(upgradeFolders, release)
  await promisify(execFile)('tar', ['--extract', '--gzip', '--file', path.join(source, 'data.tar.gz'), '--directory', folder])
  return { folder, contents: JSON.parse(await readFile(path.join(source, 'contents.json'), 'utf8')) as FolderContents }
}
