import type { Problem } from '../../core/errors.js'
import type { HttpRoute } from './route.js'

const literalSegment = /^[A-Za-z0-9._~!$&'()*+,;=:@-]+$/
const parameterSegment = /^\{([a-z][a-z0-9_]*)\}$/

/**
 * Contradictions in a route, each with a JSON pointer: its path, and its members with each other.
 * Empty if there are none.
 */
export function checkRouteAgreement(route: HttpRoute): readonly Problem[] {
  const path = checkRoutePath(route.path)
  if (path.length > 0) return path
  return [...checkPathParameters(route), ...checkActors(route), ...checkCredentials(route), ...checkBody(route), ...checkStatuses(route)]
}

const problem = (path: string, message: string): Problem => ({ path, message })

/** Problems of a route's path. */
export function checkRoutePath(path: string): readonly Problem[] {
  if (path === '/') return []
  const segments = path.slice(1).split('/')
  const wrong = segments.find((segment) => !literalSegment.test(segment) && !parameterSegment.test(segment))
  if (segments.includes('')) return [problem('/path', 'must have no empty segment')]
  if (segments.some((segment) => segment === '.' || segment === '..')) return [problem('/path', 'must have no dot segment')]
  if (wrong !== undefined) return [problem('/path', `has “${wrong}”, which is neither a literal segment nor a parameter such as {chat_id}`)]
  const names = parameterNames(path)
  return new Set(names).size === names.length ? [] : [problem('/path', 'must not have a parameter twice')]
}

const parameterNames = (path: string): readonly string[] => path.split('/').flatMap((segment) => parameterSegment.exec(segment)?.[1] ?? [])

/** Whether the path of a route and its `params` name the same parameters. */
export function checkPathParameters({ path, params }: Pick<HttpRoute, 'path' | 'params'>): readonly Problem[] {
  if (params === undefined) return []
  const names = parameterNames(path)
  const declared = Object.keys(params.properties ?? {})
  return [
    ...names.filter((name) => !declared.includes(name)).map((name) => problem('/params', `must declare {${name}}`)),
    ...declared
      .filter((name) => !names.includes(name))
      .map((name) => problem(`/params/properties/${name}`, 'must be absent: it is not in the path')),
  ]
}

/**
 * Whether a route that names `actors` could ever be called by one. An actor is never an admin, has
 * no session and confirmed nothing, and a foreign request has no token of an actor.
 */
export function checkActors({
  auth,
  actors,
  session,
  confirmed,
  foreign,
}: Pick<HttpRoute, 'auth' | 'actors' | 'session' | 'confirmed' | 'foreign'>): readonly Problem[] {
  if (actors === undefined || actors.length === 0) return []
  if (auth === 'admin') return [problem('/actors', 'must be absent: no actor is an admin')]
  if (foreign === true) return [problem('/actors', 'must be absent: a foreign request has no credentials of the service')]
  return session === true || confirmed === true ? [problem('/actors', 'must be absent: only a person has a session')] : []
}

function checkCredentials(route: HttpRoute): readonly Problem[] {
  const { query, streaming, presignable, foreign, auth } = route
  const token = streaming === true && query !== undefined && 'token' in query.properties
  return [
    ...(token ? [problem('/query/properties/token', 'must be absent: it is a credential of a streaming route')] : []),
    ...(foreign === true && auth !== 'public' ? [problem('/foreign', 'needs the level “public”')] : []),
    ...(foreign === true && query !== undefined ? [problem('/query', 'must be absent: the query of a foreign request is not read')] : []),
    ...(foreign === true && streaming === true ? [problem('/streaming', 'must be absent: a foreign request has no credentials')] : []),
    ...(presignable === true ? checkPresigning(route) : []),
  ]
}

function checkPresigning({ method, auth, scope = 'read', streaming, query, changes }: HttpRoute): readonly Problem[] {
  if (changes === true) return [problem('/presignable', 'must be absent: what changes something cannot be presignable')]
  if (method !== 'GET') return [problem('/presignable', 'must be absent: only a GET can be presignable')]
  if (auth !== 'user' || scope !== 'read') return [problem('/presignable', 'needs the level “user” and the scope “read”')]
  if (streaming === true) return [problem('/presignable', 'must be absent: a stream of events cannot be presignable')]
  return query === undefined || 'presign' in query.properties
    ? [problem('/query', 'is needed by a presignable route and may not declare “presign”: it is a credential there')]
    : []
}

function checkBody({ method, body, idempotent }: HttpRoute): readonly Problem[] {
  if (idempotent === true && method !== 'POST') return [problem('/idempotent', 'must be absent: only a POST can be idempotent by key')]
  if (body !== undefined && method === 'GET') return [problem('/body', 'must be absent: a GET has no body')]
  return body?.kind === 'stream' && idempotent === true
    ? [problem('/idempotent', 'must be absent: a streamed body cannot be compared')]
    : []
}

function checkStatuses({ answers }: HttpRoute): readonly Problem[] {
  const wrong = Object.keys(answers).filter((status) => !/^[1-5]\d\d$/.test(status))
  return wrong.map((status) => problem(`/answers/${status}`, 'must be a status, such as 200'))
}
