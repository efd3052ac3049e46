import { randomBytes } from 'node:crypto'
import { namedObject } from '@agent-service/sdk'
import { created, defineRoute, type HttpRoute, invalidRequestError, notFoundError } from '@agent-service/sdk/contracts/http-route'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import {
  type UserFileEntry,
  type UserFolder,
  userFileConflictError,
  userFileNotFoundError,
  userPathInvalidError,
  userStorageFullError,
} from '@agent-service/sdk/services/user-files'
import { callerOf } from '../caller-of.js'
import { changing } from '../change-routes.js'
import { type FileAccess, type FilePlace, fileForbiddenError, folderNotMovableError } from '../file-access.js'
import { filePathSchema } from '../file-schemas.js'
import { listedFileSchema, toListed } from '../list-route.js'
import { walkBelow } from './walk-below.js'

const maxCopied = 2_000
const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')

/** Copies a file or a folder of the caller. */
export function createCopyRoute({ access }: { readonly access: Pick<FileAccess, 'filePlace' | 'permit'> }): HttpRoute {
  return defineRoute({
    method: 'POST',
    path: '/api/files/copy',
    operationId: 'copyFile',
    summary: 'Copy a file or a folder',
    description:
      'Never over something else: 409 if the new path exists. The copy is at its path when it is complete, or not at all. Links, and what is no file, are left out of a folder. The policies are asked about all that is in it, so one with more than 2,000 entries is 422 `folder_not_movable`.',
    tags: ['files'],
    auth: 'user',
    rateClass: 'expensive',
    body: { kind: 'json', schema: namedObject('CopyFile', { from: filePathSchema, to: filePathSchema }) },
    errors: [
      ...[notFoundError, fileForbiddenError, folderNotMovableError, userPathInvalidError, userFileNotFoundError, userFileConflictError],
      ...[userStorageFullError, quotaExceededError],
    ],
    answers: { 201: { description: 'The copy.', schema: listedFileSchema } },
    async handle({ body, signal, ...request }) {
      const caller = callerOf(request)
      const from = access.filePlace(caller, body.from, 'body', 'from')
      const to = access.filePlace(caller, body.to, 'body', 'to')
      const source = await access.permit(caller, 'read_file', from, { signal })
      const target = await access.permit(caller, 'write_file', to, { signal })
      if (from.subsystem === to.subsystem && `${target.path}/`.startsWith(`${source.path}/`))
        throw invalidRequestError.create(
          { where: 'body' },
          { problems: [{ path: '/to', message: 'must not be what is copied, or in it' }] },
        )
      const entry = await source.folder.stat(source.path)
      if (!entry || (entry.kind !== 'file' && entry.kind !== 'folder')) throw notFoundError.create({ what: 'file' })
      const inside = entry.kind === 'folder' ? await entriesOf(source.folder, source.path, from, signal) : []
      demandDistinctNames(inside)
      for (const each of inside) {
        const below = (place: FilePlace, path: string): FilePlace => {
          const rest = each.path.slice(source.path.length)
          return { ...place, path: `${path}${rest}`, text: `${place.text}${rest}` }
        }
        await access.permit(caller, 'read_file', below(from, source.path), { signal })
        await access.permit(caller, 'write_file', below(to, target.path), { signal })
      }
      const copy = await changing(to, () => copyEntries({ source, target, entry, inside, signal }))
      return created(toListed(folderOf(to.text), copy))
    },
  })
}

async function entriesOf(folder: UserFolder, root: string, from: FilePlace, signal: AbortSignal): Promise<readonly UserFileEntry[]> {
  const found: UserFileEntry[] = []
  for await (const entry of walkBelow(folder, root, { signal })) {
    found.push(entry)
    if (found.length > maxCopied) throw folderNotMovableError.create({ path: from.text, limit: maxCopied })
  }
  return found
}

/** New names are composed: two that differ in their Unicode form alone would become one, and folders would be merged. */
function demandDistinctNames(entries: readonly UserFileEntry[]): void {
  const seen = new Set<string>()
  for (const { path } of entries) {
    const composed = path.normalize('NFC')
    if (seen.has(composed))
      throw userFileConflictError.create({
        path,
        reason: 'has the same name as another, in another Unicode form; rename one of them first',
      })
    seen.add(composed)
  }
}

interface Copying {
  readonly source: { readonly folder: UserFolder; readonly path: string }
  readonly target: { readonly folder: UserFolder; readonly path: string }
  readonly entry: UserFileEntry
  readonly inside: readonly UserFileEntry[]
  readonly signal: AbortSignal
}

/** A folder is copied beside its new path first; what a failed copy has made is removed. */
async function copyEntries({ source, target, entry, inside, signal }: Copying): Promise<UserFileEntry> {
  const copyFile = async (from: string, to: string): Promise<UserFileEntry | undefined> => {
    const file = await source.folder.open(from)
    if (!file) return undefined
    const bytes = file.stream()
    try {
      return (await target.folder.write(to, bytes, { ifNoneMatch: '*', expectedBytes: file.size, signal })).file
    } finally {
      await bytes.return?.()
    }
  }
  if (await target.folder.stat(target.path)) throw userFileConflictError.create({ path: target.path, reason: 'exists already' })
  if (entry.kind === 'file') {
    const copy = await copyFile(source.path, target.path)
    if (!copy) throw notFoundError.create({ what: 'file' })
    return copy
  }
  const above = folderOf(target.path)
  const staging = `${above === '' ? '' : `${above}/`}.copying-${randomBytes(8).toString('hex')}`
  try {
    await target.folder.makeFolder(staging)
    for (const { kind, path } of inside) {
      const to = `${staging}${path.slice(source.path.length)}`
      if (kind === 'folder') await target.folder.makeFolder(to)
      else if (kind === 'file') await copyFile(path, to)
    }
    return await target.folder.move(staging, target.path)
  } catch (error) {
    await target.folder.remove(staging, { recursive: true })
    throw error
  }
}
