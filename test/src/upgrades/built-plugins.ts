import { execFile } from 'node:child_process'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The plugins of `examples/`, built against the SDK of earlier releases, which is in them: one
 * archive for each release. Nothing in them is ever changed.
 */
export const builtPlugins = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../fixtures/built-plugins')

/** Unpacks an archive into a folder of its own; the caller deletes it. */
export async function unpackBuiltPlugins(archive: string): Promise<{ readonly folder: string; readonly plugins: readonly string[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-built-plugins-'))
  await run('tar', ['--extract', '--gzip', '--file', path.join(builtPlugins, archive), '--directory', folder])
  return { folder, plugins: (await readdir(folder)).sort().map((name) => path.join(folder, name)) }
}
