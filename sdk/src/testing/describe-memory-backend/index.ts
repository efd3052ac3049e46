export * from './describe-memory-backend.js'
export type { MemoryBench } from './memory-bench.js'
export type { MemoryBackendSuiteOptions } from './suite-options.js'
