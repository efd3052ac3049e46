import { createPlainSandboxDriver } from '../plain-sandbox-driver/index.js'
import { describeSandboxDriver } from './index.js'

describeSandboxDriver({ name: 'plain', create: createPlainSandboxDriver })
