/**
 * Waits that end: abort races, time limits, bounded reads and queues. The module loads nothing
 * else, and no listener or timer remains.
 *
 * @packageDocumentation
 */
export * from './abortable.js'
export * from './bounded-queue.js'
export * from './in-turns.js'
export * from './limiter.js'
export * from './on-abort.js'
export * from './on-stream-end.js'
export * from './read-bytes.js'
export * from './settles-within.js'
export * from './signal-within.js'
export * from './single-flight.js'
export * from './sleep.js'
export * from './time-source.js'
export * from './until-aborted.js'
export * from './with-time-limit.js'
