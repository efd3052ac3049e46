export { describeAgentRunHook, type MaskExample, type RunHookSuiteOptions, type VetoExample } from './describe-agent-run-hook.js'
