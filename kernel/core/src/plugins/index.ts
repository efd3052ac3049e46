export * from './contributions/contribution-registry.js'
export * from './discover/discover-plugins.js'
export {
  type DiscoveredPlugin,
  discoveredPluginsToken,
  type InvalidPlugin,
  type PluginOrigin,
  type ValidPlugin,
} from './discover/discovered-plugin.js'
export * from './order/plugin-slots.js'
export * from './plugin-errors.js'
export * from './run/plugin-host.js'
export * from './run/plugin-report.js'
export { readSwitchedOff } from './run/plugin-switches.js'
export type * from './start/plugin-environment.js'
