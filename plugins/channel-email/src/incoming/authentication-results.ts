import { domainOf } from './addresses.js'

/** One result of a header: `dkim=pass header.d=town.example`. */
interface Result {
  readonly method: string
  readonly value: string
  readonly properties: Readonly<Record<string, string>>
}

const maxLength = 10_000

/**
 * Whether our own server vouches that a mail comes from the domain of its sender (RFC 8601). Only the
 * topmost header in our server's name counts: it writes its own above all others, and one below may be
 * forged. Passed are DMARC for the domain, or, where the server does not test it, DKIM of this domain.
 */
export function isVerified(headers: readonly string[], sender: string, authservId: string | undefined): boolean {
  if (authservId === undefined) return false
  const own = headers.map((header) => partsOf(header)).find(([id = '']) => nameOf(id) === authservId)
  if (own === undefined) return false
  const results = own.slice(1).map(resultOf)
  const domain = domainOf(sender)
  const dmarc = results.filter(({ method }) => method === 'dmarc')
  if (dmarc.length > 0) return dmarc.every(({ value, properties }) => value === 'pass' && (properties['header.from'] ?? domain) === domain)
  return results.some(({ method, value, properties }) => method === 'dkim' && value === 'pass' && (properties['header.d'] ?? '') === domain)
}

/** The name of the server, without the version that may follow it. */
const nameOf = (part: string): string => part.trim().split(/\s+/, 1)[0]?.toLowerCase() ?? ''

/** A header at its semicolons, without comments and quotation marks. Empty if it is too long or broken. */
function partsOf(header: string): readonly string[] {
  if (header.length > maxLength) return []
  const parts = ['']
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < header.length; at += 1) {
    const sign = header[at] ?? ''
    if (sign === '\\' && (isQuoted || depth > 0)) at += 1
    else if (isQuoted) {
      if (sign === '"') isQuoted = false
      // What is quoted may not look like a result of its own.
      else parts.push(`${parts.pop() ?? ''}${/[\s;=]/.test(sign) ? '_' : sign}`)
    } else if (sign === '(') depth += 1
    else if (sign === ')') depth = Math.max(0, depth - 1)
    else if (depth > 0) continue
    else if (sign === '"') isQuoted = true
    else if (sign === ';') parts.push('')
    else parts.push(`${parts.pop() ?? ''}${sign}`)
  }
  return isQuoted || depth > 0 ? [] : parts
}

function resultOf(part: string): Result {
  const [first = '', ...rest] = part
    .trim()
    .toLowerCase()
    .replace(/\s*=\s*/g, '=')
    .split(/\s+/)
  const [method = '', value = ''] = first.split('=', 2)
  const properties = rest.map((each) => each.split('=', 2)).map(([name = '', text = '']) => [name, text] as const)
  return { method: method.split('/', 1)[0] ?? '', value, properties: Object.fromEntries(properties) }
}
