import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { signUp } from '../../../support/api.js'
import { type CompletionsUpstream, startCompletionsUpstream } from './completions-upstream.js'

/** A real service with the adapter of the completions protocol, whose vendor a test scripts. */
export interface ClientsKernel {
  readonly kernel: TestKernel
  readonly upstream: CompletionsUpstream
  /** The base URL for clients. */
  readonly baseURL: string
  readonly apiKey: string
  chats(): Promise<number>
  close(): Promise<void>
}

/** The groups `primary` and `embedding`, and the agent `talker`. */
export async function startClientsKernel(): Promise<ClientsKernel> {
  const upstream = await startCompletionsUpstream()
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-clients-'))
  await mkdir(path.join(folder, 'data'), { recursive: true })
  const group = (model: string) => [
    `    provider: upstream`,
    `    model: ${model}`,
    '    api: completions',
    '    retry:',
    '      max_retries: 0',
  ]
  await writeFile(
    path.join(folder, 'data', 'config.yaml'),
    [
      ...['providers:', '  upstream:', '    provider: recorded', '    adapter: adapter_alpha'],
      ...[`    base_url: ${upstream.url}`, '    api_key: ${UPSTREAM_KEY}', 'models:'],
      ...['  primary:', ...group('chat-model'), '  embedding:', ...group('embedding-model'), ''],
    ].join('\n'),
  )
  const kernel = await createTestKernel({ folder, environment: { UPSTREAM_KEY: 'key' } })
  const ada = await signUp(kernel.url, 'ada')
  await ada.request('POST', '/api/agents', { handle: 'talker', name: 'Talker' })
  const token = await ada.request('POST', '/api/auth/tokens', { name: 'clients', scopes: ['read', 'write', 'inference'] })
  return {
    ...{ kernel, upstream, baseURL: `${kernel.url}/v1`, apiKey: String(token.body['token']) },
    chats: async () => ((await ada.request('GET', '/api/chats?limit=200')).body['items'] as readonly unknown[]).length,
    async close() {
      try {
        await kernel.stop()
      } finally {
        await upstream.close()
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** A picture of one pixel. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Refusals of a vendor, and the status that a client gets: none of them is tried again. */
export const refusals: readonly (readonly [vendor: number, status: number])[] = [
  [400, 400],
  [401, 403],
  [403, 403],
  [404, 404],
  [422, 400],
]

/** Calls for the weather of two places at once, then a summary of the results. */
export const twoCalls = [
  { name: 'weather', input: { place: 'Oslo' } },
  { name: 'weather', input: { place: 'Rome' } },
] as const
