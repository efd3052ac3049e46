import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { environmentCommands } from './launch-command.js'

/** The files of one process: its environment, its token and its secrets. Only the service's user can read them. */
export interface RunFolder {
  readonly path: string
  readonly environment: string
  replaceToken(text: string): Promise<void>
  remove(): Promise<void>
}

/** Makes the folder below `parent`. */
export async function createRunFolder(
  parent: string,
  given: {
    readonly variables: Readonly<Record<string, string>>
    readonly token: { readonly variable: string; readonly text: string } | undefined
    /** Texts by the variable that names their file. */
    readonly privateFiles?: Readonly<Record<string, string>> | undefined
  },
): Promise<RunFolder> {
  const folder = await mkdtemp(path.join(parent, 'run-'))
  const [environment, token] = [path.join(folder, 'environment'), path.join(folder, 'token')]
  const replaceToken = async (text: string): Promise<void> => {
    await writeFile(`${token}.new`, text, { mode: 0o400, flag: 'wx' })
    await rename(`${token}.new`, token)
  }
  const paths: Record<string, string> = {}
  for (const [index, [variable, text]] of Object.entries(given.privateFiles ?? {}).entries()) {
    const file = path.join(folder, `secret-${index}`)
    await writeFile(file, text, { mode: 0o400, flag: 'wx' })
    paths[variable] = file
  }
  const variables = { ...given.variables, ...paths, ...(given.token === undefined ? {} : { [given.token.variable]: token }) }
  await writeFile(environment, environmentCommands(variables), { mode: 0o400, flag: 'wx' })
  if (given.token !== undefined) await replaceToken(given.token.text)
  return { path: folder, environment, replaceToken, remove: () => rm(folder, { recursive: true, force: true }) }
}
