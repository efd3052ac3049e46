import { Type } from '@agent-service/sdk'

/** The path of the routes that download, upload and delete a file. */
export const contentPath = '/api/files/content'

/** The path of a file, below the caller's folder. */
export const filePathSchema = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'Below the caller’s folder: `files/report.pdf`, `workspaces/<agent>/notes.md`.',
})

export const etagSchema = Type.String({ description: 'For `If-Match` and `If-None-Match`.' })
