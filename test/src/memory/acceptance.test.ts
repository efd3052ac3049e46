import { setTimeout } from 'node:timers/promises'
import type { JsonObject } from '@agent-service/sdk'
import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel, textOf } from '../agents/support/agents-kernel.js'
import { resultsIn, type Script, says, setScript } from '../agents/support/scripted-plugin.js'
import { createJumpingClock } from './support/jumping-clock.js'
import { createLearningModel } from './support/learning-model.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
const [minute, day] = [60_000, 86_400_000]

/** Looks into the memory for “search …”, and says what came back. */
async function* otherwise(request: ModelRequest): AsyncGenerator<ModelEvent> {
  const last = request.messages.at(-1)
  const said = last?.role === 'user' ? last.content.map((part) => (part.type === 'text' ? part.text : '')).join('') : ''
  const [, query] = /\bsearch (\w+)/.exec(said) ?? []
  if (query === undefined) yield* says(`Result: ${JSON.stringify(resultsIn(request).at(-1) ?? 'none')}`)
  else {
    yield { type: 'response.started' }
    yield { type: 'tool_call.started', part: 0, provider_call_id: 'vendor-0', name: 'memory_search' }
    yield { type: 'tool_call.delta', part: 0, arguments_text: JSON.stringify({ query }) }
    const content = [{ type: 'tool_call' as const, call_id: 'vendor-0', name: 'memory_search', arguments: { query } }]
    yield { type: 'response.finished', content, stop_reason: 'tool_calls', usage }
  }
}

