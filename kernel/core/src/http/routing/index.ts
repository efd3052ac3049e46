export { createDispatchTable, type DispatchTable, routeTableToken } from './dispatch-table.js'
