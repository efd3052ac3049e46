import { parentPort, workerData } from 'node:worker_threads'
import { readSync } from './read-sync.js'
import type { SyncWork } from './sync-protocol.js'

/** One sync in a thread of its own: thousands of items take longer than the event loop may be held. */
parentPort?.postMessage(readSync(workerData as SyncWork))
