import { authSection } from './auth.js'
import { cacheSection } from './cache.js'
import { databaseSection } from './database.js'
import { pluginsSection } from './plugins.js'
import { schedulerSection } from './scheduler.js'
import { serverSection } from './server.js'
import { storageSection } from './storage.js'

export * from './auth.js'
export * from './cache.js'
export * from './database.js'
export * from './plugins.js'
export * from './scheduler.js'
export * from './server.js'
export * from './storage.js'

/** The sections of the configuration that the kernel owns, by name. */
export const kernelSections = Object.freeze({
  server: serverSection,
  auth: authSection,
  database: databaseSection,
  storage: storageSection,
  cache: cacheSection,
  scheduler: schedulerSection,
  plugins: pluginsSection,
})
