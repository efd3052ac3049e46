import { strict as assert } from 'node:assert'
import { setMaxListeners } from 'node:events'
import type {
  VaultConnection,
  VaultConnector,
  VaultField,
  VaultItem,
  VaultListQuery,
} from '../../contracts/vault-connector/vault-connector.js'
import { failWithError } from '../wrong-error.js'
import { createSecretSearch } from './secret-search.js'
import type { VaultBench, VaultBenchItem } from './vault-bench.js'
import { watchConnector } from './watched-connector.js'

/** An item with its values. */
export interface ReadItem {
  readonly item: VaultItem
  readonly fields: readonly VaultField[]
}

/** A bench for one test, whose connector is watched. */
export interface SuiteBench extends VaultBench {
  /** Watched: see {@link watchConnector}. */
  readonly connector: VaultConnector
  /** The connection of the account. */
  readonly connection: VaultConnection
  readonly signal: AbortSignal
  /** All pages, from the cursor on. Fails if they do not end. */
  listAll(query?: Partial<VaultListQuery>, connection?: VaultConnection): Promise<readonly VaultItem[]>
  /** The item of this title, as the list has it. */
  find(title: string, connection?: VaultConnection): Promise<VaultItem>
  /** Reads an item by its title. */
  readTitle(title: string, connection?: VaultConnection): Promise<ReadItem>
}

/** Runs one test with a bench of its own. */
export type VaultTestBody = (bench: SuiteBench) => Promise<void>

/** Pages of a list in a test; more of them have no end. */
const maxPages = 500

/** Opens a bench, runs a test, looks into the log and closes the bench. */
export async function withSuiteBench(create: () => VaultBench | Promise<VaultBench>, test: VaultTestBody): Promise<void> {
  const bench = await create()
  try {
    const secrets = createSecretSearch(bench)
    const connector = watchConnector(bench.connector, secrets)
    const { signal } = new AbortController()
    setMaxListeners(0, signal)
    const connection = bench.account.connection
    const listAll: SuiteBench['listAll'] = async (query = {}, of = connection) => {
      const items: VaultItem[] = []
      let cursor = query.cursor
      for (let pages = 0; pages < maxPages; pages += 1) {
        const page = await connector.list(of, { limit: 200, ...query, ...(cursor === undefined ? {} : { cursor }) }, { signal })
        items.push(...page.items)
        if (page.nextCursor === undefined) return items
        cursor = page.nextCursor
      }
      return assert.fail(`the list has more than ${maxPages} pages`)
    }
    const find: SuiteBench['find'] = async (title, of) => {
      const items = await listAll({}, of)
      return items.find((item) => item.title === title) ?? assert.fail(`the list has no “${title}”, but ${items.map((item) => item.title)}`)
    }
    await test({
      ...bench,
      ...{ connector, connection, signal, listAll, find },
      readTitle: async (title, of = connection) => connector.read(of, (await find(title, of)).id, { signal }),
      add(item) {
        secrets.add(item)
        return bench.add(item)
      },
      change(title, item) {
        secrets.add(item)
        return bench.change(title, item)
      },
    })
    secrets.assertNone((bench.lines?.() ?? []).join('\n'), 'the log')
    secrets.assertNone((bench.elsewhere?.() ?? []).join('\n'), 'the request to the server of the redirect')
  } finally {
    await bench.close()
  }
}

/** The fields of an item in a form that can be compared. */
export const valuesOf = (fields: readonly VaultField[]): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1)))

/** The first item of an account. */
export const firstOf = ({ items: [first] }: { readonly items: readonly VaultBenchItem[] }): VaultBenchItem =>
  first ?? assert.fail('the bench has no item')

/** Fails unless work fails, with this code if there is one, and returns the details of the error. */
export async function failsWith(
  work: Promise<unknown>,
  code: string | undefined,
  what: string,
): Promise<Readonly<Record<string, unknown>>> {
  const error = await work.then(
    () => assert.fail(`${what} did not fail${code === undefined ? '' : ` with ${code}`}`),
    (reason: unknown) => reason as { readonly code?: string; readonly details?: Readonly<Record<string, unknown>> },
  )
  if (error instanceof assert.AssertionError) throw error
  if (code !== undefined && error.code !== code)
    failWithError(`${what} failed with ${error.code ?? 'an error without a code'} instead of ${code}`, error)
  return error.details ?? {}
}
