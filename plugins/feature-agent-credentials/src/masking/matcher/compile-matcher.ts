import { setImmediate } from 'node:timers/promises'
import { createHashFilter, createPairTable, gramLength, type HashFilter, hashAt, type PairTable } from './hashes.js'
import { type Pattern, partLength, patternsOf } from './patterns.js'
import type { View } from './views.js'

/** A pattern that is masked as a whole. */
export interface WholePattern {
  readonly bytes: Uint8Array
  /** The number of its credential. */
  readonly credential: number
  /** By length of what fits: how much of that is a beginning of the pattern again (Knuth, Morris, Pratt). Made at the first use. */
  borders: Int32Array | undefined
}

/** The patterns of one view. */
export interface ViewMatcher {
  readonly view: View
  /** By the hash of their first bytes. */
  readonly wholes: ReadonlyMap<number, readonly WholePattern[]>
  readonly wholeBegins: HashFilter
  /** The credential of each part, by the hashes of its halves. */
  readonly parts: PairTable
  readonly partBegins: HashFilter
  /** The first bytes of all patterns and parts, 1 to {@link tailLength} of them, by {@link tailHash}. */
  readonly tails: HashFilter
}

/** The secrets of an agent, ready to be found. */
export interface Matcher {
  /** The names of credentials, by number. */
  readonly credentials: readonly string[]
  readonly views: readonly ViewMatcher[]
  /** How many bytes the patterns have together: a measure of its size. */
  readonly weight: number
}

/** What is at the end of a piece of text waits from so many bytes of a secret on, or from so many characters. */
export const tailLength = 4
/** How long compiling holds the event loop at a time, in milliseconds. */
const turnMs = 8

/** A secret, and what stands in its place. */
export interface SecretToFind {
  readonly credential: string
  readonly value: string
}

/** Makes the matcher of secrets. Gives way to other work. */
export async function compileMatcher(secrets: readonly SecretToFind[]): Promise<Matcher> {
  const credentials = [...new Set(secrets.map(({ credential }) => credential))]
  const patterns: (Pattern & { readonly credential: number })[] = []
  const pause = createPause()
  for (const { credential, value } of secrets)
    for (const pattern of patternsOf(value)) {
      patterns.push({ ...pattern, credential: credentials.indexOf(credential) })
      await pause()
    }
  const views: ViewMatcher[] = []
  for (const view of ['letters', 'signs'] as const) {
    const own = patterns.filter((pattern) => pattern.view === view)
    if (own.length > 0) views.push(await compileView(view, own, pause))
  }
  return { credentials, views, weight: patterns.reduce((sum, { bytes }) => sum + bytes.length, 0) }
}

async function compileView(
  view: View,
  patterns: readonly (Pattern & { readonly credential: number })[],
  pause: () => Promise<void>,
): Promise<ViewMatcher> {
  const count = patterns.reduce((sum, { bytes, masked }) => sum + (masked === 'whole' ? 1 : bytes.length), 0)
  const wholes = new Map<number, WholePattern[]>()
  const [wholeBegins, partBegins, tails] = [createHashFilter(count), createHashFilter(count), createHashFilter(count * tailLength)]
  const parts = createPairTable(count)
  for (const { bytes, credential, masked } of patterns) {
    if (masked === 'whole') {
      const begin = hashAt(bytes, 0)
      const same = wholes.get(begin) ?? []
      wholes.set(begin, same)
      if (!same.some((other) => Buffer.compare(other.bytes, bytes) === 0)) same.push({ bytes, credential, borders: undefined })
      wholeBegins.add(begin)
      addTails(tails, bytes, 0)
    } else {
      const places = masked === 'parts' ? Array.from({ length: bytes.length - partLength + 1 }, (_, at) => at) : masked.at
      for (const at of places) {
        parts.add(hashAt(bytes, at), hashAt(bytes, at + gramLength), credential)
        partBegins.add(hashAt(bytes, at))
        addTails(tails, bytes, at)
      }
    }
    await pause()
  }
  return { view, wholes, wholeBegins, parts, partBegins, tails }
}

/** The hash of a few bytes and of how many they are. */
export const tailHash = (bytes: Uint8Array, at: number, length: number): number => Math.imul(hashAt(bytes, at, length) + length, 0x01000193)

function addTails(tails: HashFilter, bytes: Uint8Array, at: number): void {
  for (let length = 1; length <= tailLength; length += 1) tails.add(tailHash(bytes, at, length))
}

function createPause(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < turnMs) return
    await setImmediate()
    began = performance.now()
  }
}
