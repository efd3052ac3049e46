import { wordOf } from './names.js'
import type { PluginSources } from './plugin-sources.js'

/** A vault that is read over HTTP, and a server of it for the test. */
export const vaultConnectorSources = (id: string): PluginSources => {
  const word = wordOf(id, 'vault')
  return {
    index: indexText(id),
    test: testText(word),
    more: {
      'create-vault.ts': createVaultText(word),
    },
  }
}

const indexText = (id: string): string => `import { definePlugin, Type } from '@agent-service/sdk'
import { vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { createVault } from './create-vault.js'

export default definePlugin({
  manifest: {
    id: '${id}',
    apiVersion: 1,
    contributes: ['vault.connector'],
    config: Type.Object({ base_url: Type.String({ default: 'https://vault.example', format: 'uri' }) }),
    permissions: [{ kind: 'network', targetsFromConfiguration: ['/base_url'], reason: 'Lists and reads the items of the vault.' }],
  },
  setup: (context) => context.contribute(vaultConnectors, createVault({ baseUrl: context.config.base_url })),
})
`

const testText = (word: string): string => `import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as runner from 'node:test'
import { type VaultConnection, vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { createTestContext, describeVaultConnector, type VaultBench, type VaultBenchItem, type VaultFault } from '@agent-service/sdk/testing'
import { createVault } from './create-vault.js'
import plugin from './index.js'

// Every rule of the contract.
describeVaultConnector({
  name: '${word}',
  create: createBench,
  supports: { write: false, renew: false },
  faults: ['down', 'failing', 'silent', 'busy', 'forbidding', 'revoked', 'damaged', 'huge'],
  runner,
})

const statuses: Readonly<Partial<Record<VaultFault, number>>> = { failing: 500, busy: 429, revoked: 401 }
const item = (title: string, group: string): VaultBenchItem => ({
  title,
  group,
  fields: [
    { name: 'user', value: \`user of \${title}\`, secret: false },
    { name: 'password', value: \`secret of \${title}\`, secret: true },
  ],
})

/** A vault in this process, which the suite changes and breaks. */
async function createBench(): Promise<VaultBench> {
  let count = 0
  const accounts = new Map<string, Map<string, VaultBenchItem>>()
  const add = (token: string, ...items: readonly VaultBenchItem[]): void => {
    const account = accounts.get(token) ?? new Map<string, VaultBenchItem>()
    for (const each of items) account.set(String((count += 1)).padStart(6, '0'), each)
    accounts.set(token, account)
  }
  let fault: VaultFault | undefined
  const server = createServer((request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const account = accounts.get(token)
    const status = fault && statuses[fault]
    if (fault === 'down') request.socket.resetAndDestroy()
    else if (fault === 'silent') return
    else if (fault === 'damaged') response.end('{"account": "Ada", "items": [{}]}')
    else if (fault === 'huge') response.end('x'.repeat(5 * 1024 * 1024))
    else if (status !== undefined) response.writeHead(status).end()
    else if (account === undefined) response.writeHead(401).end()
    else if (fault === 'forbidding' && request.url !== '/me') response.writeHead(403).end()
    else response.end(JSON.stringify({ account: 'Ada', items: [...account].map(([id, each]) => ({ id, ...each })) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const connection = (token: string): VaultConnection => ({ id: token, origin: 'user', members: { token } })
  const mine = 'token-of-ada-1'
  const items = [item('Printer', 'Office'), item('Router', 'Office'), item('Database', 'Servers')]
  add(mine, ...items)
  add('token-of-eve-2', item('Alarm', 'Home'))
  const idOf = (title: string): string => [...(accounts.get(mine) ?? [])].find(([, each]) => each.title === title)?.[0] ?? ''
  return {
    connector: createVault({ baseUrl: \`http://127.0.0.1:\${port}\`, limitMs: 2_000 }),
    account: { connection: connection(mine), items },
    other: { connection: connection('token-of-eve-2'), items: [item('Alarm', 'Home')] },
    wrong: { 'another token': connection('token-of-none-3') },
    add: async (each) => add(mine, each),
    change: async (title, each) => void accounts.get(mine)?.set(idOf(title), each),
    remove: async (title) => void accounts.get(mine)?.delete(idOf(title)),
    break: async (next) => void (fault = next),
    mend: async () => void (fault = undefined),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

runner.it('is set up', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  assert.equal(test.contributed(vaultConnectors)[0]?.id, '${word}')
  await test.dispose()
})
`

