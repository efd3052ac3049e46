import assert from 'node:assert/strict'
import type { SuiteTopic } from '../support/suite-store.js'

/** The driver's declaration, and a new store. */
export function describeOpening({ runner, options, storeTest }: SuiteTopic): void {
  runner.describe('opening', () => {
    storeTest('declares what it supports', async ({ driver }) => {
      assert.equal(driver.specVersion, 1)
      assert.match(driver.id, /^[a-z][a-z0-9-]*$/)
      assert.deepEqual(driver.supports, options.supports)
    })

    storeTest('has backup exactly if it declares it', async ({ driver, connection }) => {
      assert.equal(typeof connection.backup === 'function', driver.supports.hotBackup)
    })

    storeTest('searches texts, and declares it', async ({ driver, connection }) => {
      assert.equal(driver.supports.textSearch, true)
      assert.equal(typeof connection.search, 'function')
    })

    storeTest('starts empty and writable', async ({ connection }) => {
      assert.deepEqual(await connection.layouts(), [])
      assert.equal(await connection.revision(), 0)
      assert.deepEqual(connection.health(), { writable: true })
    })
  })
}
