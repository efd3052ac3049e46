/**
 * Programs that a plugin runs beside itself: with a bounded life, an environment that holds no
 * secrets of the service, and a protocol of messages.
 *
 * @packageDocumentation
 */
export * from './child-exit.js'
export * from './environment.js'
export * from './errors.js'
export * from './framing.js'
export * from './keep-running.js'
export * from './message-channel.js'
export * from './request-peer.js'
export * from './run-child.js'
export * from './start-child.js'
