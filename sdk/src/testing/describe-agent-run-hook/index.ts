export { describeAgentRunHook, type RunHookSuiteOptions } from './describe-agent-run-hook.js'
export type { MaskExample } from './mask-example.js'
export type { VetoExample } from './vetoes.js'
