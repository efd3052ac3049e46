import { createHash } from 'node:crypto'
import { constants, open } from 'node:fs/promises'
import { ServiceError } from '@agent-service/sdk'
import { readBytes } from '@agent-service/sdk/async'
import {
  type VaultFile,
  vaultConflictError,
  vaultConnectionInvalidError,
  vaultContentInvalidError,
  vaultForbiddenError,
  vaultUnavailableError,
} from '@agent-service/sdk/contracts/vault-connector'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import { type UserFiles, userFileChangedError } from '@agent-service/sdk/services/user-files'
import { maxFileBytes } from '../common/limits.js'

const tooLarge = (title: string): Error => vaultContentInvalidError.create({ vault: title, reason: 'its file has more than 64 MiB' })
const unreadable = (title: string): Error =>
  vaultUnavailableError.create({ vault: title, reason: 'its file is missing, or cannot be read' })

const versionOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url')

/** The file of a connection of the deployment, on the machine of the service. It is only read. */
export function machineFile(path: string, title: string): VaultFile {
  return {
    async read({ signal }) {
      signal.throwIfAborted()
      // Non-blocking, so that a FIFO in its place does not hold the call.
      const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => {
        throw unreadable(title)
      })
      try {
        const state = await file.stat()
        if (!state.isFile()) throw unreadable(title)
        if (state.size > maxFileBytes) throw tooLarge(title)
        const stream = file.createReadStream({ autoClose: false, signal })
        const bytes = await readBytes(stream, { maxBytes: maxFileBytes, tooLarge: () => tooLarge(title) })
        return { bytes, version: versionOf(bytes) }
      } finally {
        await file.close()
      }
    },
    write: () => Promise.reject(vaultForbiddenError.create({ vault: title, what: 'write the file, which belongs to the operator' })),
  }
}

const subsystem = 'files'

/** Where a user's own file is: below `files/`, and never in the bin. @throws `vault_connection_invalid`. */
export function userFilePath(text: string, member: string): string {
  const path = text.startsWith(`${subsystem}/`) ? text.slice(subsystem.length + 1) : ''
  if (path === '' || path === '.bin' || path.startsWith('.bin/'))
    throw vaultConnectionInvalidError.create({ member, reason: 'must name one of your files, such as “files/passwords.kdbx”' })
  return path
}

/** The file of a connection of a user, in that user's own files, as the policies permit. */
export function userFile(dependencies: {
  readonly files: Pick<UserFiles, 'folder'>
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  readonly owner: { readonly id: string; readonly handle: string }
  readonly path: string
  readonly title: string
}): VaultFile {
  const { files, policies, owner, path, title } = dependencies
  const permitted = async (action: 'read_file' | 'write_file', signal: AbortSignal): Promise<void> => {
    const full = `${subsystem}/${path}`
    const user = { type: 'User', id: owner.id }
    const resource = { type: 'File', id: full, attributes: { path: full, owner: { __entity: user } } }
    const { allowed } = await policies.isAuthorized({ principal: user, action, resource }, { signal })
    if (!allowed) throw vaultForbiddenError.create({ vault: title, what: 'use its file: the policies of the service forbid it' })
  }
  const folder = () => files.folder(owner, { subsystem, links: 'refuse' })
  return {
    async read({ signal }) {
      await permitted('read_file', signal)
      const file = await folder().open(path).catch(pathProblem)
      if (!file) throw unreadable(title)
      if (file.size > maxFileBytes) {
        await file.close()
        throw tooLarge(title)
      }
      const bytes = await readBytes(file.stream(), { maxBytes: maxFileBytes, tooLarge: () => tooLarge(title) })
      signal.throwIfAborted()
      return { bytes, version: file.etag ?? versionOf(bytes) }
    },
    async write(bytes, { version, signal }) {
      await permitted('write_file', signal)
      try {
        const written = await folder().write(path, bytes, { ifMatch: version, maximumBytes: maxFileBytes, signal })
        return { version: written.file.etag ?? versionOf(bytes) }
      } catch (error) {
        if (userFileChangedError.isInstance(error)) throw vaultConflictError.create({ what: 'The file' })
        throw error
      }
    },
  }
}

/** What user files say about an invalid path is a problem of the connection. */
function pathProblem(error: unknown): never {
  if (ServiceError.isInstance(error) && error.status < 500)
    throw vaultConnectionInvalidError.create({ member: 'path', reason: 'does not lead to one of your files' }, { cause: error })
  throw error
}
