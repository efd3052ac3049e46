import { redactedText } from './redactor.js'

const minLength = 6
const maxLength = 16_384
const base = 31
/** `base` to the power of `minLength - 1`: the weight of the character that leaves the window. */
const leaving = base ** (minLength - 1)
/** How many characters the values may have together, in all spellings: some 30 MB. */
const maxCharacters = 32_000_000
/** How many characters of one text may be compared. Only values that are made to be alike need more. */
const maxCompared = 4_000_000

/**
 * The secret values in use. A text is masked in one pass, whatever their number; what takes too long
 * to compare, because of values that were made for that, is masked as a whole. Keeps at most
 * `capacity` values, and with all spellings {@link maxCharacters}, unless the capacity is infinite;
 * the one added longest ago is removed first.
 */
export function createLiveValues(capacity: number) {
  const values = new Map<string, readonly string[]>()
  const bound = Number.isFinite(capacity) ? maxCharacters : Number.POSITIVE_INFINITY
  let characters = 0
  /**
   * Spellings by the hash of their first characters, then by length, longest first: many tokens
   * have the same start, few have different lengths.
   */
  const byStart = new Map<number, Map<number, Set<string>>>()
  /**
   * The low halves of hashes that occur: a quick filter that skips most positions of a text. Never
   * cleared, so it can only have false positives.
   */
  const startsHere = new Uint8Array(0x1_0000)
  let longestLength = 0

  const forget = (value: string): void => {
    for (const spelling of values.get(value) ?? []) {
      characters -= spelling.length
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
    characters += spelling.length
  }

  /** The length of the value at this place, 0 for none; and how many characters were compared. */
  const lengthFound = (text: string, at: number, hash: number): { readonly found: number; readonly compared: number } => {
    let compared = 0
    for (const [length, same] of byStart.get(hash) ?? []) {
      if (at + length > text.length) continue
      compared += length
      if (same.has(text.slice(at, at + length))) return { found: length, compared }
      if (compared > maxCompared) break
    }
    return { found: 0, compared }
  }

  return {
    add(value: string): void {
      if (value.length < minLength) return
      const kept = value.slice(0, maxLength)
      const known = values.get(kept)
      if (known) {
        // Makes it the newest.
        values.delete(kept)
        values.set(kept, known)
        return
      }
      const spellings = spellingsOf(kept)
      values.set(kept, spellings)
      for (const spelling of spellings) remember(spelling)
      for (const oldest of values.keys()) {
        if (oldest === kept || (values.size <= capacity && characters <= bound)) break
        forget(oldest)
      }
    },
    mask(text: string): string {
      if (byStart.size === 0 || text.length < minLength) return text
      const parts: string[] = []
      let copied = 0
      let at = 0
      let hash = hashOfStart(text)
      let compared = 0
      while (at <= text.length - minLength) {
        const looked = startsHere[hash & 0xffff] === 1 ? lengthFound(text, at, hash) : undefined
        const found = looked?.found ?? 0
        compared += looked?.compared ?? 0
        if (compared > maxCompared) return [...parts, text.slice(copied, at), redactedText].join('')
        if (found > 0) {
          parts.push(text.slice(copied, at), redactedText)
          at += found
          copied = at
          if (at <= text.length - minLength) hash = hashOfStart(text, at)
        } else {
          hash = (Math.imul((hash - Math.imul(text.charCodeAt(at), leaving)) | 0, base) + text.charCodeAt(at + minLength)) | 0
          at += 1
        }
      }
      if (parts.length === 0) return text
      parts.push(text.slice(copied))
      return parts.join('')
    },
    /**
     * Characters of the longest value: that much has to be read beyond a cut to mask a text correctly.
     */
    longest: (): number => longestLength,
  }
}

function hashOfStart(text: string, at = 0): number {
  let hash = 0
  for (let index = at; index < at + minLength; index++) hash = (Math.imul(hash, base) + text.charCodeAt(index)) | 0
  return hash
}

/**
 * A value as it is, and encoded for URLs, as JSON, in hexadecimal and in base64, also inside a
 * longer text in base64.
 */
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
  return [...new Set(all)].filter((spelling) => spelling.length >= minLength)
}

/** Fewer bytes would also match ordinary texts. */
const minFragmentBytes = 12

/**
 * The bytes whose base64 does not depend on the surrounding bytes, if they begin `before` bytes
 * into a group of three. Empty if they are too few.
 */
function wholeGroups(bytes: Buffer, before: number): Buffer {
  const start = (3 - before) % 3
  const inner = bytes.subarray(start, bytes.length - ((bytes.length - start) % 3))
  return inner.length < minFragmentBytes ? Buffer.alloc(0) : inner
}
