import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { isBelow } from './host-paths.js'

/** Where the programs and libraries of the system are, with what they read to start. */
const ofMacos = [
  ...['/bin', '/sbin', '/usr/bin', '/usr/lib', '/usr/libexec', '/usr/sbin', '/usr/share'],
  // Never all of /System: the volume with people's files is below it.
  ...['/System/Library', '/System/Cryptexes', '/System/iOSSupport', '/System/Volumes/Preboot/Cryptexes', '/private/preboot/Cryptexes'],
  ...['/Library/Apple', '/Library/Developer/CommandLineTools', '/Library/Frameworks', '/opt/homebrew', '/usr/local'],
  // Which shell /bin/sh is, which tools Xcode's are, the zones.
  ...['/private/var/select', '/private/var/db/xcode_select_link', '/private/var/db/timezone', '/private/var/db/dyld'],
  ...['bashrc', 'hosts', 'localtime', 'paths', 'paths.d', 'profile', 'protocols', 'services', 'shells', 'ssl', 'zprofile', 'zshrc'].map(
    (name) => `/private/etc/${name}`,
  ),
] as const

/** What processes may read on this machine: the system, and the service's own Node.js. */
export function findSystemPaths(): readonly string[] {
  const program = realpathSync(process.execPath)
  const prefix = path.dirname(path.dirname(program))
  // Node.js alone, where its folder is a person's or holds one.
  const own = isBelow(homedir(), prefix) ? program : prefix
  return ofMacos.some((each) => isBelow(own, each)) ? ofMacos : [...ofMacos, own]
}
