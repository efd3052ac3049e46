/** What compiled screens import of Solid, whichever of its modules they name: all of them share one, and so its signals. */
export * from 'solid-js'
export { createComponent, getOwner, untrack } from 'solid-js'
export { createMutable, createStore, modifyMutable, produce, reconcile, unwrap } from 'solid-js/store'
export * from './dom.js'
