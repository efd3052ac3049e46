import { Worker } from 'node:worker_threads'

/** Starts a thread from one of the modules beside this one. */
export type StartThread = (module: 'writer-thread' | 'search-thread', workerData: unknown) => Worker

/**
 * A thread that only passes bytes on needs little room for new objects; left alone it takes 32 MB
 * for them. In megabytes.
 */
const youngGenerationMb = 6

/**
 * The threads of the product. Their output and errors come through messages and events; they see
 * neither arguments nor environment.
 */
export const startThread: StartThread = (module, workerData) =>
  new Worker(new URL(`./${module}.js`, import.meta.url), {
    name: `database-${module}`,
    workerData,
    argv: [],
    env: {},
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
  })
