import type { Problem } from '../../core/errors.js'

/** The most files that one result names. */
export const maxToolFiles = 50

const maxPathLength = 2_000

/**
 * Everything that is wrong with {@link ToolResult.files} as a tool returned them, each with a JSON
 * pointer. Whether the files are there is not checked. Never throws.
 */
export function checkToolFiles(files: unknown): readonly Problem[] {
  if (files === undefined) return []
  if (!Array.isArray(files)) return [{ path: '/files', message: 'must be a list of {path}' }]
  if (files.length > maxToolFiles) return [{ path: '/files', message: `must have at most ${maxToolFiles} files, and has ${files.length}` }]
  const seen = new Set<unknown>()
  return files.flatMap((file: unknown, index): readonly Problem[] => {
    const named: unknown = typeof file === 'object' && file !== null ? (file as { readonly path?: unknown }).path : undefined
    const message = problemOf(named) ?? (seen.has(named) ? 'is named twice' : undefined)
    seen.add(named)
    return message === undefined ? [] : [{ path: `/files/${index}/path`, message }]
  })
}

function problemOf(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return 'must be a path below the workspace, such as charts/sales.png'
  if (path.length > maxPathLength) return `must have at most ${maxPathLength} characters`
  if (path.startsWith('/')) return 'must be relative to the workspace, not absolute'
  if (/[\p{Cc}\p{Cs}\\]/u.test(path)) return 'must not have control characters, backslashes or unpaired surrogates'
  const names = path.split('/')
  if (names.includes('')) return 'must not have empty segments'
  return names.includes('.') || names.includes('..') ? 'must not have dot segments' : undefined
}
