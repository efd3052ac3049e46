import 'reflect-metadata'

/**
 * The kernel as a library: starts the service inside another program.
 *
 * @packageDocumentation
 */
export type { KernelOptions } from './composition/kernel-options.js'
export { type Kernel, startKernel } from './composition/start-kernel.js'