const createVaultText = (word: string): string => `import { Type } from '@agent-service/sdk'
import { readText } from '@agent-service/sdk/async'
import {
  defineVaultConnector,
  type VaultConnection,
  type VaultField,
  type VaultItem,
  vaultContentInvalidError,
  vaultCursorInvalidError,
  vaultForbiddenError,
  vaultItemNotFoundError,
  vaultRateLimitedError,
  vaultUnauthorizedError,
  vaultUnavailableError,
} from '@agent-service/sdk/contracts/vault-connector'

const vault = 'The vault'
const maxBytes = 4 * 1024 * 1024

interface Answer {
  readonly account: string
  readonly items: readonly { readonly id: string; readonly title: string; readonly group?: string; readonly fields: readonly VaultField[] }[]
}

/** A vault that gives all items of a token at \`GET /items\`, and tells at \`GET /me\` whose it is. It never takes an address from a person, so it may call it with \`fetch\`. */
export const createVault = ({ baseUrl, limitMs = 10_000 }: { readonly baseUrl: string; readonly limitMs?: number }) => {
  const ask = async (path: '/me' | '/items', { members }: VaultConnection, signal: AbortSignal): Promise<Answer> => {
    signal.throwIfAborted()
    try {
      const headers = { authorization: \`Bearer \${String(members['token'])}\` }
      const within = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
      const response = await fetch(new URL(path, baseUrl), { headers, redirect: 'error', signal: within })
      const problem = problemOf(response.status)
      if (problem !== undefined) {
        await response.body?.cancel()
        throw problem
      }
      return answerOf(await textOf(response))
    } catch (error) {
      signal.throwIfAborted()
      // What \`fetch\` throws may repeat the request, so it is not passed on.
      throw isOwn(error) ? error : vaultUnavailableError.create({ vault, reason: 'it does not answer' })
    }
  }
  return defineVaultConnector({
    id: '${word}',
    title: 'A vault',
    connection: Type.Object({ token: Type.String({ title: 'Token', minLength: 1, 'x-secret': true }) }, { additionalProperties: false }),
    test: async (connection, { signal }) => ({ account: (await ask('/me', connection, signal)).account }),
    async list(connection, { limit, cursor, text }, { signal }) {
      if (cursor !== undefined && !cursor.startsWith('after ')) throw vaultCursorInvalidError.create({ vault })
      const wanted = text?.toLowerCase()
      const found = (await ask('/items', connection, signal)).items
        .filter(({ id }) => cursor === undefined || id > cursor.slice('after '.length))
        .filter(({ id, title, group = '' }) => wanted === undefined || \`\${title}\\n\${group}\\n\${id}\`.toLowerCase().includes(wanted))
        .sort((one, other) => (one.id < other.id ? -1 : 1))
      const last = found.slice(0, limit).at(-1)
      return {
        items: found.slice(0, limit).map(itemOf),
        ...(last && found.length > limit && { nextCursor: \`after \${last.id}\` }),
      }
    },
    async read(connection, id, { signal }) {
      const item = (await ask('/items', connection, signal)).items.find((each) => each.id === id)
      if (item === undefined) throw vaultItemNotFoundError.create({ id, deleted: false })
      return { item: itemOf(item), fields: item.fields }
    },
  })
}

const itemOf = ({ id, title, group, fields }: Answer['items'][number]): VaultItem => ({
  id,
  title,
  ...(group !== undefined && { group }),
  fields: fields.map(({ name }) => name),
})

function problemOf(status: number): Error | undefined {
  if (status === 200) return undefined
  if (status === 401) return vaultUnauthorizedError.create({ vault, reason: 'unknown' })
  if (status === 403) return vaultForbiddenError.create({ vault, what: 'list its items' })
  if (status === 429) return vaultRateLimitedError.create({ vault })
  return vaultUnavailableError.create({ vault, reason: \`it answers with the status \${status}\` })
}

const own = [vaultContentInvalidError, vaultForbiddenError, vaultRateLimitedError, vaultUnauthorizedError, vaultUnavailableError]
const isOwn = (error: unknown): boolean => own.some((definition) => definition.isInstance(error))

const invalid = (reason: string): Error => vaultContentInvalidError.create({ vault, reason })

const textOf = async ({ body }: Response): Promise<string> => {
  if (body === null) return ''
  const tooLarge = (): Error => invalid('its answer is too large')
  return readText(body, { maxBytes, tooLarge })
}

function answerOf(text: string): Answer {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw invalid('its answer is not JSON')
  }
  if (!isAnswer(answer)) throw invalid('its answer has another form')
  return answer
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
const isText = (value: unknown): value is string => typeof value === 'string'
const isField = (value: unknown): boolean =>
  isObject(value) && isText(value['name']) && isText(value['value']) && typeof value['secret'] === 'boolean'
const isItem = (value: unknown): boolean =>
  isObject(value) && isText(value['id']) && isText(value['title']) && Array.isArray(value['fields']) && value['fields'].every(isField)
const isAnswer = (value: unknown): value is Answer =>
  isObject(value) && isText(value['account']) && Array.isArray(value['items']) && value['items'].every(isItem)
`
