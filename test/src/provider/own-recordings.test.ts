import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '@agent-service/sdk'
import { type ModelEvent, type ProviderAdapter, providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { isPlugin } from '@agent-service/sdk/host'
import { createAnswerSeparator } from '@agent-service/sdk/model-answers'
import { createTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'

interface Expected {
  readonly text?: string
  readonly reasoning?: string
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: unknown }[]
  readonly stop_reason?: string
  readonly usage?: unknown
  readonly status?: number
  readonly failure?: string
  readonly retryable?: boolean
  readonly retry_after_ms?: number
}

const root = new URL('../../../', import.meta.url)
const fixtures = new URL('test/fixtures/providers/', root)

/** Where the recordings of a protocol lie, and the plugin that reads them. */
const families: readonly { readonly folder: string; readonly plugin: string; readonly protocol: string }[] = [
  { folder: '', plugin: 'provider-openai', protocol: 'completions' },
  { folder: 'cohere-chat/', plugin: 'provider-cohere', protocol: 'cohere-chat' },
  { folder: 'ollama/', plugin: 'provider-ollama', protocol: 'ollama' },
  { folder: 'huggingface/', plugin: 'provider-huggingface', protocol: 'huggingface' },
]
const expectedIn = async (folder: string): Promise<Readonly<Record<string, Expected>>> =>
  JSON.parse(await readFile(new URL(`${folder}expected.json`, fixtures), 'utf8')) as Readonly<Record<string, Expected>>
const cases = await Promise.all(families.map(async (family) => ({ ...family, expected: await expectedIn(family.folder) })))

for (const { folder, plugin, protocol, expected } of cases) describeFamily(folder, plugin, protocol, expected)

function describeFamily(folder: string, plugin: string, protocol: string, expected: Readonly<Record<string, Expected>>): void {
  describe(`${plugin} with our own recordings`, () => {
    let adapter: ProviderAdapter

    before(async () => {
      const module = (await import(new URL(`plugins/${plugin}/dist/index.js`, root).href)) as { readonly default: unknown }
      if (!isPlugin(module.default)) throw new Error(`${plugin} has no plugin as its default export.`)
      const test = createTestContext<unknown>({ config: {} })
      await module.default.setup(test.context)
      const [contributed] = test.contributed(providerAdapters)
      if (!contributed) throw new Error(`${plugin} contributed no adapter.`)
      adapter = contributed
    })

    for (const [name, answer] of Object.entries(expected)) {
      for (const size of [1, 7, 100_000]) {
        it(`${name}, in pieces of ${size} byte(s)`, async () => {
          const { events, error } = await replay({ adapter, protocol, file: `${folder}${name}`, status: answer.status ?? 200, size })
          const joined = (type: 'text.delta' | 'reasoning.delta'): string =>
            events.map((event) => (event.type === type ? event.text : '')).join('')
          expect(joined('text.delta')).to.equal(answer.text ?? '')
          expect(joined('reasoning.delta')).to.equal(answer.reasoning ?? '')
          const finished = events.find((event) => event.type === 'response.finished')
          expect(finished?.stop_reason).to.equal(answer.stop_reason)
          expect(finished?.usage).to.deep.equal(answer.usage)
          const calls = (finished?.content ?? []).flatMap((part) =>
            part.type === 'tool_call' ? [{ name: part.name, arguments: part.arguments }] : [],
          )
          expect(calls).to.deep.equal(answer.tool_calls ?? [])
          expect(error?.details['failure']).to.equal(answer.failure)
          expect(error?.details['retryable']).to.equal(answer.retryable)
          expect(error?.details['retryAfterMs']).to.equal(answer.retry_after_ms)
        })
      }
    }
  })
}

/** How one recording is played. */
interface Replay {
  readonly adapter: ProviderAdapter
  readonly protocol: string
  readonly file: string
  readonly status: number
  readonly size: number
}

const contentTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  sse: 'text/event-stream',
}

/**
 * Answers one call with a recording, in pieces of a size, and reports how it ended. Reasoning is
 * taken out of the text, as the service does for every adapter.
 */
async function replay({ adapter, protocol, file, status, size }: Replay) {
  const body = await readFile(fileURLToPath(new URL(file, fixtures)))
  const server = createServer((incoming, outgoing) => {
    incoming.resume()
    outgoing.writeHead(status, { 'content-type': contentTypes[file.split('.').at(-1) ?? ''] ?? '' })
    const write = (start: number): void => {
      if (start >= body.length) outgoing.end()
      else outgoing.write(body.subarray(start, start + size), () => write(start + size))
    }
    write(0)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const events: ModelEvent[] = []
  let error: ServiceError | undefined
  try {
    const request = {
      connection: { handle: 'own', brand: 'own', baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, quirks: {} },
      protocol,
      model: 'model-1',
      messages: [],
      tools: [],
      settings: {},
      extraParams: {},
      stream: true,
      timeouts: { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000, totalMs: 10_000 },
    }
    const separator = createAnswerSeparator({ reasoning: 'opened' })
    for await (const event of adapter.call(request, { signal: new AbortController().signal })) events.push(...separator.take(event))
  } catch (thrown) {
    if (!ServiceError.isInstance(thrown)) throw thrown
    error = thrown
  } finally {
    server.closeAllConnections()
    server.close()
  }
  return { events, error }
}
