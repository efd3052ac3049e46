export { type CompiledRoutes, createDispatchTable, type DispatchTable, routeTableToken } from './dispatch-table.js'
export { parameterNamesOf } from './route-check.js'
export type { EffectiveLimits } from './websocket-gate.js'
export { limitsOf } from './websocket-gate.js'
