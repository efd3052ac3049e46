import { type Logger, Type, validate } from '@agent-service/sdk'
import type { CacheFiles } from '@agent-service/sdk/services/cache-files'
import type { Clock } from '@agent-service/sdk/services/clock'
import { sha256 } from '../store/lock-file.js'
import { createTurns } from '../store/turns.js'

/** What a server said about an archive, to ask it whether the archive has changed. */
export interface Validators {
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

/** An archive as it was fetched before. */
export interface CachedArchive extends Validators {
  readonly bytes: Uint8Array
}

/**
 * Archives that were fetched from addresses, each with its checksum and its validators. It may be
 * emptied at any time; what cannot be read or does not fit its checksum counts as absent. It holds
 * no address: only their hashes.
 */
export interface ArchiveCache {
  read(url: string): Promise<CachedArchive | undefined>
  /** Keeps an archive in the place of the one that was not used for longest. A failure is logged, not thrown. */
  keep(url: string, archive: CachedArchive): Promise<void>
  /** The archive of an address was used now: it goes last. A failure is logged, not thrown. */
  used(url: string): Promise<void>
  /** Removes what was not used for thirty days. */
  clean(): Promise<void>
}

/** So many archives are kept, of at most 8 MiB each; their files have these numbers, so that no lost index leaves more. */
const maxArchives = 16
const unusedMs = 30 * 24 * 3_600_000
const indexName = 'downloads.json'
const fileOf = (slot: number): string => `archive-${slot}.base64`

const hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const indexSchema = Type.Array(
  Type.Object({
    slot: Type.Integer({ minimum: 0, maximum: maxArchives - 1 }),
    /** SHA-256 of the address, which may contain a secret. */
    address: hash,
    sha256: hash,
    etag: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]),
    last_modified: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
    used_at: Type.Integer({ minimum: 0 }),
  }),
  { maxItems: maxArchives },
)

interface Entry {
  readonly slot: number
  readonly address: string
  readonly sha256: string
  readonly etag: string | null
  readonly last_modified: string | null
  readonly used_at: number
}

interface CacheParts {
  readonly files: CacheFiles
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Logger, 'warn'>
}

export function createArchiveCache({ files, clock, log }: CacheParts): ArchiveCache {
  const turns = createTurns()
  const write = (entries: readonly Entry[]): Promise<void> => files.write(indexName, JSON.stringify(entries))
  /** Alone, and without failing its caller: the cache only saves time. */
  const changing = (work: (entries: readonly Entry[]) => Promise<void>): Promise<void> =>
    turns.run(async () => {
      try {
        await work(await readIndex(files))
      } catch (error) {
        log.warn('The cache of fetched skills could not be changed.', { error })
      }
    })
  return {
    read: (url) =>
      turns.run(async () => {
        try {
          const address = sha256(url)
          const entry = (await readIndex(files)).find((each) => each.address === address)
          const text = entry && (await files.read(fileOf(entry.slot)))
          const bytes = text === undefined ? undefined : Buffer.from(text, 'base64')
          if (!entry || !bytes || sha256(bytes) !== entry.sha256) return undefined
          return { bytes, etag: entry.etag ?? undefined, lastModified: entry.last_modified ?? undefined }
        } catch (error) {
          log.warn('The cache of fetched skills could not be read.', { error })
          return undefined
        }
      }),
    keep: (url, { bytes, etag = null, lastModified = null }) =>
      changing(async (entries) => {
        const address = sha256(url)
        const others = entries.filter((entry) => entry.address !== address)
        const slot = entries.find((entry) => entry.address === address)?.slot ?? freeSlot(others)
        await files.write(fileOf(slot), Buffer.from(bytes).toString('base64'))
        const entry = { slot, address, sha256: sha256(bytes), etag, last_modified: lastModified, used_at: clock.now() }
        await write([...others.filter((each) => each.slot !== slot), entry])
      }),
    used: (url) =>
      changing(async (entries) => {
        const address = sha256(url)
        await write(entries.map((entry) => (entry.address === address ? { ...entry, used_at: clock.now() } : entry)))
      }),
    clean: () =>
      changing(async (entries) => {
        const kept = entries.filter(({ used_at }) => used_at > clock.now() - unusedMs)
        const slots = new Set(kept.map(({ slot }) => slot))
        if (kept.length < entries.length) await write(kept)
        for (let slot = 0; slot < maxArchives; slot += 1) if (!slots.has(slot)) await files.remove(fileOf(slot))
      }),
  }
}

/** One that is free, or the one that was not used for longest. */
function freeSlot(entries: readonly Entry[]): number {
  const taken = new Set(entries.map(({ slot }) => slot))
  for (let slot = 0; slot < maxArchives; slot += 1) if (!taken.has(slot)) return slot
  return [...entries].sort((one, other) => one.used_at - other.used_at)[0]?.slot ?? 0
}

/** An index that is absent or damaged is an empty one. */
async function readIndex(files: Pick<CacheFiles, 'read'>): Promise<readonly Entry[]> {
  const text = await files.read(indexName)
  if (text === undefined) return []
  try {
    const value: unknown = JSON.parse(text)
    return validate(indexSchema, value).length === 0 ? (value as readonly Entry[]) : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
