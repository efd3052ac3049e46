import { Type } from '@agent-service/sdk'

const description = 'Below your workspace, with / between names: “notes.md”, “src/main.ts”.'

/** A path that a model gives. */
export const pathSchema = (more = description) => Type.String({ minLength: 1, maxLength: 400, description: more })

/** The same, where the whole workspace may be meant: by “.” or by leaving it out. */
export const folderSchema = () =>
  Type.Optional(Type.String({ maxLength: 400, description: 'A folder below your workspace. Left out: the whole workspace.' }))

/** What models write for the workspace itself and before names, taken away. What is still no path is told by the file service. */
export function pathOf(given: unknown): string {
  const text = String(given ?? '').replace(/^(\.\/+)+/, '')
  return text === '.' || text === './' ? '' : text.replace(/(?<=[^/])\/$/, '')
}
