import type { AuthLevel } from '../../contracts/http-route/access.js'
import type { Principal } from '../../contracts/http-route/principal.js'
import type { HttpRoute, RouteRequest } from '../../contracts/http-route/route.js'
import type { HttpRouteExample } from './suite-options.js'

/** The default caller of an example; `undefined` on public routes. */
export const suitePrincipal = (auth: AuthLevel): Principal | undefined =>
  auth === 'public'
    ? undefined
    : {
        userId: '0190a0a0-0000-7000-8000-000000000001',
        username: 'ada',
        handle: 'ada',
        role: auth,
        scopes: ['read', 'write', 'inference', ...(auth === 'admin' ? (['admin'] as const) : [])],
      }

/** The path of a route with its parameters filled in. */
export const pathOf = (path: string, params: Readonly<Record<string, unknown>> = {}): string =>
  path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => String(params[name] ?? name))

/** The plain data of the request of an example, without its signal and stream. */
export function suiteRequest(route: HttpRoute, example: HttpRouteExample): Omit<RouteRequest, 'signal' | 'bodyStream'> {
  const { params = {}, query = {}, headers = {}, cookies, body } = example
  const principal = example.principal ?? suitePrincipal(route.auth)
  return structuredClone({
    method: route.method,
    path: pathOf(route.path, params),
    ...{ params, query, headers, body },
    ...(cookies && { cookies }),
    ...(principal && { principal }),
    requestId: '0199a3f0-6f1c-7c3e-9d0a-4a3c1f0f8b52',
    address: '192.0.2.1',
    loopback: false,
  })
}

/** The pieces of a streamed body. */
export async function* bytesOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}
