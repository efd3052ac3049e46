import type { Principal } from '@agent-service/sdk/contracts/http-route'
import type { UserFiles, UserUpload, UserUploads } from '@agent-service/sdk/services/user-files'
import { type FileAccess, type FilePlace, userSubsystems } from '../file-access.js'

/** An upload of the caller, and where it goes. */
export interface OwnUpload {
  readonly upload: UserUpload
  readonly uploads: UserUploads
  readonly place: FilePlace
}

/** The uploads of one subsystem of the caller; files come to their paths without following links. */
export const uploadsOf = (files: UserFiles, principal: Principal, subsystem: FilePlace['subsystem']): UserUploads =>
  files.uploads(principal, { subsystem, links: 'refuse' })

/** Where an upload goes. */
export function placeOf(access: Pick<FileAccess, 'filePlace'>, principal: Principal, subsystem: string, { path }: UserUpload): FilePlace {
  return access.filePlace(principal, `${subsystem}/${path}`, 'body')
}

/** An upload of the caller; `undefined` if there is none. */
export async function findUpload(
  { files, access }: { readonly files: UserFiles; readonly access: Pick<FileAccess, 'filePlace'> },
  principal: Principal,
  id: string,
): Promise<OwnUpload | undefined> {
  for (const subsystem of userSubsystems) {
    const uploads = uploadsOf(files, principal, subsystem)
    const upload = await uploads.find(id)
    if (upload) return { upload, uploads, place: placeOf(access, principal, subsystem, upload) }
  }
  return undefined
}
