import type { UserFileEntry } from '@agent-service/sdk/services/user-files'

/** Whether the client's copy is still current (RFC 9110, section 13). `If-None-Match` decides if it is present. */
export function isUnchanged(asked: Readonly<Record<string, string>>, file: Pick<UserFileEntry, 'etag' | 'modifiedAt'>): boolean {
  const ifNoneMatch = asked['if-none-match']
  const ifModifiedSince = asked['if-modified-since']
  if (ifNoneMatch !== undefined)
    return ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === file.etag)
  // The header has no milliseconds.
  return ifModifiedSince !== undefined && Math.floor(file.modifiedAt / 1000) * 1000 <= Date.parse(ifModifiedSince)
}
