export { describeAgentRunHook, type RunHookSuiteOptions } from './describe-agent-run-hook.js'
export type { MaskExample } from './masks.js'
export type { VetoExample } from './vetoes.js'
