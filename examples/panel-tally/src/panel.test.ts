import { createTestContext, describeConsolePanel } from '@agent-service/sdk/testing'
import { openCounters } from './counters.js'
import plugin from './index.js'
import { tallyPanel } from './panel.js'
import { createRoutes } from './routes.js'

const { database, clock } = createTestContext(plugin).services

// Reads the built screen: run it after the build.
describeConsolePanel({ name: 'of the tally', routes: createRoutes(openCounters(database, clock)), create: () => tallyPanel })
