import type { Method } from '@agent-service/sdk/web'
import { ApiProblem, send } from '@agent-service/sdk/web'
import type { Panel } from './panel.js'

export type PanelMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const maxAnswerBytes = 1_048_576

interface CallOptions {
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/**
 * Calls a route of the panel's plugin as the person who is signed in; every other address is
 * refused. Resolves to its JSON, `null` without one. @throws {ApiProblem}
 */
export async function callOwnRoute(panel: Panel, method: PanelMethod, path: string, options: CallOptions = {}): Promise<unknown> {
  if (!isOwnRoute(panel, method, path))
    throw refused('route_not_own', `${method} ${path.slice(0, 200)} is not a route of the plugin ${panel.plugin_id}.`)
  const { body, query, signal } = options
  const response = await send(method.toLowerCase() as Method, path, {
    ...(query && { query }),
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  })
  if (response.status === 204) return null
  const type = response.headers.get('content-type') ?? ''
  if (!/^application\/(json|[a-z.+-]+\+json)\b/.test(type)) {
    await response.body?.cancel()
    throw refused('not_json', `${method} ${path} answered with ${type === '' ? 'no type' : type}; panels read JSON.`)
  }
  const text = await readBounded(response)
  return text === '' ? null : JSON.parse(text)
}

const refused = (code: string, detail: string): ApiProblem => new ApiProblem({ status: 0, code, detail })

/** Whether a path, exactly as it will be requested, is one of the plugin's. */
function isOwnRoute(panel: Panel, method: string, path: string): boolean {
  if (typeof path !== 'string' || path.length > 2_000 || !/^\/api\/[\w.~!$&'()*+,;=:@%/-]+$/.test(path)) return false
  // Dot segments, also encoded ones, would lead elsewhere.
  const address = new URL(path, location.origin)
  if (address.origin !== location.origin || address.pathname !== path || /%2f|%5c/i.test(path)) return false
  const segments = path.split('/')
  return panel.routes.some((route) => {
    const wanted = route.path.split('/')
    const fits = wanted.every((segment, index) => (segment.startsWith('{') ? (segments[index] ?? '') !== '' : segment === segments[index]))
    return route.method === method && wanted.length === segments.length && fits
  })
}

async function readBounded(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxAnswerBytes) {
      await reader.cancel()
      throw refused('too_large', `The answer has more than ${maxAnswerBytes} bytes.`)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Fills `{id}` in a path with the members of a row. */
export const pathOfRow = (path: string, row: unknown): string =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(memberOf(row, name) ?? '')))

/** A member by its dotted name. */
export const memberOf = (value: unknown, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>(
      (inner, part) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, part) ? (inner as Record<string, unknown>)[part] : undefined,
      value,
    )
