import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import type { ChatPart, ChatPartPlace } from '../contracts/chat-part/index.js'
import type { CliCommand } from '../contracts/cli-command/index.js'
import { ok } from '../contracts/http-route/responses.js'
import { defineRoute, type ServerSentEvent } from '../contracts/http-route/route.js'
import type { SchedulerJob } from '../contracts/scheduler-job/index.js'
import type { Tool, ToolContext, ToolResult } from '../contracts/tool/tool.js'
import type { ToolSource } from '../contracts/tool-source/index.js'
import type { UserData } from '../contracts/user-data/index.js'
import type { JsonValue } from '../core/json.js'
import { Type } from '../core/type.js'
import { createCollectingRunner } from './collecting-runner.js'
import { describeChatPart } from './describe-chat-part/index.js'
import { describeCliCommand } from './describe-cli-command/index.js'
import { describeHttpRoute } from './describe-http-route/index.js'
import { describeSchedulerJob } from './describe-scheduler-job/index.js'
import { describeTool } from './describe-tool/index.js'
import { describeToolSource } from './describe-tool-source/index.js'
import { describeUserData } from './describe-user-data/index.js'
import type { SuiteRunner } from './suite-runner.js'

/** The failed tests of a suite, with their messages. */
async function failuresOf(describeIt: (runner: SuiteRunner) => void): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeIt(runner)
  const results = await runner.run()
  return results.filter(({ error }) => error !== undefined).map(({ title, error }) => `${title}: ${String(error)}`)
}

async function passes(describeIt: (runner: SuiteRunner) => void): Promise<void> {
  expect(await failuresOf(describeIt)).to.deep.equal([])
}
const said = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })
const parameters = Type.Object({}, { additionalProperties: false })
const user = (userId: string) => ({ userId, username: userId, handle: userId, role: 'user', scopes: ['read', 'write'] }) as const

const toolWith = (execute: Tool['execute'], effect: Tool['effect'] = 'unsafe'): Tool => ({
  specVersion: 1,
  name: 'print_page',
  title: 'Print a page',
  description: 'Prints a page on the printer of the house.',
  parameters,
  effect,
  supports: { probe: false },
  execute,
})

