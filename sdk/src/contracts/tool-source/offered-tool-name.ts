import { createHash } from 'node:crypto'

/** The longest name that a model may be offered. */
const maxLength = 64
/** The length of the hash in a shortened name. */
const hashLength = 8

/** The prefix of all tool names of a source: `mcp-host` gives `mcp_host__`. */
export const toolNamePrefix = (sourceId: string): string => `${sourceId.replaceAll('-', '_')}__`

/**
 * The name of a source's tool for models: `<source>__<tool>`, of `^[a-z][a-z0-9_]{0,63}$`. It
 * depends only on the two names, so that it stays the same while other tools come and go. An
 * unsuitable name (other characters, too long) ends in a part of its hash, so that two names never
 * become one: `search-files` of `disk` is `disk__search_files_` and 8 characters.
 */
export function offeredToolName(sourceId: string, name: string): string {
  const prefix = toolNamePrefix(sourceId)
  const room = maxLength - prefix.length
  if (/^[a-z0-9_]+$/.test(name) && !endsInHash.test(name) && name.length <= room) return prefix + name
  const plain = name
    .normalize('NFKD')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength)
  const kept = plain.slice(0, room - hashLength - 1)
  return `${prefix}${kept === '' ? '' : `${kept}_`}${hash}`
}

/**
 * A name that already looks as if it had been shortened gets a hash of its own, so that it cannot
 * pass for another.
 */
const endsInHash = /(^|_)[0-9a-f]{8}$/
