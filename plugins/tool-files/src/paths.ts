import { Type } from '@agent-service/sdk'

const description = 'Below your workspace, with / between names: “notes.md”, “src/main.ts”.'

/** A path that a model gives. */
export const pathSchema = (more = description) => Type.String({ minLength: 1, maxLength: 400, description: more })

/** The same for a folder: “.”, or no path, is the whole workspace. */
export const folderSchema = () =>
  Type.Optional(Type.String({ maxLength: 400, description: 'A folder below your workspace. Left out: the whole workspace.' }))

/**
 * Normalizes the ways in which models write the workspace and its paths. The file service reports
 * what is still not a path.
 */
export function pathOf(given: unknown): string {
  const text = String(given ?? '').replace(/^(\.\/+)+/, '')
  return text === '.' || text === './' ? '' : text.replace(/(?<=[^/])\/$/, '')
}
