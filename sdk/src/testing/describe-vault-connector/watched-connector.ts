import { strict as assert } from 'node:assert'
import { inspect } from 'node:util'
import type { VaultCall, VaultConnector, VaultField, VaultItem, VaultItems } from '../../contracts/vault-connector/vault-connector.js'
import { ServiceError } from '../../core/errors.js'
import { assertMembers } from '../settle-within.js'
import { assertPlainData, isOneLine, isWithin } from '../within-limit.js'
import type { SecretSearch } from './secret-search.js'

/** The codes that calls may fail with. */
const codes: ReadonlySet<string> = new Set([
  'vault_unauthorized',
  'vault_forbidden',
  'vault_unavailable',
  'vault_sealed',
  'vault_rate_limited',
  'vault_item_not_found',
  'vault_conflict',
  'vault_content_invalid',
  'vault_connection_invalid',
  'vault_cursor_invalid',
])

/**
 * The connector, each of whose answers and errors is held against the contract: plain data of the
 * right shape, errors of the contract only, the signal's reason after an abort, no secret anywhere.
 */
export function watchConnector(connector: VaultConnector, secrets: SecretSearch): VaultConnector {
  const watch = async <T>(what: string, { signal }: VaultCall, work: () => Promise<T>, check: (result: T) => void): Promise<T> => {
    let result: T
    try {
      result = await work()
    } catch (error) {
      checkError(what, error, signal, secrets)
      throw error
    }
    assertPlainData(result, `the answer of ${what}`)
    check(result)
    return result
  }
  const { write, renew, close } = connector
  return {
    ...connector,
    test: (connection, call) =>
      watch(
        'test',
        call,
        async () => connector.test(connection, call),
        (found) => {
          assertMembers(found, ['account', 'expiresAt', 'renewable'], 'the answer of test')
          assert.ok(isOneLine(found.account) && found.account.length <= 300, 'the account must be one line of at most 300 characters')
          checkTime(found.expiresAt, 'expiresAt')
          assert.ok(found.renewable !== true || connector.supports.renew, 'the connection is renewable, but the connector cannot renew')
          secrets.assertNone(found, 'the answer of test')
        },
      ),
    list: (connection, query, call) =>
      watch(
        'list',
        call,
        async () => connector.list(connection, query, call),
        (page) => {
          checkPage(page, query.limit)
          secrets.assertNone(page, 'the list')
        },
      ),
    read: (connection, id, call) =>
      watch(
        'read',
        call,
        async () => connector.read(connection, id, call),
        ({ item, fields, ...more }) => {
          assertMembers(more, [], 'the answer of read')
          checkItem(item)
          assert.equal(item.id, id, 'read answered with another item')
          secrets.assertNone(item, 'the description of the item')
          checkFields(fields)
        },
      ),
    ...(write && {
      write: (connection, item, call) =>
        watch(
          'write',
          call,
          async () => write.call(connector, connection, item, call),
          (written) => {
            checkItem(written)
            secrets.assertNone(written, 'the description of the item')
          },
        ),
    }),
    ...(renew && {
      renew: (connection, call) =>
        watch(
          'renew',
          call,
          async () => renew.call(connector, connection, call),
          (renewed) => {
            assertMembers(renewed, ['expiresAt'], 'the answer of renew')
            checkTime(renewed.expiresAt, 'expiresAt')
          },
        ),
    }),
    ...(close && { close: async (id) => close.call(connector, id) }),
  }
}

function checkError(what: string, error: unknown, signal: AbortSignal, secrets: SecretSearch): void {
  if (signal.aborted && error === signal.reason) return
  secrets.assertNone(error, `the error of ${what}`)
  assert.ok(
    ServiceError.isInstance(error) && codes.has(error.code),
    `${what} failed with ${signal.aborted ? 'neither the reason of its signal nor' : ''} an error that is not one of the contract: ${inspect(error)}`,
  )
}

function checkPage(page: VaultItems, limit: number): void {
  assertMembers(page, ['items', 'nextCursor'], 'the list')
  assert.ok(page.items.length <= limit, `the list has ${page.items.length} items, the limit is ${limit}`)
  for (const item of page.items) checkItem(item)
  const { nextCursor } = page
  assert.ok(
    nextCursor === undefined || (typeof nextCursor === 'string' && isWithin(nextCursor.length, 1, 4_000)),
    'the cursor must have 1 to 4,000 characters',
  )
}

const itemMembers = ['id', 'title', 'group', 'fields', 'changedAt', 'revision']

function checkItem(item: VaultItem): void {
  assertMembers(item, itemMembers, 'an item')
  const { id, title, group, fields, changedAt, revision } = item
  assert.ok(isWithin(id.length, 1, 1_000), `the id “${id}” must have 1 to 1,000 characters`)
  assert.ok(isOneLine(title) && title.length <= 300, `the title “${title}” must be one line of at most 300 characters`)
  assert.ok(group === undefined || isOneLine(group), `the group of “${title}” must be one line of text; leave out one that is empty`)
  assert.ok(fields === undefined || fields.every((name) => typeof name === 'string'), `the fields of “${title}” must be names`)
  checkTime(changedAt, 'changedAt')
  assert.ok(revision === undefined || isWithin(revision.length, 1, 200), `the revision of “${title}” must have 1 to 200 characters`)
}

function checkFields(fields: readonly VaultField[]): void {
  for (const field of fields) {
    assertMembers(field, ['name', 'value', 'secret'], 'a field')
    assert.ok(isWithin(field.name.length, 1, 200), `the name of the field “${field.name}” must have 1 to 200 characters`)
    assert.ok(typeof field.value === 'string' && typeof field.secret === 'boolean', `the field “${field.name}” has a wrong type`)
  }
  assert.equal(new Set(fields.map(({ name }) => name)).size, fields.length, 'two fields have the same name')
}

/** A time since 1970 in milliseconds; in seconds it would be before 2001. */
function checkTime(value: number | undefined, what: string): void {
  assert.ok(value === undefined || isWithin(value, 1e12, 1e14), `${what} must be in milliseconds since 1970, and is ${value}`)
}
