import type { Logger } from '@agent-service/sdk'
import { defaultReaderLimits } from '../processes/reader-command.js'
import { createReaderPool, type ReaderPool, type ReaderPoolOptions } from '../processes/reader-pool.js'

const silent = (): void => undefined
const log = { trace: silent, debug: silent, info: silent, warn: silent, error: silent } as unknown as Logger

/** A pool with the limits of the product, as far as a test does not set its own. */
export const createTestPool = (options: Partial<ReaderPoolOptions> = {}): ReaderPool =>
  createReaderPool({ log, limits: defaultReaderLimits, maxReaders: 2, limitMs: 60_000, maxDocuments: 50, maxIdleMs: 60_000, ...options })
