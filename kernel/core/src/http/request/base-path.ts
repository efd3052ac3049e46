import type { RouteResponse } from '@agent-service/sdk/contracts/http-route'
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

/**
 * A response whose `Location` is a path of the service, with that relative to the path of the
 * request. Only the client knows the base path that it used, so that this alone is right with and
 * without one.
 */
export function withRelativeLocation(response: RouteResponse, requestPath: string): RouteResponse {
  const found = Object.entries(response.headers ?? {}).find(([name]) => name.toLowerCase() === 'location')
  if (found === undefined || !/^\/(?!\/)/.test(found[1])) return response
  const [name, location] = found
  const up = '../'.repeat(requestPath.split('/').length - 2)
  return { ...response, headers: { ...response.headers, [name]: `${up === '' ? './' : up}${location.slice(1)}` } }
}
