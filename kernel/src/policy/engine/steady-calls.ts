/**
 * For whoever loads Cedar, before it is used. The V8 of Node 20 ends the whole process (“unreachable code”) when it gives up optimised code while a
 * WebAssembly function that returns an object is called from there. Calls that are not inlined are safe, and cost nothing that can be measured here.
 */
import { setFlagsFromString } from 'node:v8'

setFlagsFromString('--no-turbo-inline-js-wasm-calls')
