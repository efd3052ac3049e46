export { type DispatchTable, createDispatchTable, routeTableToken } from './dispatch-table.js'
