/**
 * Lists that are long and have to be there as a whole: what is far from the part that is seen costs next to nothing, and yet is found
 * by the search of the browser. Loaded only by screens that import it.
 *
 * @packageDocumentation
 */

export { VirtualRows } from './lists/virtual-rows.js'
