import { once } from 'node:events'
import { createServer } from 'node:http'
import { lastingPort } from '../../support/lasting-port.js'

/** A server with the part of HashiCorp Vault's API that reads secrets of one mount, `secret`, at its root. */
export interface SmallVault {
  readonly address: string
  /** How many connections there were. */
  connections(): number
  /** Listens; before that, and after {@link down}, every connection is refused. */
  up(): Promise<void>
  down(): Promise<void>
}

const mount = { data: { path: 'secret/', type: 'kv', options: { version: '2' } } }
const account = { data: { display_name: 'service', expire_time: null, renewable: false, ttl: 0, policies: ['default'] } }
const metadata = { version: 3, created_time: '2024-05-06T07:08:09Z', deletion_time: '', destroyed: false }

/** `secrets`: by title, the values by their names. Other tokens than `token` are refused. */
export async function createSmallVault(
  token: string,
  secrets: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<SmallVault> {
  const answers: Readonly<Record<string, object>> = {
    '/v1/sys/internal/ui/mounts/secret': mount,
    '/v1/auth/token/lookup-self': account,
    '/v1/secret/metadata/?list=true': { data: { keys: Object.keys(secrets) } },
    ...Object.fromEntries(Object.entries(secrets).map(([title, data]) => [`/v1/secret/data/${title}`, { data: { data, metadata } }])),
  }
  const server = createServer(({ url = '', headers }, response) => {
    const isKnown = headers['x-vault-token'] === token
    const body = isKnown ? answers[url] : undefined
    const status = isKnown ? 404 : 403
    response.writeHead(body === undefined ? status : 200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(body ?? { errors: isKnown ? [] : ['permission denied'] }))
  })
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  const port = await lastingPort()
  return {
    address: `http://127.0.0.1:${port}`,
    connections: () => connections,
    async up() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async down() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
