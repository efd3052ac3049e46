import { chmodSync, chownSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { SandboxUser } from '../machine/sandbox-users.js'

/** The files of one process: its environment, its filter, its token, its secrets. Only its user can read them. */
export interface RunFolder {
  readonly path: string
  readonly environment: string
  readonly filter: string
  readonly token: string
  readonly passwd: string
  readonly group: string
  replaceToken(text: string): void
  remove(): void
}

/**
 * Makes the folder below `parent`, which others may enter but not list. Synchronously, since a dozen
 * small files in memory take less time than a dozen ways through the thread pool.
 */
export function createRunFolder(
  parent: string,
  given: {
    readonly user: SandboxUser | undefined
    readonly variables: Readonly<Record<string, string>>
    readonly filter: Uint8Array
    readonly token: { readonly variable: string; readonly text: string } | undefined
    /** Texts by the variable that names their file. */
    readonly privateFiles: Readonly<Record<string, string>>
    readonly home: string
  },
): RunFolder {
  const folder = mkdtempSync(path.join(parent, 'run-'))
  const at = (name: string): string => path.join(folder, name)
  const { user, token } = given
  const write = (name: string, content: string | Uint8Array): void => {
    writeFileSync(at(name), content, { mode: 0o400, flag: 'wx' })
    if (user !== undefined) chownSync(at(name), user.uid, user.gid)
  }
  const replaceToken = (text: string): void => {
    write('token.new', text)
    renameSync(at('token.new'), at('token'))
  }
  const secrets = Object.entries(given.privateFiles).map(([variable, text], index) => ({ variable, text, name: `secret-${index}` }))
  const paths = Object.fromEntries(secrets.map(({ variable, name }) => [variable, at(name)]))
  const variables = { ...given.variables, ...paths, ...(token === undefined ? {} : { [token.variable]: at('token') }) }
  const uid = user?.uid ?? process.getuid?.() ?? 0
  const gid = user?.gid ?? process.getgid?.() ?? 0
  write(
    'environment',
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}\0`)
      .join(''),
  )
  write('filter', given.filter)
  write('passwd', `agent:x:${uid}:${gid}:Agent:${given.home}:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`)
  write('group', `agent:x:${gid}:\nnogroup:x:65534:\n`)
  for (const { name, text } of secrets) write(name, text)
  if (token !== undefined) replaceToken(token.text)
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  chmodSync(folder, user === undefined ? 0o700 : 0o500)
  return {
    path: folder,
    ...{ environment: at('environment'), filter: at('filter'), token: at('token'), passwd: at('passwd'), group: at('group') },
    replaceToken,
    remove() {
      chmodSync(folder, 0o700)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