/** Correct by the contracts, and written in other styles than the suites expect at first sight. */
describe('suites, of correct implementations', () => {
  it('pass a tool whose bench is an instance of a class', () =>
    passes((runner) => {
      class Bench {
        readonly #pages = new Map<string, string>()
        readonly tool = this.restarted()
        state(): JsonValue {
          return this.#pages.size
        }
        restarted(): Tool {
          return toolWith(async (_, { callId }) => {
            await nextTurn()
            this.#pages.set(callId, 'page')
            return said('It is printed.')
          }, 'idempotent')
        }
      }
      const examples = [{ title: 'a page', input: {}, after: 1, again: 2 }]
      describeTool({ name: 'print', runner, create: () => new Bench(), examples, secrets: [], stranger: 'not applicable' })
    }))

  it('pass a tool whose success has nothing to say, and none whose error has nothing', async () => {
    const described = (result: ToolResult) => (runner: SuiteRunner) =>
      describeTool({
        name: 'print',
        runner,
        create: () => toolWith(async () => result, 'idempotent'),
        examples: [{ title: 'a page', input: {}, ...(result.isError === true && { isError: true }) }],
      })
    await passes(described({ content: [] }))
    expect((await failuresOf(described({ content: [], isError: true }))).join()).to.include('the error does not say why')
  })

  it('pass a tool that refuses a call while another one is at it, and none that did something for it', async () => {
    const described = (hasty: boolean) => (runner: SuiteRunner) =>
      describeTool({
        name: 'print',
        runner,
        create() {
          let pages = 0
          let isBusy = false
          const tool = toolWith(async () => {
            if (isBusy) {
              if (hasty) pages += 2
              return { ...said('The printer is busy.'), isError: true }
            }
            isBusy = true
            await nextTurn()
            pages += 1
            isBusy = false
            return said('It is printed.')
          })
          return { tool, state: () => pages }
        },
        examples: [{ title: 'a page', input: {}, after: 1, again: 2 }],
      })
    await passes(described(false))
    expect((await failuresOf(described(true))).join()).to.include('two calls at once changed something else than the 1 that succeeded')
  })

  it('pass a source that throws for a stranger, has empty results, and a bench that is an instance of a class', () =>
    passes((runner) => {
      class Bench {
        readonly #pages = new Map<string, string>()
        readonly held = 'not applicable'
        readonly source: ToolSource = {
          specVersion: 1,
          id: 'printer',
          title: 'Printer',
          supports: { probe: false },
          tools: async ({ userId }) =>
            userId === 'user-1'
              ? [
                  { name: 'print', description: 'Prints a page of paper.', parameters: { type: 'object' }, effect: 'idempotent' },
                  { name: 'list', description: 'Lists all printed pages.', parameters: { type: 'object' }, effect: 'read' },
                ]
              : [],
          execute: (name, _input, context) => this.#execute(name, context),
        }
        async #execute(name: string, { userId, callId }: ToolContext): Promise<ToolResult> {
          if (userId !== 'user-1') throw new Error('There is no printer for this user.')
          await nextTurn()
          if (name === 'print') this.#pages.set(callId, 'page')
          if (name !== 'print' && name !== 'list') return { ...said('There is no such tool.'), isError: true }
          return { content: name === 'print' ? [] : [...this.#pages.values()].map((text) => ({ type: 'text', text })) }
        }
        state(): JsonValue {
          return this.#pages.size
        }
        async close(): Promise<void> {
          this.#pages.clear()
        }
      }
      describeToolSource({
        name: 'printer',
        runner,
        create: () => new Bench(),
        examples: [
          { title: 'a page', tool: 'print', input: {} },
          { title: 'none yet', tool: 'list', input: {} },
        ],
        stranger: { userId: 'user-2', agentId: 'agent-2', agentHandle: 'assistant' },
        secrets: [],
      })
    }))

  it('pass a job that hands its signal to fetch', async () => {
    const server = createServer((_request, response) => response.end('fine')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const run: SchedulerJob['run'] = async ({ signal }) => {
      await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { signal })).text()
    }
    try {
      const job: SchedulerJob = { specVersion: 1, id: 'weather.read', title: 'Weather', everySeconds: 60, run }
      await passes((runner) => describeSchedulerJob({ name: 'weather', runner, create: () => job }))
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })

  it('pass user data that come in any order, with texts that are parts of those of others, and a class as a bench', () =>
    passes((runner) => {
      class Bench {
        readonly #notes = new Map<string, readonly string[]>()
        #count = 101
        #exports = 0
        readonly secrets = []
        readonly fillMany = 'not applicable'
        readonly restarted = 'not applicable'
        readonly data: UserData = {
          specVersion: 1,
          id: 'notes',
          collections: [],
          export: (userId) => this.#export(userId),
          erase: async (userId) => void this.#notes.delete(userId),
          size: async (userId) => ({ records: this.stored(userId).length, bytes: 100 * this.stored(userId).length }),
        }
        async *#export(userId: string) {
          this.#exports += 1
          const notes = [...(this.#notes.get(userId) ?? [])]
          if (this.#exports % 2 === 0) notes.reverse()
          for (const note of notes) yield { path: `${note}.json`, json: { note } }
        }
        stored(userId: string): readonly JsonValue[] {
          return (this.#notes.get(userId) ?? []).map((note) => ({ note }))
        }
        async fill(userId: string): Promise<void> {
          this.#notes.set(
            userId,
            [0, 1].map(() => {
              this.#count -= 1
              return `No ${this.#count === 100 ? '97b' : this.#count}`
            }),
          )
        }
      }
      describeUserData({ name: 'notes', runner, create: () => new Bench() })
    }))

  it('pass a route that tosses a coin', async () => {
    // Another one for each request that comes while one is at work, as a coin may fall.
    let open = 0
    let tosses = 0
    const route = defineRoute({
      method: 'GET',
      path: '/api/plugins/coin',
      operationId: 'tossCoin',
      summary: 'Tosses a coin',
      auth: 'user',
      answers: { 200: { description: 'A side.', schema: Type.Object({ side: Type.String() }) } },
      async handle() {
        open += 1
        tosses += 1
        const side = open > 1 || tosses % 7 === 0 ? 'heads' : 'tails'
        await nextTurn()
        open -= 1
        return ok({ side })
      },
    })
    await passes((runner) => describeHttpRoute({ runner, create: () => route, examples: [{ title: 'a toss', status: 200 }] }))
  })

  it('pass a stream that ends by itself beside one that stays open with comments, and a class as a bench', () =>
    passes((runner) => {
      class Bench {
        readonly #readers = new Set<(event: ServerSentEvent) => void>()
        readonly state = 'not applicable'
        readonly route = defineRoute({
          method: 'GET',
          path: '/api/plugins/news',
          operationId: 'readNews',
          summary: 'Reads the news',
          auth: 'user',
          streaming: true,
          query: Type.Object({ follow: Type.Boolean() }, { additionalProperties: false }),
          answers: { 200: { description: 'The news.', contentType: 'text/event-stream' } },
          handle: async ({ query: { follow }, principal, signal }) => ({
            kind: 'events',
            status: 200,
            events: follow ? this.#follow(principal?.userId === 'user-1', signal) : this.#past(principal?.userId ?? ''),
          }),
        })
        async *#past(userId: string): AsyncGenerator<ServerSentEvent> {
          yield { data: `The news of ${userId}` }
        }
        async *#follow(isReader: boolean, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
          const events: ServerSentEvent[] = isReader ? [{ data: 'Hello' }] : []
          let wake = (): void => undefined
          const read = (event: ServerSentEvent): void => {
            if (isReader || 'comment' in event) events.push(event)
            wake()
          }
          const end = (): void => wake()
          this.#readers.add(read)
          signal.addEventListener('abort', end)
          try {
            while (!signal.aborted) {
              yield* events.splice(0)
              if (!signal.aborted && events.length === 0)
                await new Promise<void>((resolve) => {
                  wake = resolve
                })
            }
          } finally {
            this.#readers.delete(read)
            signal.removeEventListener('abort', end)
          }
        }
        held(): number {
          return this.#readers.size
        }
        async change(): Promise<void> {
          for (const read of this.#readers) for (const event of [{ comment: 'alive' }, { data: 'It rains.' }]) read(event)
        }
        async close(): Promise<void> {
          this.#readers.clear()
        }
      }
      describeHttpRoute({
        runner,
        create: () => new Bench(),
        examples: [true, false].map((follow) => ({ title: `follow ${follow}`, principal: user('user-1'), query: { follow }, status: 200 })),
        stranger: user('user-2'),
        secrets: [],
      })
    }))

  it('pass a stream whose next piece is ready as soon as the process goes on', () =>
    passes((runner) => {
      const quietMs = 10
      const stand = (): void => {
        for (const end = performance.now() + 2 * quietMs; performance.now() < end; );
      }
      const route = defineRoute({
        method: 'GET',
        path: '/api/plugins/pages',
        operationId: 'readPages',
        summary: 'Reads pages',
        auth: 'user',
        answers: { 200: { description: 'The pages.', contentType: 'application/octet-stream' } },
        handle: async () => ({
          kind: 'stream',
          status: 200,
          contentType: 'application/octet-stream',
          stream: (async function* () {
            for (const page of ['one', 'two']) {
              await nextTurn()
              stand()
              await nextTurn()
              yield Buffer.from(page)
            }
          })(),
        }),
      })
      const check = ({ bytes }: { readonly bytes?: Uint8Array }): void =>
        void expect(Buffer.from(bytes ?? []).toString()).to.equal('onetwo')
      describeHttpRoute({ runner, create: () => route, quietMs, examples: [{ title: 'all', status: 200, check }] })
    }))

  it('pass a command that tries again', () =>
    passes((runner) => {
      const command: CliCommand = {
        specVersion: 1,
        name: 'lamp',
        summary: 'Turns on the lamp',
        arguments: [],
        options: [],
        async run({ request, print, signal }) {
          for (let tries = 1; ; tries += 1)
            try {
              await request('PUT', '/api/plugins/lamp', { on: true })
              break
            } catch (error) {
              if (tries === 3 || signal.aborted) throw error
            }
          await print('It is on.')
          return { status: 0 }
        },
      }
      describeCliCommand({ name: 'lamp', runner, create: () => command, json: 'not applicable', examples: [{ title: 'on' }] })
    }))

  it('pass a part of chats that remembers what it has exported, and a class as a bench', () =>
    passes((runner) => {
      class Bench {
        readonly #notes = new Map<string, JsonValue>()
        readonly #exported = new Map<string, JsonValue>()
        #callsLeft = Number.POSITIVE_INFINITY
        readonly fillMuch = 'not applicable'
        readonly part: ChatPart = {
          specVersion: 1,
          id: 'notes',
          title: 'Notes',
          export: async ({ chatId }) => {
            const remembered = this.#exported.get(chatId) ?? (await this.#store()).get(chatId)
            if (remembered !== undefined) this.#exported.set(chatId, remembered)
            return remembered
          },
          import: async ({ chatId }, data) => {
            if (typeof data !== 'string') throw new TypeError('The data are no text.')
            ;(await this.#store()).set(chatId, data)
            this.#exported.delete(chatId)
          },
          erase: async ({ chatId }) => {
            ;(await this.#store()).delete(chatId)
            this.#exported.delete(chatId)
          },
        }
        async #store(): Promise<Map<string, JsonValue>> {
          await nextTurn()
          this.#callsLeft -= 1
          if (this.#callsLeft < 0) throw new Error('The disk is gone.')
          return this.#notes
        }
        async fill({ chatId }: ChatPartPlace): Promise<void> {
          this.#notes.set(chatId, 'Buy milk.')
        }
        async isKept({ chatId }: ChatPartPlace): Promise<boolean> {
          return this.#notes.has(chatId)
        }
        state({ chatId }: ChatPartPlace): JsonValue {
          return this.#notes.get(chatId) ?? null
        }
        breakStore(afterCalls: number): void {
          this.#callsLeft = afterCalls
        }
      }
      describeChatPart({ name: 'notes', runner, create: () => new Bench(), badData: [7] })
    }))
})
