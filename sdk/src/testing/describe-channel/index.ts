export * from './channel-bench.js'
export { describeChannel } from './describe-channel.js'
export type { ChannelSuiteOptions } from './suite-options.js'
