import type { ServerResponse } from 'node:http'
import type { WebInterface } from '@agent-service/sdk/services/web-pages'
import { contentType } from 'mime-types'

type Policies = Pick<WebInterface, 'contentSecurityPolicy' | 'permissionsPolicy'>

/** What governs documents alone: nothing else is framed, opens windows, or asks for a device. */
const documentHeaders = ['permissions-policy', 'x-frame-options', 'cross-origin-opener-policy'] as const

/** Directives for what only documents do. A worker loads no styles, pictures and frames, and has no form. */
const documentDirectives: ReadonlySet<string> = new Set([
  ...['style-src', 'style-src-elem', 'style-src-attr', 'img-src', 'media-src', 'manifest-src', 'object-src', 'frame-src'],
  ...['base-uri', 'form-action', 'frame-ancestors'],
])

const scriptTypes: ReadonlySet<string> = new Set(['text/javascript', 'application/javascript'])
/** Neither of these runs anything, whoever opens it: SVG, HTML, XML and PDF do, and are not among them. */
const stillTypes: ReadonlySet<string> = new Set([
  ...['text/css', 'font/woff', 'font/woff2', 'font/ttf', 'font/otf'],
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'],
])

/** What a file needs of the policies. */
type Need = 'all' | 'worker' | 'none'

/**
 * Sets the policies of a web interface for one of its files. Each file has all of them, unless it lies below `/assets/` and its type is
 * one that no browser runs as a document: scripts have the part for workers, since any of them can be started as one, which then obeys
 * the policy of its own answer alone; styles, fonts and pictures have none. The type cannot be guessed otherwise: `nosniff` stays.
 * What runs an answer in place of the file, such as an error, gets all of them back by the result.
 */
export function setPolicies(response: ServerResponse, requestPath: string, file: string, policies: Policies): () => void {
  const { contentSecurityPolicy, permissionsPolicy } = policies
  response.setHeader('content-security-policy', contentSecurityPolicy)
  if (permissionsPolicy !== undefined) response.setHeader('permissions-policy', permissionsPolicy)
  const need = needOf(requestPath, file)
  if (need === 'all') return () => undefined
  const before = ['content-security-policy', ...documentHeaders].map((name) => [name, response.getHeader(name)] as const)
  for (const [name] of before) response.removeHeader(name)
  if (need === 'worker') response.setHeader('content-security-policy', workerPolicy(contentSecurityPolicy))
  return () => {
    if (response.headersSent) return
    for (const [name, value] of before) if (value !== undefined) response.setHeader(name, value)
  }
}

function needOf(requestPath: string, file: string): Need {
  if (!requestPath.startsWith('/assets/')) return 'all'
  const [type = ''] = (contentType(file.slice(file.lastIndexOf('.'))) || '').split(';')
  if (scriptTypes.has(type)) return 'worker'
  return stillTypes.has(type) ? 'none' : 'all'
}

/** Of a policy what governs workers. Directives that are not known stay. */
const workerPolicy = (policy: string): string =>
  policy
    .split(';')
    .map((directive) => directive.trim())
    .filter((directive) => !documentDirectives.has(directive.split(/\s/)[0]?.toLowerCase() ?? ''))
    .join('; ')
