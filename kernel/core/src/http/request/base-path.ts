import { isBelow } from './mend-target.js'

/**
 * The path of a public address, as browsers send it: without a slash at its end, and empty for the
 * root of a host.
 */
export const basePathOf = (address: string | undefined): string =>
  address !== undefined && URL.canParse(address) ? new URL(address).pathname.replace(/\/+$/, '') : ''

/** The paths of public addresses, the longest first, so that one below another is found. */
export const basePathsOf = (addresses: readonly (string | undefined)[]): readonly string[] =>
  [...new Set(addresses.map(basePathOf))].filter((path) => path !== '').sort((one, other) => other.length - one.length)

/**
 * A raw target without the base path that it is below, as a proxy that removes the path would have
 * sent it; `undefined` if it is below none. Exactly one is removed, and nothing is decoded.
 */
export function withoutBasePath(raw: string, basePaths: readonly string[]): string | undefined {
  if (basePaths.length === 0) return undefined
  const [path = ''] = raw.split('?', 1)
  const base = basePaths.find((each) => isBelow(path, each))
  if (base === undefined) return undefined
  const rest = raw.slice(base.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
