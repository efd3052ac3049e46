import { isIP } from 'node:net'

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** The host name of a `Host` header in lower case, without port and final dot; `undefined` for what names no host. */
export function hostNameOf(header: string | undefined): string | undefined {
  const name = /^(\[[^\]]+\]|[^:[\]]+)(?::\d*)?$/.exec((header ?? '').trim())?.[1]
  return name?.toLowerCase().replace(/\.$/, '')
}

/** Why a text is not a host name or pattern that can be claimed; `undefined` when it is one. */
export function reasonAgainstPattern(pattern: string): string | undefined {
  const name = pattern.startsWith('*.') ? pattern.slice(2) : pattern
  if (name.length > 253 || !name.split('.').every((part) => label.test(part)))
    return 'it must be a host name in lower case without a port, its first label possibly “*”'
  return isIP(name) === 0 && !/^\d+$/.test(name.split('.').at(-1) ?? '') ? undefined : 'an address is not a host name'
}

/** The first label of a name and the rest as the pattern that would match it: `notes` and `*.localhost`. */
export function wildcardOf(name: string): { readonly label: string; readonly pattern: string } | undefined {
  const dot = name.indexOf('.')
  return dot <= 0 ? undefined : { label: name.slice(0, dot), pattern: `*${name.slice(dot)}` }
}
