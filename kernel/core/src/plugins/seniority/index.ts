export { type OrderEntry, orderPlugins, placeOf } from './plugin-order.js'
export { readPluginOrder } from './read-order.js'
export { recordOrder } from './record-order.js'
