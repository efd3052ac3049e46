import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { CommandEvent } from '@agent-service/sdk/contracts/cli-command'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { createTestCommand, createTestContext, describeCliCommand, eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from '../index.js'
import { chatCommand } from './chat-command.js'

const approval = {
  ...{ run_id: 'r1', chat_id: 'c1', call_id: 'k1', kind: 'approval', tool: 'write_file' },
  ...{ purpose: 'Write notes.txt', arguments: { path: 'notes.txt' }, options: [] },
}
const event = (name: string, data: JsonObject = {}): CommandEvent => ({ name, data: { run_id: 'r1', ...data } })
const text = (value: string): CommandEvent => event('text.delta', { message_id: 'm1', part: 0, offset: 0, text: value })
const asks = event('approval.requested', { approval })
const completed = event('run.completed')

/** A service with one agent; what is given stands in for its answers, by method and path. */
function service(answers: Readonly<Record<string, JsonValue>> = {}) {
  const requests: { readonly call: string; readonly body: JsonValue | undefined }[] = []
  const all: Readonly<Record<string, JsonValue>> = {
    'GET /api/auth/me': { username: 'ada' },
    'GET /api/agents?limit=200': { items: [{ id: 'a1', handle: 'assistant', name: 'Assistant' }] },
    'POST /api/chats': { id: 'c1', agent_id: 'a1' },
    'GET /api/chats/c1': { id: 'c1', agent_id: 'a1' },
    'POST /api/chats/c1/messages': { run: { id: 'r1' } },
    'GET /api/approvals?status=pending&limit=200&chat_id=c1': { items: [] },
    ...answers,
  }
  return {
    requests,
    bodyOf: (call: string) => requests.find((request) => request.call === call)?.body,
    answer(method: string, path: string, body?: JsonValue): JsonValue {
      const call = `${method} ${path}`
      requests.push({ call, body })
      return all[call] ?? null
    },
  }
}

const signedIn = 'Signed in as ada, chatting with Assistant. Ctrl-C stops an answer; Ctrl-D or /exit ends the conversation.'
const answered = [text('Hello!'), completed]

describeCliCommand({
  name: 'chat',
  create: () => chatCommand,
  examples: [
    {
      title: 'one message',
      options: { message: 'Hi' },
      answer: service().answer,
      events: answered,
      check({ output, json }) {
        expect(output).to.equal('Hello!\n')
        expect(json).to.deep.equal({ chat_id: 'c1', run_id: 'r1', status: 'completed', answer: 'Hello!', failure: null })
      },
    },
    {
      title: 'a conversation',
      typed: ['', 'Hi', '/exit', 'never said'],
      answer: service().answer,
      events: answered,
      check: ({ output }) => expect(output).to.equal(`${signedIn}\nHello!\n`),
    },
    { title: 'the end of the input', answer: service().answer, check: ({ lines }) => expect(lines).to.deep.equal([signedIn]) },
  ],
})

describe('cli-chat', () => {
  it('contributes its command by its manifest', async () => {
    const test = createTestContext(plugin)
    await test.setup()
    expect(test.contributed(cliCommands).map(({ name }) => name)).to.include.members(['chat', 'chats list', 'agents list', 'usage'])
    await test.dispose()
  })

  it('names the existing agents for an unknown one', async () => {
    const { context } = createTestCommand({ options: { agent: 'editor' }, answer: service().answer })
    const failure: unknown = await chatCommand.run(context).catch((error: unknown) => error)
    expect(failure).to.include({ code: 'agent_unknown', message: 'You have no agent “editor”. Your agents: assistant.' })
  })

  it('fails a question if no one can answer, and says how to continue', async () => {
    const { context } = createTestCommand({ options: { message: 'Hi' }, interactive: false, answer: service().answer, events: [asks] })
    const failure: unknown = await chatCommand.run(context).catch((error: unknown) => error)
    expect(failure).to.have.property('code', 'waiting_for_person')
    expect(failure).to.have.property('message').that.includes('agent-service chat --chat c1')
  })

  it('asks the pending question of an earlier chat until an answer is valid, and sends it', async () => {
    const { answer, bodyOf } = service({ 'GET /api/approvals?status=pending&limit=200&chat_id=c1': { items: [approval] } })
    const test = createTestCommand({ options: { chat: 'c1' }, answer })
    const run = chatCommand.run(test.context)
    for (const line of ['perhaps', 'n not today']) test.type(line)
    await eventually(() => bodyOf('POST /api/runs/r1/approvals/k1') !== undefined)
    expect(bodyOf('POST /api/runs/r1/approvals/k1')).to.deep.equal({ decision: 'deny', note: 'not today' })
    expect(test.lines).to.include('The agent wants to use write_file: Write notes.txt')
    expect(test.lines).to.include('Type y or n.')
    test.emit(completed)
    test.endInput()
    expect(await run).to.have.property('status', 0)
  })

  it('withdraws a question that is answered elsewhere', async () => {
    const { answer, bodyOf } = service()
    const test = createTestCommand({ answer, events: [asks] })
    const run = chatCommand.run(test.context)
    test.type('Hi')
    await eventually(() => test.prompts.includes('answer> '))
    test.emit(event('approval.resolved', { approval: { ...approval, status: 'denied' } }))
    test.emit(completed)
    await eventually(() => test.prompts.length === 3)
    test.type('/exit')
    expect(await run).to.have.property('status', 0)
    expect(test.lines).to.include('(write_file: denied)')
    expect(bodyOf('POST /api/runs/r1/approvals/k1')).to.equal(undefined)
  })

  it('stops the answer at Ctrl-C, and the program at the next one', async () => {
    const { answer, requests } = service()
    const test = createTestCommand({ answer, events: [text('word1 ')] })
    const run = chatCommand.run(test.context)
    test.type('Count')
    await eventually(() => test.output().includes('word1'))
    test.interrupt()
    await eventually(() => requests.some(({ call }) => call === 'POST /api/runs/r1/cancel'))
    test.emit(event('run.cancelled'))
    await eventually(() => test.prompts.length === 2)
    test.interrupt()
    expect(await run).to.have.property('status', 0)
    expect(test.output()).to.equal(`${signedIn}\nword1 \n(stopped)\n`)
  })

  it('reads the rest of an answer from its messages when events were lost', async () => {
    const message = { id: 'm1', run_id: 'r1', role: 'assistant', content: [{ type: 'text', text: 'Hello, world!' }] }
    const { answer } = service({
      'GET /api/runs/r1': { status: 'completed' },
      'GET /api/chats/c1': { id: 'c1', agent_id: 'a1', message_count: 2 },
      'GET /api/chats/c1/messages?before=2&limit=200': { items: [message] },
    })
    const test = createTestCommand({ options: { message: 'Hi' }, answer, events: [text('Hello'), { name: 'reset', data: {} }] })
    expect(await chatCommand.run(test.context)).to.have.property('status', 0)
    expect(test.output()).to.equal('Hello, world!\n')
  })

  it('leaves at a second Ctrl-C although the run does not end', async () => {
    const { answer, requests } = service()
    const test = createTestCommand({ answer, events: [text('word1 ')] })
    const run = chatCommand.run(test.context)
    test.type('Count')
    await eventually(() => test.output().includes('word1'))
    test.interrupt()
    test.interrupt()
    expect(await run).to.have.property('status', 0)
    expect(requests.filter(({ call }) => call === 'POST /api/runs/r1/cancel')).to.have.length(1)
    expect(test.prompts).to.have.length(1)
  })

  it('names what a call has made, by the path that finds it', async () => {
    const files = [
      { path: 'workspaces/assistant/report.md', size: 12_345 },
      { path: 'workspaces/helper/one.txt', size: 1 },
    ]
    const finished = event('tool_call.finished', { call_id: 'k1', name: 'write_file', content: [], is_error: false, files })
    const test = createTestCommand({ options: { message: 'Hi' }, answer: service().answer, events: [finished, text('Hello!'), completed] })
    await chatCommand.run(test.context)
    expect(test.output()).to.equal('Hello!\n')
    expect(test.warnings.slice(1)).to.deep.equal([
      '  workspaces/assistant/report.md (12,345 bytes)',
      '  workspaces/helper/one.txt (1 byte)',
    ])
  })

  it('says in one line which model answers in place of which, and why', async () => {
    const failed = {
      reason: 'model_failed',
      wanted: 'work/large',
      used: 'spare/small',
      failure: 'overloaded',
      detail: 'Too many requests.',
    }
    const unknown = { reason: 'model_group_unknown', wanted: 'fast', used: 'primary' }
    const events = [event('run.fallback', unknown), event('run.fallback', failed), text('Hello!'), completed]
    const test = createTestCommand({ options: { message: 'Hi' }, answer: service().answer, events })
    await chatCommand.run(test.context)
    expect(test.output()).to.equal('Hello!\n')
    expect(test.warnings).to.deep.equal([
      '(the model group “fast” does not exist; “primary” answers)',
      '(spare/small answers in place of work/large: Too many requests.)',
    ])
  })

  it('writes only the answer to standard output, and leaves out withdrawn text in the JSON', async () => {
    const events = [
      event('reasoning.delta', { message_id: 'm1', part: 0, offset: 0, text: 'Hm. ' }),
      event('text.delta', { message_id: 'm1', part: 1, offset: 0, text: 'One, two' }),
      event('run.retrying', {
        attempt: 1,
        max_attempts: 5,
        delay_ms: 1_200,
        reason: 'it broke off',
        void: { message_id: 'm1', part: 1, offset: 5 },
      }),
      event('text.delta', { message_id: 'm1', part: 1, offset: 5, text: 'three.' }),
      completed,
    ]
    const test = createTestCommand({ options: { message: 'Hi' }, answer: service().answer, events })
    const { json } = await chatCommand.run(test.context)
    expect(json).to.include({ answer: 'One, three.' })
    expect(test.output()).to.equal('One, two\nthree.\n')
    expect(test.warnings).to.deep.equal(['(the answer starts over)', '(retrying in 2 s, attempt 2 of 5: it broke off)'])
  })

  for (const [name, data, warning] of [
    ['run.failed', { failure: { message: 'No model answers.' } }, 'The answer was interrupted. No model answers.'],
    ['run.cancelled', {}, '(stopped)'],
  ] as const) {
    it(`ends one message with 1 at ${name}`, async () => {
      const test = createTestCommand({ options: { message: 'Hi' }, answer: service().answer, events: [text('Half'), event(name, data)] })
      const result = await chatCommand.run(test.context)
      expect(result.status).to.equal(1)
      expect(result.json).to.include({ answer: 'Half', status: name.slice(4) })
      expect(test.output()).to.equal('Half\n')
      expect(test.warnings).to.deep.equal([warning])
    })
  }

  it('goes on with the answer of an earlier chat that is still being written', async () => {
    const messages = [
      { id: 'm0', role: 'user', status: 'complete', content: [{ type: 'text', text: 'Count' }] },
      { id: 'm1', run_id: 'r1', role: 'assistant', status: 'open', content: [{ type: 'text', text: 'One, ' }] },
    ]
    const { answer } = service({
      'GET /api/chats/c1': { id: 'c1', agent_id: 'a1', title: 'Counting', message_count: 2, active_run_id: 'r1' },
      'GET /api/chats/c1/messages?before=2&limit=10': { items: messages },
    })
    const events = [event('text.delta', { message_id: 'm1', part: 0, offset: 3, text: ', two.' }), completed]
    const test = createTestCommand({ options: { chat: 'c1' }, answer, events })
    test.endInput()
    await chatCommand.run(test.context)
    expect(test.output()).to.equal(`${signedIn}\nThe last messages of “Counting”:\nyou> Count\nOne, two.\n`)
  })
})
