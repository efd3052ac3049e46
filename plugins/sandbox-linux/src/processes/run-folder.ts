import { chmod, chown, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SandboxUser } from '../machine/sandbox-users.js'

/** The files of one process: its environment, its filter, its token. Only its user can read them. */
export interface RunFolder {
  readonly path: string
  readonly environment: string
  readonly filter: string
  readonly token: string
  readonly passwd: string
  readonly group: string
  replaceToken(text: string): Promise<void>
  remove(): Promise<void>
}

/** Makes the folder below `parent`, which others may enter but not list. */
export async function createRunFolder(
  parent: string,
  given: {
    readonly user: SandboxUser | undefined
    readonly variables: Readonly<Record<string, string>>
    readonly filter: Uint8Array
    readonly token: { readonly variable: string; readonly text: string } | undefined
    readonly home: string
  },
): Promise<RunFolder> {
  const folder = await mkdtemp(path.join(parent, 'run-'))
  const at = (name: string): string => path.join(folder, name)
  const { user, token } = given
  const write = async (name: string, content: string | Uint8Array): Promise<void> => {
    await writeFile(at(name), content, { mode: 0o400, flag: 'wx' })
    if (user !== undefined) await chown(at(name), user.uid, user.gid)
  }
  const replaceToken = async (text: string): Promise<void> => {
    await write('token.new', text)
    await rename(at('token.new'), at('token'))
  }
  const variables = { ...given.variables, ...(token === undefined ? {} : { [token.variable]: at('token') }) }
  const uid = user?.uid ?? process.getuid?.() ?? 0
  const gid = user?.gid ?? process.getgid?.() ?? 0
  const environment = Object.entries(variables).map(([name, value]) => `${name}=${value}\0`)
  const nobody = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin'
  // Beside one another: each is several steps of the thread pool.
  await Promise.all([
    write('environment', environment.join('')),
    write('filter', given.filter),
    write('passwd', `agent:x:${uid}:${gid}:Agent:${given.home}:/bin/sh\n${nobody}\n`),
    write('group', `agent:x:${gid}:\nnogroup:x:65534:\n`),
    ...(token === undefined ? [] : [replaceToken(token.text)]),
  ])
  if (user !== undefined) await chown(folder, user.uid, user.gid)
  await chmod(folder, user === undefined ? 0o700 : 0o500)
  return {
    path: folder,
    ...{ environment: at('environment'), filter: at('filter'), token: at('token'), passwd: at('passwd'), group: at('group') },
    replaceToken,
    async remove() {
      await chmod(folder, 0o700)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
