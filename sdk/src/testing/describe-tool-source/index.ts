export {
  describeToolSource,
  type ToolSourceExample,
  type ToolSourceSuiteOptions,
  type ToolSourceUnderTest,
} from './describe-tool-source.js'
