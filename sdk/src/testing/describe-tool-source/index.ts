export { describeToolSource } from './describe-tool-source.js'
export type { ToolSourceExample, ToolSourceSuiteOptions, ToolSourceUnderTest } from './suite-options.js'
