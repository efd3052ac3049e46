/** 1Password's SDK in threads: it blocks the event loop while it loads, and a fault of it ends its thread. */
export type { SdkMethods } from './messages.js'
export { absentError, sessionEndedError, vault } from './sdk-failure.js'
export { type SdkThread, startSdkThread, type ThreadLimits, usualLimits } from './sdk-thread.js'
export { createThreadPool, type ThreadPool } from './thread-pool.js'
