/** Who may call a route. Decided before the body is read. */
export type AuthLevel = 'public' | 'user' | 'admin'

/** Every {@link AccessScope}. */
export const accessScopes = Object.freeze(['read', 'write', 'admin', 'inference', 'metrics'] as const)

/**
 * What a personal access token must have been given. Default: `read` for GET, else `write`; `admin`
 * for admin routes. `inference` is for calls of models, `metrics` for `GET /metrics` alone.
 */
export type AccessScope = (typeof accessScopes)[number]
