import { isBelow, kernelPath } from './host-paths.js'
import { quote } from './quote.js'

/** A path and everything below it. */
export const subpath = (path: string): string => `(subpath ${quote(kernelPath(path))})`

/** A path alone. */
export const literal = (path: string): string => `(literal ${quote(path)})`

/** A rule for everything that an operation is used for. */
export const always = (action: 'allow' | 'deny', ...operations: readonly string[]): string => `(${action} ${operations.join(' ')})`

/** A rule for what any filter matches. Without a filter there is no rule: it would match everything. */
export function rule(action: 'allow' | 'deny', operations: readonly string[], filters: readonly string[]): readonly string[] {
  if (filters.length === 0) return []
  return [
    `(${action} ${operations.join(' ')}`,
    ...[...new Set(filters)].map((filter, index, all) => `  ${filter}${index === all.length - 1 ? ')' : ''}`),
  ]
}

/**
 * A path and everything below it but for what is denied, so that the order of rules decides
 * nothing. Nothing if all of it is denied.
 */
export function granted(path: string, denied: readonly string[]): readonly string[] {
  const real = kernelPath(path)
  const closed = denied.map(kernelPath)
  if (closed.some((each) => isBelow(real, each))) return []
  const inside = closed.filter((each) => isBelow(each, real))
  return [
    inside.length === 0
      ? subpath(path)
      : `(require-all ${subpath(path)}${inside.map((each) => ` (require-not ${subpath(each)})`).join('')})`,
  ]
}
