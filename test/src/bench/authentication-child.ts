/**
 * The whole service, in which the handler of `GET /api/agents` also answers on an open route.
 * Prints its address and an access token, with a blank between them.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { startKernel } from '@agent-service/kernel'
import { routeTableToken } from '@agent-service/kernel/testing/tokens'
import { signUp } from '../support/api.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-'))
const kernel = await startKernel({
  version: '0.0.0',
  builtInFolder: path.join(root, 'plugins'),
  installedResources: path.join(root, 'resources'),
  installFolder: path.join(root, 'kernel'),
  workingDirectory: folder,
  environment: {
    SERVICE_SERVER_DATA_DIR: path.join(folder, 'data'),
    SERVICE_SERVER_PORT: '0',
    SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for benches alone',
    SERVICE_AUTH_ALLOW_REGISTRATION: 'true',
  },
  // Every line is made as in the product, and thrown away.
  log: { format: 'json', stream: { write: () => undefined } },
})
const { token, userId } = await signUp(kernel.url, 'ada')

const table = kernel.container.resolve(routeTableToken)
const found = table.current().match('/api/agents')?.find('GET')
if (!found) throw new Error('There is no GET /api/agents.')
const { route } = found.entry
const principal = { userId, username: 'ada', handle: 'ada', role: 'admin', scopes: ['read'] } as const
table.add(
  {
    ...route,
    path: '/api/open-agents',
    operationId: 'listAgentsOpenly',
    auth: 'public',
    handle: (request) => route.handle({ ...request, principal }),
  },
  { id: 'kernel' },
)
process.stdout.write(`${kernel.url} ${token}\n`)

process.on('SIGTERM', () => {
  void kernel
    .stop()
    .then(() => rm(folder, { recursive: true, force: true }))
    .then(() => process.exit(0))
})
