import type { SandboxFiles } from '@agent-service/sdk/contracts/sandbox-driver'
import type { SystemPaths } from './system-paths.js'

/** Devices that programs expect. Not `/dev/pts`: it has the terminals of everyone with the same user. */
const devices = { read: ['/dev/urandom', '/dev/random', '/dev/zero'], write: ['/dev/null', '/dev/tty'] } as const

/** The helper's options that confine files by Landlock alone; see landlock(7). */
export function landlockOptions(system: SystemPaths, files: SandboxFiles, own: readonly string[]): readonly string[] {
  const readable = [...system.readable, ...system.links.map(({ path }) => path), '/etc/passwd', '/etc/group', '/proc', ...devices.read]
  return [
    ...[...readable, ...files.read, ...own].flatMap((path) => ['--read', path]),
    ...[...files.write, ...devices.write].flatMap((path) => ['--write', path]),
  ]
}