describe('the memory back end pkm in a running service', function () {
  this.timeout(120_000)
  const { clock, jump } = createJumpingClock()
  let agents: AgentsKernel
  let script: Script
  let model: Awaited<ReturnType<typeof createLearningModel>>

  before(async () => {
    model = await createLearningModel(otherwise)
    script = setScript({ answer: model.answer })
    const environment = {
      ...{ SERVICE_MEMORY_BACKEND: 'pkm', SERVICE_MEMORY_PKM_CONSOLIDATE_SECS: '1', SERVICE_MEMORY_PKM_CONSOLIDATE_IDLE_SECS: '0' },
      SERVICE_MEMORY_PKM_EXTRACT_MAX_MESSAGES: '1',
    }
    agents = await startAgentsKernel({ environment, clock })
  })
  afterEach(() => model.intervene(() => undefined))
  after(() => agents?.close())

  /** Signed in anew: a session does not outlive a jump. */
  const person = async (name: string): Promise<Person> => {
    const signedIn = await agents.person(name)
    await signedIn.request('PATCH', `/api/agents/${signedIn.agentId}`, { tools: ['memory_search'] })
    return signedIn
  }
  const itemsOf = async (who: Person, path: string): Promise<readonly JsonObject[]> =>
    (await who.request('GET', path)).body['items'] as readonly JsonObject[]
  const textsOf = async (who: Person, query: string): Promise<readonly unknown[]> =>
    (await itemsOf(who, `/api/memory${query}`)).map(({ text }) => text)
  const say = async (who: Person, text: string, chat?: string) => {
    const chatId = chat ?? (await who.newChat())
    const from = script.requests.length
    const stream = await who.stream()
    const { name } = await endOf(stream, await who.post(chatId, text))
    stream.close()
    expect(name).to.equal('run.completed')
    const asked = script.requests.slice(from).find(({ messages }) => JSON.stringify(messages.at(-1)).includes(text))
    const prompt = (asked?.messages ?? [])
      .flatMap(({ role, content }) => (role === 'system' ? content.map((part) => (part.type === 'text' ? part.text : '')) : []))
      .join('\n')
    return { chatId, prompt, answer: textOf((await who.messages(chatId)).at(-1)) }
  }
  const until = <Result>(look: () => Promise<Result | undefined | false>, what: () => unknown) => eventually(look, { within: 45_000, what })
  /**
   * A turn with this in its prompt. Where the back end is slow, as on a busy machine, turns go on
   * without memory, and for a while it is not asked again.
   */
  const reminded = (who: Person, text: string, line: string) =>
    until(
      async () => {
        const said = await say(who, text)
        if (said.prompt.includes(line)) return said
        jump(15_001)
        return undefined
      },
      () => textsOf(who, ''),
    )
  const pass = (who: Person, fits: (pass: JsonObject) => boolean): Promise<JsonObject> =>
    until(
      async () => (await itemsOf(who, '/api/memory/passes?limit=100')).find(fits),
      () => itemsOf(who, '/api/memory/passes?limit=100'),
    )
  const learnt = async (who: Person, chatId: string): Promise<JsonObject> =>
    pass(who, ({ chat_id: of, state }) => of === chatId && state === 'done')

  it('keeps a fact that was superseded, which holds as of then and not as of now', async () => {
    const ada = await person('ada')
    const { chatId } = await say(ada, 'I live in Graz.')
    await learnt(ada, chatId)
    const then = new Date(clock.now()).toISOString()
    jump(minute)
    const next = await say(ada, 'News: I have moved to Linz.')
    await learnt(ada, next.chatId)
    const known = (query: string) => textsOf(ada, `?kind=statement&q=Graz%20Linz${query}`)
    expect(await known('')).to.deep.equal(['Has moved to Linz.'])
    expect(await known(`&as_of=${then}`)).to.deep.equal(['Lives in Graz.'])
    expect((await reminded(ada, 'Where do I live?', '- Has moved to Linz.')).prompt).to.not.contain('Lives in Graz.')
  })

  it('has a memory in prompts for 46.5 days without a mention, finds it later too, and has it back when it is mentioned', async () => {
    let ben = await person('ben')
    const line = '- Prefers trains to planes.'
    const saidAt = clock.now()
    expect((await ben.request('POST', '/api/memory', { text: 'Prefers trains to planes.' })).status).to.equal(201)
    const [{ fades_at: fadesAt } = {}] = await itemsOf(ben, '/api/memory')
    expect((Date.parse(String(fadesAt)) - saidAt) / day).to.be.closeTo(14 * Math.log2(10), 0.01)
    await reminded(ben, 'Hello', line)
    jump(46.4 * day)
    ben = await person('ben')
    await reminded(ben, 'Hello again', line)
    jump(0.2 * day)
    ben = await person('ben')
    const { prompt, answer } = await say(ben, 'search trains')
    expect(prompt).to.not.contain(line)
    expect(answer).to.contain('Prefers trains to planes.')
    await learnt(ben, (await say(ben, 'As I said, I prefer trains.')).chatId)
    // Prompts are made anew once the whole sweep has ended, which may be a moment after its passes.
    await reminded(ben, 'Hello once more', line)
  })

  it('puts sixteen lines into a prompt, those seen last first, however many there are', async () => {
    const cleo = await person('cleo')
    for (let number = 0; number < 20; number += 1) {
      jump(1_000)
      expect((await cleo.request('POST', '/api/memory', { text: `Knows fact ${number}.` })).status).to.equal(201)
    }
    const { prompt } = await reminded(cleo, 'Hello', '- Knows fact ')
    const numbers = [...prompt.matchAll(/^- Knows fact (\d+)\.$/gm)].map(([, number]) => Number(number))
    expect(numbers).to.have.members(Array.from({ length: 16 }, (_, index) => index + 4))
  })

  it('makes four calls of extraction at a time, and never more', async () => {
    const dora = await person('dora')
    let [active, most] = [0, 0]
    model.intervene(async (stage) => {
      if (stage !== 'extract' && !stage.startsWith('author')) return
      active += 1
      most = Math.max(most, active)
      for (let waited = 0; waited < 700 && active < 4; waited += 10) await setTimeout(10)
      // What would be one too many has begun by then.
      await setTimeout(100)
      active -= 1
    })
    const { chatId } = await say(dora, 'I live in Graz.')
    for (const text of ['I prefer trains.', 'Anna is my sister.', 'I am tired today.', 'Hm.', 'Well.']) await say(dora, text, chatId)
    await until(
      async () => (await textsOf(dora, '')).includes('Was tired today.'),
      () => itemsOf(dora, '/api/memory/passes'),
    )
    expect(most).to.equal(4)
  })

  it('gives a pass up after its third failure, and goes on when a person asks for it', async () => {
    const emil = await person('emil')
    let failures = 0
    model.intervene((stage) => {
      if (stage !== 'classify') return
      failures += 1
      throw new Error('The vendor is down.')
    })
    const { chatId } = await say(emil, 'I live in Graz.')
    for (const [attempt, waitMs] of [
      [2, 2 * minute],
      [3, 4 * minute],
    ] as const) {
      const waiting = await pass(emil, ({ state, attempt: at }) => state === 'waiting' && at === attempt)
      expect(Date.parse(String(waiting['next_attempt_at'])) - clock.now()).to.be.within(waitMs - minute, waitMs)
      jump(waitMs)
    }
    const given = await pass(emil, ({ state }) => state === 'abandoned')
    expect([given['stage'], given['attempt'], failures]).to.deep.equal(['classify', 3, 3])
    expect(await textsOf(emil, '')).to.deep.equal([])
    model.intervene(() => undefined)
    expect((await emil.request('POST', `/api/memory/passes/${String(given['id'])}/retry`)).status).to.equal(204)
    await learnt(emil, chatId)
    expect(await textsOf(emil, '?kind=statement')).to.deep.equal(['Lives in Graz.'])
  })

  it('begins a pass again twice when what it builds on was changed, and fails it the third time', async () => {
    const finn = await person('finn')
    await learnt(finn, (await say(finn, 'I live in Graz.')).chatId)
    const [statement] = await itemsOf(finn, '/api/memory?kind=statement')
    let changes = 0
    model.intervene(async (stage) => {
      if (stage !== 'author') return
      changes += 1
      const { status } = await finn.request('PATCH', `/api/memory/${String(statement?.['id'])}`, { text: `Lives in Graz, ${changes}.` })
      expect(status).to.equal(200)
    })
    const { chatId } = await say(finn, 'I prefer trains.')
    await pass(finn, ({ state, chat_id: of }) => state === 'failed' && of === chatId)
    expect(changes).to.equal(3)
    expect(await textsOf(finn, '?kind=statement')).to.deep.equal(['Lives in Graz, 3.'])
  })

  it('keeps twenty passes, without the oldest of twenty-one', async () => {
    const gina = await person('gina')
    const oldest = (await say(gina, 'I prefer trains.')).chatId
    await learnt(gina, oldest)
    const chats: string[] = []
    for (let number = 0; number < 20; number += 1) chats.push((await say(gina, 'I prefer trains.')).chatId)
    const kept = async () => (await itemsOf(gina, '/api/memory/passes?limit=100')).map(({ chat_id: of }) => of)
    await until(async () => !(await kept()).includes(oldest), kept)
    expect(await kept()).to.have.members(chats)
  })
})
