export { describeTool, type ToolExample, type ToolSuiteOptions } from './describe-tool.js'
