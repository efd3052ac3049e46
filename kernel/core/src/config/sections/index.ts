import { authSection } from './auth.js'
import { pluginsSection, schedulerSection } from './plugins.js'
import { serverSection } from './server.js'
import { cacheSection, databaseSection, storageSection } from './storage.js'

export * from './auth.js'
export * from './plugins.js'
export * from './server.js'
export * from './storage.js'

export const kernelSections = Object.freeze({
  server: serverSection,
  auth: authSection,
  database: databaseSection,
  storage: storageSection,
  cache: cacheSection,
  scheduler: schedulerSection,
  plugins: pluginsSection,
})
