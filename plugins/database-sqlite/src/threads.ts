import { Worker } from 'node:worker_threads'

/** Starts a thread from one of the modules beside this one. */
export type StartThread = (module: 'writer-thread' | 'backup-thread' | 'search-thread', workerData: unknown) => Worker

/** The threads of the product. Their output and errors come through messages and events; they see neither arguments nor environment. */
export const startThread: StartThread = (module, workerData) =>
  new Worker(new URL(`./${module}.js`, import.meta.url), { name: `database-${module}`, workerData, argv: [], env: {} })
