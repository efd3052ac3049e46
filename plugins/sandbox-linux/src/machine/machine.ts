import { execFile } from 'node:child_process'
import { access, constants, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Architecture } from '../confinement/system-calls.js'
import { findSystemPaths, type SystemPaths } from '../confinement/system-paths.js'
import { type ControlGroups, openControlGroups } from '../groups/control-groups.js'
import type { CompiledHelper } from '../helper/compile-helper.js'
import { rangeOf, type SandboxUser } from './sandbox-users.js'

const execute = promisify(execFile)
const probeLimitMs = 10_000

/** What this machine has for confinement, found out by trying. */
export interface Machine {
  /** The helper, or why it does not run. */
  readonly helper: CompiledHelper
  /** bubblewrap, or why it does not work. */
  readonly bubblewrap: { readonly path: string } | { readonly missing: string }
  /** The generation of Landlock; 0: none. */
  readonly landlock: number
  /** Whether a namespace with a loopback of its own can be made. */
  readonly networks: boolean
  /** Whether the service may hide folders from a process: what is in a closed folder can be shown then. */
  readonly mounts: boolean
  readonly filters: Architecture | undefined
  readonly groups: ControlGroups | undefined
  readonly system: SystemPaths
  readonly isRoot: boolean
  /** Whether a service of root may run processes as other users. True for any other service. */
  readonly users: boolean
}

const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin']

/** Tries everything once. Never throws. `identity` names the driver's control groups. */
export async function examineMachine(found: CompiledHelper, identity: string): Promise<Machine> {
  const isRoot = process.getuid?.() === 0
  // As the users of principals: what root may do says nothing about them.
  const range = isRoot ? rangeOf(await readFile('/proc/self/uid_map', 'utf8').catch(() => '')) : undefined
  const user = range && { uid: range.first, gid: range.first }
  const probed = await probe(found, user)
  const architecture = process.arch === 'x64' || process.arch === 'arm64' ? process.arch : undefined
  const works = 'path' in probed ? probed : undefined
  const users = !isRoot || (user !== undefined && works?.users === true)
  return {
    helper: works === undefined ? { missing: 'missing' in probed ? probed.missing : '' } : { path: works.path },
    bubblewrap: await findBubblewrap(works?.path, users ? user : undefined),
    landlock: works?.landlock ?? 0,
    networks: works?.networks ?? false,
    mounts: works?.mounts ?? false,
    filters: works?.filters === true ? architecture : undefined,
    groups: await openControlGroups(identity),
    system: findSystemPaths(),
    ...{ isRoot, users },
  }
}

interface Probe {
  readonly path: string
  readonly landlock: number
  readonly users: boolean
  readonly networks: boolean
  readonly mounts: boolean
  readonly filters: boolean
}

const idsOf = (user: SandboxUser | undefined): readonly string[] => (user === undefined ? [] : [String(user.uid), String(user.gid)])

async function probe(found: CompiledHelper, user: SandboxUser | undefined): Promise<Probe | { readonly missing: string }> {
  if (process.platform !== 'linux') return { missing: 'this driver is for Linux' }
  if ('missing' in found) return found
  try {
    const { stdout } = await execute(found.path, ['probe', ...idsOf(user)], { timeout: probeLimitMs, env: {} })
    return { ...(JSON.parse(stdout) as Omit<Probe, 'path'>), path: found.path }
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) }
  }
}

const trial = [
  ...['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--unshare-all', '--unshare-user'],
  ...['--disable-userns', '--cap-drop', 'ALL', '--', '/bin/true'],
]

/** Tries it as the users of principals will use it. */
async function findBubblewrap(helper: string | undefined, user: SandboxUser | undefined): Promise<Machine['bubblewrap']> {
  for (const folder of folders) {
    const path = `${folder}/bwrap`
    try {
      await access(path, constants.X_OK)
    } catch {
      continue
    }
    const [program, ...given] =
      helper === undefined || user === undefined ? [path, ...trial] : [helper, 'run', '--user', ...idsOf(user), '--', path, ...trial]
    try {
      await execute(program ?? path, given, { timeout: probeLimitMs, env: {}, cwd: '/' })
      return { path }
    } catch (error) {
      return { missing: `${path} does not work here: ${(error as Error).message.split('\n').slice(1).join(' ').trim() || 'it failed'}` }
    }
  }
  return { missing: 'bubblewrap is not installed (the package “bubblewrap”)' }
}
