import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const folder = fileURLToPath(new URL('../../bench/peers/', import.meta.url))
const installMs = 300_000

/**
 * Installs a peer by its lock file, unless it is there. False, and a line that says why, where that
 * cannot be done.
 */
export async function installPeer(name: string, print: (line: string) => void): Promise<boolean> {
  const place = path.join(folder, name)
  if (existsSync(path.join(place, 'node_modules', '.package-lock.json'))) return true
  print(`  installing the peer ${name}`)
  try {
    await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd: place, timeout: installMs })
    return true
  } catch (error) {
    print(`  the peer ${name} cannot be installed here, so it is left out: ${lastLineOf(error)}`)
    return false
  }
}

/** A file of a peer's folder. */
export const peerFile = (name: string, file: string): string => path.join(folder, name, file)

/** The module that calls a peer. */
export const peerModule = (name: string): string => pathToFileURL(peerFile(name, 'subject.mjs')).href

/** The Node that `node-22` installed. */
export const peerNode = (): string => peerFile('node-22', 'node_modules/node/bin/node')

function lastLineOf(error: unknown): string {
  const text = (error as { readonly stderr?: unknown }).stderr
  const lines = (typeof text === 'string' && text !== '' ? text : String(error)).split('\n').filter((line) => /error/i.test(line))
  return lines[0] ?? 'unknown'
}
