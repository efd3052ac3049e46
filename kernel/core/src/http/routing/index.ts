export { createDispatchTable, type DispatchTable, routeTableToken } from './dispatch-table.js'
export { parameterNamesOf } from './route-check.js'
export { limitsOf } from './websocket-gate.js'
