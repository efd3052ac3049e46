import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseConnection, DatabaseDriver } from '../../../contracts/database-driver/index.js'
import type { Logger } from '../../../core/logger.js'
import { globalSuiteRunner, type SuiteRunner } from '../../suite-runner.js'
import type { DatabaseDriverSuiteOptions } from './suite-options.js'

/** The store of one test. Every test has its own, which is closed and removed afterwards. */
export interface SuiteStore {
  readonly driver: DatabaseDriver
  readonly connection: DatabaseConnection
  /** The folder that an embedded driver keeps the store in. */
  readonly path: string
  /** Closes the connection and opens the same store again. */
  reopen(): Promise<DatabaseConnection>
  /**
   * Ends the connection without closing it, if the driver's tests can do that, and opens the same
   * store again.
   */
  crash(): Promise<DatabaseConnection>
  /** A new, empty folder. */
  createFolder(): Promise<string>
  /** Opens another folder with the same driver. Closed after the test. */
  openFolder(path: string): Promise<DatabaseConnection>
}

/** Defines one test that gets an empty store. */
export type StoreTest = (title: string, test: (store: SuiteStore) => Promise<void>) => void

/** The helpers for each topic of the suite. */
export interface SuiteTopic {
  readonly runner: SuiteRunner
  readonly options: DatabaseDriverSuiteOptions
  readonly storeTest: StoreTest
}

/** Makes the helpers of one suite. */
export function createSuiteTopic(options: DatabaseDriverSuiteOptions): SuiteTopic {
  const runner = options.runner ?? globalSuiteRunner()
  return {
    runner,
    options,
    storeTest: (title, test) => runner.it(title, () => withStore(options, test)),
  }
}

const silentLog: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
}

async function withStore(options: DatabaseDriverSuiteOptions, test: (store: SuiteStore) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'database-driver-'))
  const opened: DatabaseConnection[] = []
  const controller = new AbortController()
  try {
    const driver = await options.create()
    const url = await options.createUrl?.()
    const open = async (path: string): Promise<DatabaseConnection> => {
      const connection = await driver.open({
        path,
        ...(url === undefined ? {} : { url }),
        settings: options.settings ?? {},
        log: silentLog,
        signal: controller.signal,
      })
      opened.push(connection)
      return connection
    }
    const path = await mkdtemp(join(root, 'store-'))
    let connection = await open(path)
    await test({
      driver,
      path,
      get connection() {
        return connection
      },
      async reopen() {
        await connection.close()
        connection = await open(path)
        return connection
      },
      async crash() {
        if (options.kill) await options.kill(connection)
        else await connection.close()
        connection = await open(path)
        return connection
      },
      createFolder: () => mkdtemp(join(root, 'folder-')),
      openFolder: open,
    })
  } finally {
    await Promise.allSettled(opened.map((connection) => connection.close()))
    controller.abort()
    await rm(root, { recursive: true, force: true })
  }
}
