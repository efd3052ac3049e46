import { defineError } from '@agent-service/sdk'
import { invalidRequestError, notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { PolicyEntity, PolicyService } from '@agent-service/sdk/services/policy'
import { type OpenUserFile, type UserFiles, userPathInvalidError } from '@agent-service/sdk/services/user-files'

const subsystems = ['workspaces', 'files'] as const

/** Where deleted files wait; nothing in it is shared. */
const binName = '.bin'

/** A file of a user: its folder, and its real path there. */
export interface FilePlace {
  readonly subsystem: (typeof subsystems)[number]
  readonly path: string
}

/** A policy forbids it, or none permits it. */
export const shareForbiddenError = defineError<{ readonly path: string }>({
  code: 'forbidden',
  status: 403,
  title: 'Forbidden',
  message: ({ path }) => `The policies of this service do not permit you to read “${path}”.`,
})

/** The files that links lead to. */
export interface SharedFiles {
  /**
   * Finds the real path of a file that is to be shared, and asks the policies whether its reader
   * may read it. @throws `invalid_request` with the problem of the path, `not_found`, `forbidden`.
   */
  locate(request: {
    readonly owner: { readonly id: string; readonly handle: string }
    readonly path: string
    /** Who asks. Default: the owner. */
    readonly reader?: PolicyEntity
    readonly signal: AbortSignal
  }): Promise<FilePlace>
  /**
   * Opens what is at exactly this path now; `undefined` if it is not a file, if a link is on the
   * way, and if the policies no longer let the owner read it.
   */
  open(request: {
    readonly owner: { readonly id: string; readonly handle: string }
    readonly place: FilePlace
    readonly signal: AbortSignal
  }): Promise<OpenUserFile | undefined>
}

export function createSharedFiles(dependencies: {
  readonly files: UserFiles
  readonly policies: Pick<PolicyService, 'isAuthorized'>
}): SharedFiles {
  const { files, policies } = dependencies
  const folderOf = (handle: string, subsystem: FilePlace['subsystem']) => files.folder({ handle }, { subsystem, links: 'refuse' })
  const mayRead = async (principal: PolicyEntity, ownerId: string, { subsystem, path }: FilePlace, signal: AbortSignal) => {
    const full = `${subsystem}/${path}`
    const resource = { type: 'File', id: full, attributes: { path: full, owner: { __entity: { type: 'User', id: ownerId } } } }
    return (await policies.isAuthorized({ principal, action: 'read_file', resource }, { signal })).allowed
  }
  return {
    async locate({ owner, path: text, reader = userEntity(owner.id), signal }) {
      const named = placeOf(text)
      try {
        const folder = folderOf(owner.handle, named.subsystem)
        const path = (await folder.realPath(named.path)) ?? named.path
        const place = { subsystem: named.subsystem, path }
        if (isInBin(place)) throw pathProblem(`must not be in “files/${binName}”, where deleted files wait`)
        if (!(await mayRead(reader, owner.id, place, signal))) throw shareForbiddenError.create({ path: text })
        if ((await folder.stat(path))?.kind !== 'file') throw notFoundError.create({ what: 'file' })
        return place
      } catch (error) {
        if (userPathInvalidError.isInstance(error)) throw pathProblem(String(error.details['problem']))
        throw error
      }
    },
    async open({ owner, place, signal }) {
      if (!(await mayRead(userEntity(owner.id), owner.id, place, signal))) return undefined
      return folderOf(owner.handle, place.subsystem).open(place.path)
    },
  }
}

export const userEntity = (userId: string): PolicyEntity => ({ type: 'User', id: userId })

function placeOf(text: string): FilePlace {
  const [first, ...names] = text.split('/')
  const subsystem = subsystems.find((name) => name === first)
  if (subsystem === undefined) throw pathProblem(`must begin with ${subsystems.map((name) => `“${name}/”`).join(' or ')}`)
  if (names.join('/') === '') throw pathProblem('must name a file, without empty segments')
  return { subsystem, path: names.join('/') }
}

const isInBin = ({ subsystem, path }: FilePlace): boolean => subsystem === 'files' && (path === binName || path.startsWith(`${binName}/`))

const pathProblem = (message: string): Error => invalidRequestError.create({ where: 'body' }, { problems: [{ path: '/path', message }] })
