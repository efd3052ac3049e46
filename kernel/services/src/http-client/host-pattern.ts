import { isIP } from 'node:net'

/** A host or all its subdomains, at one port or at any. */
export interface HostPattern {
  /** In ASCII and lower case, without `*.` and without a dot at its end. */
  readonly name: string
  readonly subdomains: boolean
  readonly port: number | undefined
}

/**
 * Parses `example.com`, `*.example.com`, `example.com:8443` or the URL of a host; `undefined` for
 * any other text.
 */
export function parseHostPattern(text: string): HostPattern | undefined {
  const address = text.includes('://') ? text : `https://${text}`
  const subdomains = address.includes('://*.')
  const plain = address.replace('://*.', '://')
  if (!URL.canParse(plain)) return undefined
  const url = new URL(plain)
  const name = plainHost(url.hostname)
  if (name === '' || name.includes('*') || (subdomains && isIP(name) !== 0)) return undefined
  const hasPort = text.includes('://') || /:\d+$/.test(text)
  return { name, subdomains, port: hasPort ? portOf(url) : undefined }
}

/** Whether one of the patterns matches a host and port. */
export function matchesHost(patterns: readonly HostPattern[], host: string, port: number): boolean {
  return patterns.some(
    (pattern) =>
      (pattern.port === undefined || pattern.port === port) &&
      (pattern.subdomains ? host.endsWith(`.${pattern.name}`) : host === pattern.name),
  )
}

/** The host of a URL for comparisons: without the brackets of IPv6 and without a final dot. */
export const plainHost = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

/** The port of a URL, or the default port of its scheme. */
export const portOf = (url: URL): number => (url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port))
