export { describeTool } from './describe-tool.js'
export type { ToolExample, ToolSuiteOptions, ToolWithState } from './suite-options.js'
