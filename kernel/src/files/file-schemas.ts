import { Type } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import { readUserPath, type UserPath } from './user-path.js'

/** The path of the route that gives out a file. */
export const contentPath = '/api/files/content'

/** A path below the caller's folder. */
export const userPathSchema = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'Below the caller’s folder: `files/report.pdf`, `workspaces/<agent>/notes.md`.',
})

const etagSchema = Type.String({ description: 'For `If-Match` and `If-None-Match`.' })

/** A file that was stored. */
export const storedFileSchema = Type.Object({
  path: Type.String(),
  size: Type.Integer({ description: 'In bytes.' }),
  modified_at: Type.String(),
  etag: etagSchema,
})

/** A name in a folder. */
export const listedFileSchema = Type.Object({
  name: Type.String(),
  path: Type.String(),
  kind: Type.Union([Type.Literal('file'), Type.Literal('folder'), Type.Literal('link'), Type.Literal('other')]),
  size: Type.Integer({ description: 'In bytes; 0 for what is no file.' }),
  modified_at: Type.String(),
  etag: Type.Union([etagSchema, Type.Null()]),
})

/** @throws `invalid_request` that says what is wrong with the path. */
export function checkedUserPath(text: string, where: 'query' | 'body'): UserPath {
  const place = readUserPath(text)
  if ('problem' in place) throw invalidRequestError.create({ where }, { problems: [{ path: '/path', message: place.problem }] })
  return place
}
