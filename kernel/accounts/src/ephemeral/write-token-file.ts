import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { tokenFolderUnsafeError } from './errors.js'

const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/**
 * The path of a token file. @throws `token_folder_unsafe` if another user could read or replace it.
 */
export async function tokenFilePath(folder: string, name: string): Promise<string> {
  const refuse = (reason: string): never => {
    throw tokenFolderUnsafeError.create({ folder, reason })
  }
  if (!path.isAbsolute(folder)) refuse('the path is not absolute')
  if (!plainName.test(name)) refuse(`“${name}” is not a plain file name`)
  const found = await lstat(folder).catch(() => refuse('it cannot be read'))
  if (!found.isDirectory()) refuse('it is not a folder')
  if (process.getuid && found.uid !== process.getuid()) refuse('it belongs to another user')
  if ((found.mode & 0o022) !== 0) refuse('other users can write to it')
  return path.join(folder, name)
}

/**
 * Writes a token to a file that only its owner may read. A reader gets the complete old token or
 * the complete new one. Anything at the path, also a symbolic link, is replaced and not followed.
 */
export async function writeTokenFile(file: string, token: string): Promise<void> {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}`)
  const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
  try {
    try {
      await handle.writeFile(token)
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
