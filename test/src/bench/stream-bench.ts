import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Api, type EventStream, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { removeFolder, startServiceProcess } from '../support/service-process.js'
import { type BenchChild, startChild } from './child.js'
import { type Figure, median } from './figures.js'

const callers = 64
const seconds = 6
const singles = 60

/** A person with an open stream and a chat. */
export interface Caller {
  readonly api: Api
  readonly stream: EventStream
  readonly chatId: string
}

/**
 * Time to the first token and streams a second, through the whole service and through a bare relay
 * to the same upstream.
 */
export async function benchStreams(print: (line: string) => void): Promise<readonly Figure[]> {
  const upstream = await startChild('./scripted-upstream.js')
  const relay = await startChild('./koa-relay.js', { UPSTREAM_URL: upstream.url })
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-'))
  await writeConfiguration(folder, upstream.url)
  const service = await startServiceProcess({
    folder,
    environment: { UPSTREAM_KEY: 'bench-key-0123456789', SERVICE_SERVER_LOG_LEVEL: 'info' },
  })
  try {
    print(`  signing up ${callers} callers (the sign-up limit makes this take a while)`)
    const people: Caller[] = []
    for (let index = 0; index < callers; index += 1) people.push(await newCaller(service.url, `caller${index}`))
    const [first] = people
    if (!first) throw new Error('There is no caller.')

    // Side by side, so that a change of the machine's speed meets both.
    const direct: number[] = []
    const relayed: number[] = []
    const served: number[] = []
    const servedEnds: number[] = []
    const relayedEnds: number[] = []
    for (let round = 0; round < singles; round += 1) {
      const straight = await readRelay(`${upstream.url}/chat/completions`)
      const through = await readRelay(relay.url)
      const ours = await converse(first)
      if (round < 10) continue
      direct.push(straight.firstMs)
      relayed.push(through.firstMs)
      relayedEnds.push(through.endMs)
      served.push(ours.firstMs)
      servedEnds.push(ours.endMs)
    }
    const relayRate = await rate(() => readRelay(relay.url), Array.from({ length: callers }))
    const ourRate = await rate((caller: Caller) => converse(caller), people)
    for (const { stream } of people) stream.close()

    const added = median(served) - median(direct)
    return [
      {
        what: 'first token, one caller',
        ours: median(served),
        unit: 'ms',
        baseline: { name: 'bare koa relay', value: median(relayed) },
      },
      { what: "first token behind the upstream's own", ours: added, unit: 'ms', aim: { text: 'within 10 ms', met: added <= 10 } },
      {
        what: 'streams a second, one caller',
        ours: 1_000 / median(servedEnds),
        unit: '/s',
        baseline: { name: 'bare koa relay', value: 1_000 / median(relayedEnds) },
      },
      {
        what: `streams a second, ${callers} callers`,
        ours: ourRate,
        unit: '/s',
        baseline: { name: 'bare koa relay', value: relayRate },
        aim: { text: 'at least a quarter', met: ourRate / relayRate >= 0.25 },
      },
    ]
  } finally {
    await service.stop()
    await stopAll([relay, upstream])
    await removeFolder(folder)
  }
}

/** Signs a person up; waits for the sign-up limit. */
export async function newCaller(url: string, username: string): Promise<Caller> {
  for (;;) {
    try {
      const api = await signUp(url, username)
      const chat = (await api.request('POST', '/api/chats', {})).body as { readonly id: string }
      return { api, chatId: chat.id, stream: await api.stream() }
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('429')) throw error
      await delay(250)
    }
  }
}

/** One message and its answer, from the post to the end of the run. */
export async function converse({ api, stream, chatId }: Caller): Promise<{ readonly firstMs: number; readonly endMs: number }> {
  const from = stream.events.length
  const began = performance.now()
  const first = stream.next(from, (event) => event.name === 'text.delta').then(() => performance.now() - began)
  const end = stream.next(from, (event) => event.name === 'run.completed' || event.name === 'run.failed')
  const posted = await api.request('POST', `/api/chats/${chatId}/messages`, { content: 'Say something.' })
  if (posted.status !== 202) throw new Error(`The post answered ${posted.status}: ${JSON.stringify(posted.body)}`)
  const firstMs = await first
  const ended = await end
  if (ended.name !== 'run.completed') throw new Error(`The run failed: ${JSON.stringify(ended.data)}`)
  return { firstMs, endMs: performance.now() - began }
}

async function readRelay(url: string): Promise<{ readonly firstMs: number; readonly endMs: number }> {
  const began = performance.now()
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  let firstMs = 0
  const decoder = new TextDecoder()
  for await (const bytes of answer.body ?? []) {
    if (firstMs === 0 && decoder.decode(bytes as Uint8Array, { stream: true }).includes('word')) firstMs = performance.now() - began
  }
  return { firstMs, endMs: performance.now() - began }
}

/** Streams that ended, a second, with every caller starting the next one when one has ended. */
export async function rate<Item>(work: (item: Item) => Promise<unknown>, items: readonly Item[]): Promise<number> {
  let count = 0
  const until = performance.now() + seconds * 1_000
  const began = performance.now()
  await Promise.all(
    items.map(async (item) => {
      while (performance.now() < until) {
        await work(item)
        count += 1
      }
    }),
  )
  return count / ((performance.now() - began) / 1_000)
}

const stopAll = async (children: readonly BenchChild[]): Promise<void> => {
  for (const child of children) await child.stop()
}
