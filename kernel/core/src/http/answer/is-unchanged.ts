/** What a file is told apart by. */
export interface Validators {
  /** Quoted. */
  readonly etag: string
  readonly modifiedAt: Date
}

/** Whether what the client has is still what there is (RFC 9110, section 13): `If-None-Match` decides where it is there. */
export function isUnchanged(ifNoneMatch: string | undefined, ifModifiedSince: string | undefined, file: Validators): boolean {
  if (ifNoneMatch !== undefined)
    return ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === file.etag)
  if (ifModifiedSince === undefined) return false
  return Math.floor(file.modifiedAt.getTime() / 1000) * 1000 <= Date.parse(ifModifiedSince)
}
