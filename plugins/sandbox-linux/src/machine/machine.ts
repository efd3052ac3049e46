import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Architecture } from '../confinement/system-calls.js'
import { findSystemPaths, type SystemPaths } from '../confinement/system-paths.js'
import { type ControlGroups, openControlGroups } from './control-groups.js'

const execute = promisify(execFile)
const probeLimitMs = 10_000

/** What this machine has for confinement, found out by trying. */
export interface Machine {
  /** The helper, or why it does not run. */
  readonly helper: { readonly path: string } | { readonly missing: string }
  /** bubblewrap, or why it does not work. */
  readonly bubblewrap: { readonly path: string } | { readonly missing: string }
  /** The generation of Landlock; 0: none. */
  readonly landlock: number
  /** Whether a namespace with a loopback of its own can be made. */
  readonly networks: boolean
  readonly filters: Architecture | undefined
  readonly groups: ControlGroups | undefined
  readonly system: SystemPaths
  readonly isRoot: boolean
}

const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin']

/** Tries everything once. Never throws. */
export async function examineMachine(helper: string): Promise<Machine> {
  const probed = await probe(helper)
  const architecture = process.arch === 'x64' || process.arch === 'arm64' ? process.arch : undefined
  return {
    helper: 'reason' in probed ? { missing: probed.reason } : { path: helper },
    bubblewrap: await findBubblewrap(),
    landlock: 'reason' in probed ? 0 : probed.landlock,
    networks: !('reason' in probed) && probed.networks,
    filters: !('reason' in probed) && probed.filters ? architecture : undefined,
    groups: await openControlGroups(),
    system: findSystemPaths(),
    isRoot: process.getuid?.() === 0,
  }
}

type Probe = { readonly landlock: number; readonly networks: boolean; readonly filters: boolean } | { readonly reason: string }

async function probe(helper: string): Promise<Probe> {
  try {
    const { stdout } = await execute(helper, ['probe'], { timeout: probeLimitMs, env: {} })
    return JSON.parse(stdout) as Probe
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

async function findBubblewrap(): Promise<Machine['bubblewrap']> {
  for (const folder of folders) {
    const path = `${folder}/bwrap`
    try {
      await access(path, constants.X_OK)
    } catch {
      continue
    }
    try {
      const given = [
        '--ro-bind',
        '/',
        '/',
        '--proc',
        '/proc',
        '--dev',
        '/dev',
        '--unshare-all',
        '--unshare-user',
        '--disable-userns',
        '--cap-drop',
        'ALL',
      ]
      await execute(path, [...given, '--', '/bin/true'], { timeout: probeLimitMs, env: {} })
      return { path }
    } catch (error) {
      return { missing: `${path} does not work here: ${(error as Error).message.split('\n').slice(1).join(' ').trim() || 'it failed'}` }
    }
  }
  return { missing: 'bubblewrap is not installed (the package “bubblewrap”)' }
}
