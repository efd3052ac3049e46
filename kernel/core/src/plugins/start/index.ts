export type { PluginLimits } from './plugin-environment.js'
export type { EscapedError, PluginFaults } from './plugin-faults.js'
