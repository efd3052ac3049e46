import { createRoot, untrack } from 'solid-js'
import { onEveryReturn } from '../api/on-return.js'
import { addHandler } from '../api/stream.js'
import { beginsWith, keyText, type QueryKey } from './key.js'

/** What the cache needs of something that is read. */
export interface Reading {
  /** Whether it was read or is being read; else a change does not matter to it. */
  readonly isBegun: () => boolean
  /** Whether a value is there. */
  readonly isRead: () => boolean
  /** Reads now, unless it is being read: for somebody who begins to use it. */
  join(): void
  /** What was read has changed: reads again soon. */
  refresh(): void
  /** Gives up what is being read. */
  stop(): void
}

/** What the cache needs of a user. */
export interface User {
  /** False: changes do not read it again. */
  readonly follow?: boolean
}

/** What an entry is made of: the one that reads, made for the latest of its users. */
export interface Kind<Options extends User, Read extends Reading> {
  /** Keeps lists and single values under one key apart. */
  readonly name: string
  readonly make: (latest: () => Options) => Read
}

/** What is under one key, and its users, the latest last. */
interface Entry {
  readonly key: string
  readonly reading: Reading
  readonly users: User[]
  readonly dispose: () => void
}

/** What an event changes: the keys of what is read again, and of all that begins with them. */
type KeysOf = (event: never) => readonly QueryKey[]

/** What is read of one feature, by keys. What nobody uses any more is forgotten. */
export class QueryCache {
  readonly #entries = new Map<string, Entry>()
  readonly #changes: Readonly<Record<string, KeysOf>>
  #isFollowing = false

  constructor(changes: Readonly<Record<string, KeysOf>>) {
    this.#changes = changes
  }

  /**
   * Begins to use what is under a key; the first user makes it. It is read as its latest user says: what one that has gone would read
   * may be something else by now. Nothing is read yet.
   */
  enter<Options extends User, Read extends Reading>(kind: Kind<Options, Read>, key: QueryKey, options: Options): Read {
    this.#follow()
    const id = idOf(kind, key)
    const entry = this.#entries.get(id) ?? makeEntry(kind, key, options)
    entry.users.push(options)
    this.#entries.set(id, entry)
    return entry.reading as Read
  }

  /** Ends a use. */
  exit<Options extends User, Read extends Reading>(kind: Kind<Options, Read>, key: QueryKey, options: Options): void {
    const id = idOf(kind, key)
    const entry = this.#entries.get(id)
    const place = entry?.users.lastIndexOf(options) ?? -1
    if (!entry || place < 0) return
    entry.users.splice(place, 1)
    if (entry.users.length > 0) return
    this.#entries.delete(id)
    entry.reading.stop()
    entry.dispose()
  }

  /** What is under these keys has changed, and under all that begin with them. */
  invalidate(keys: readonly QueryKey[]): void {
    for (const { key, reading, users } of this.#entries.values())
      if (reading.isBegun() && users.some(({ follow }) => follow !== false) && keys.some((changed) => beginsWith(key, changed)))
        reading.refresh()
  }

  /** From the first use on, for as long as the page is open. After lost events, nothing that was read is known to be so still. */
  #follow(): void {
    if (this.#isFollowing) return
    this.#isFollowing = true
    for (const [name, keysOf] of Object.entries(this.#changes)) addHandler(name, (event) => this.invalidate(keysOf(event)))
    addHandler('reset', () => this.invalidate([[]]))
    onEveryReturn(() => this.invalidate([[]]))
  }
}

const idOf = ({ name }: { readonly name: string }, key: QueryKey): string => `${name} ${keyText(key)}`

function makeEntry<Options extends User, Read extends Reading>(kind: Kind<Options, Read>, key: QueryKey, first: Options): Entry {
  const users: Options[] = []
  // Its signals outlive the component that is the first to use it.
  return createRoot((dispose) => {
    const reading = untrack(() => kind.make(() => users.at(-1) ?? first))
    return { key: keyText(key), reading, users, dispose }
  }, null)
}
