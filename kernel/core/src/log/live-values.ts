import { redactedText } from './redactor.js'

const shortest = 6
const longest = 16_384
const base = 31
/** `base` to the power of `shortest - 1`, the weight of the character that leaves the window. */
const leaving = base ** (shortest - 1)

/** The secret values that are in use now, found in a text in one pass whatever their number. */
export interface LiveValues {
  add(value: string): void
  mask(text: string): string
  /** Characters of the longest value: a text that is cut needs that much more to be masked right. */
  longest(): number
}

/** Keeps at most `capacity` values (with their spellings in URLs and JSON); the one that was added longest ago goes first. */
export function createLiveValues(capacity: number): LiveValues {
  const values = new Map<string, readonly string[]>()
  /** Spellings by the hash of their first characters, then by their length, longest first: many tokens start alike, few differ in length. */
  const byStart = new Map<number, Map<number, Set<string>>>()
  /** Which low halves of hashes occur at all: most places in a text are passed over by this alone. Never cleared, so only ever too generous. */
  const startsHere = new Uint8Array(0x1_0000)
  let longestLength = 0

  const forget = (value: string): void => {
    for (const spelling of values.get(value) ?? []) {
      const key = hashOfStart(spelling)
      const lengths = byStart.get(key)
      const same = lengths?.get(spelling.length)
      same?.delete(spelling)
      if (same?.size === 0) lengths?.delete(spelling.length)
      if (lengths?.size === 0) byStart.delete(key)
    }
    values.delete(value)
  }

  const remember = (spelling: string): void => {
    const key = hashOfStart(spelling)
    startsHere[key & 0xffff] = 1
    const lengths = byStart.get(key) ?? new Map<number, Set<string>>()
    const same = lengths.get(spelling.length)
    if (same) same.add(spelling)
    else byStart.set(key, new Map([...lengths, [spelling.length, new Set([spelling])] as const].sort(([left], [right]) => right - left)))
    longestLength = Math.max(longestLength, spelling.length)
  }

  const lengthFound = (text: string, at: number, hash: number): number => {
    for (const [length, same] of byStart.get(hash) ?? []) if (same.has(text.slice(at, at + length))) return length
    return 0
  }

  return {
    add(value) {
      if (value.length < shortest) return
      const kept = value.slice(0, longest)
      const known = values.get(kept)
      if (known) {
        // The newest again.
        values.delete(kept)
        values.set(kept, known)
        return
      }
      const spellings = spellingsOf(kept)
      values.set(kept, spellings)
      for (const spelling of spellings) remember(spelling)
      const oldest = values.size > capacity ? values.keys().next().value : undefined
      if (oldest !== undefined) forget(oldest)
    },
    mask(text) {
      if (byStart.size === 0 || text.length < shortest) return text
      const parts: string[] = []
      let copied = 0
      let at = 0
      let hash = hashOfStart(text)
      while (at <= text.length - shortest) {
        const found = startsHere[hash & 0xffff] === 1 ? lengthFound(text, at, hash) : 0
        if (found > 0) {
          parts.push(text.slice(copied, at), redactedText)
          at += found
          copied = at
          if (at <= text.length - shortest) hash = hashOfStart(text, at)
        } else {
          hash = (Math.imul((hash - Math.imul(text.charCodeAt(at), leaving)) | 0, base) + text.charCodeAt(at + shortest)) | 0
          at += 1
        }
      }
      if (parts.length === 0) return text
      parts.push(text.slice(copied))
      return parts.join('')
    },
    longest: () => longestLength,
  }
}

function hashOfStart(text: string, at = 0): number {
  let hash = 0
  for (let index = at; index < at + shortest; index++) hash = (Math.imul(hash, base) + text.charCodeAt(index)) | 0
  return hash
}

/** A value as it stands, and as it stands in a URL, in JSON, in hexadecimal and in base64, there also in the middle of a longer text. */
function spellingsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8')
  const all = [
    value,
    encodeURIComponent(bytes.toString('utf8')),
    JSON.stringify(value).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    ...[0, 1, 2].map((before) => wholeGroups(bytes, before)).flatMap((inner) => [inner.toString('base64'), inner.toString('base64url')]),
  ]
  return [...new Set(all)].filter((spelling) => spelling.length >= shortest)
}

/** Fewer bytes stand in ordinary texts too. */
const fewestTelling = 12

/** The bytes that base64 spells alike whatever stands around them, when `before` bytes of a group of three come before: nothing where they are few. */
function wholeGroups(bytes: Buffer, before: number): Buffer {
  const start = (3 - before) % 3
  const inner = bytes.subarray(start, bytes.length - ((bytes.length - start) % 3))
  return inner.length < fewestTelling ? Buffer.alloc(0) : inner
}
