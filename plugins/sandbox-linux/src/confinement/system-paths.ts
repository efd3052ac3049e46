import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import path from 'node:path'

/** Where the programs and libraries of the system are. */
export interface SystemPaths {
  /** Folders and files that processes may read. */
  readonly readable: readonly string[]
  /** Links at the root that lead into them: `/bin` to `usr/bin`. */
  readonly links: readonly { readonly path: string; readonly target: string }[]
}

const folders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt/homebrew']
/** What programs need to start, to resolve names, to check certificates and to know the time zone. */
const files = [
  ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/alternatives', '/etc/ssl', '/etc/ca-certificates', '/etc/pki'],
  ...['/etc/localtime', '/etc/timezone', '/etc/nsswitch.conf', '/etc/protocols', '/etc/services', '/etc/mime.types', '/etc/inputrc'],
]

/** Looks at this machine: merged systems have links where others have folders. */
export function findSystemPaths(): SystemPaths {
  const links: { path: string; target: string }[] = []
  const readable: string[] = []
  for (const each of folders) {
    const info = lstatSync(each, { throwIfNoEntry: false })
    if (info?.isSymbolicLink() === true) links.push({ path: each, target: readlinkSync(each) })
    else if (info !== undefined) readable.push(each)
  }
  readable.push(...files.filter((each) => existsSync(each)))
  // Node.js of the service, wherever it is installed, but never a person's whole folder.
  const prefix = path.dirname(path.dirname(process.execPath))
  if (prefix !== '/' && !readable.some((each) => isBelow(prefix, each))) readable.push(prefix)
  return { readable, links }
}

/** Whether a path is the folder or lies in it. */
export const isBelow = (inner: string, folder: string): boolean => inner === folder || inner.startsWith(folder === '/' ? '/' : `${folder}/`)
