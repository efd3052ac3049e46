import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { JsonValue } from '@agent-service/sdk'
import { createTestCommand, describeCliCommand, type TestCommandOptions } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createAgentCommand, deleteAgentCommand } from './agents/change-agents.js'
import { listAgentsCommand, showAgentCommand } from './agents/show-agents.js'
import { deleteChatCommand, renameChatCommand, restoreChatCommand } from './chats/change-chats.js'
import { exportChatCommand } from './chats/export-chat.js'
import { importChatsCommand } from './chats/import-chats.js'
import { listChatsCommand } from './chats/list-chats.js'
import { showChatCommand } from './chats/show-chat.js'
import { usageCommand } from './usage/usage-command.js'

const agent = {
  id: 'a1',
  handle: 'editor',
  name: 'Editor',
  model_group: 'primary',
  tools: ['get_time'],
  enabled: true,
  instructions: 'Edit.\nWell.',
}
const chat = { id: 'c1', agent_id: 'a1', title: 'Two\tlines', message_count: 3, updated_at: '2026-11-23T08:09:10.000Z' }
const asked = { role: 'user', sent_by: { agent_id: 'a2', name: 'Planner' }, content: [{ type: 'text', text: 'Count.' }] }
const fallback = { reason: 'model_failed', wanted: 'work/large', used: 'spare/small', failure: 'overloaded', detail: 'Too many requests.' }
const used = { calls: 2, input_tokens: 100, cached_input_tokens: 40, output_tokens: 20, cost_usd: 0.0123, unpriced_calls: 1 }

const answers: Readonly<Record<string, JsonValue>> = {
  'GET /api/agents?limit=200': { items: [agent], next_cursor: null },
  'POST /api/agents': agent,
  'GET /api/chats?archived=false&limit=50': { items: [chat], next_cursor: null },
  'GET /api/chats?archived=true&limit=1': { items: [chat], next_cursor: 'more' },
  'GET /api/chats/c1': chat,
  'PATCH /api/chats/c1': { ...chat, title: 'New' },
  'GET /api/chats/c1/messages?before=3&limit=50': { items: [asked, { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] }] },
  'GET /api/chats/c1/export?format=markdown': '# Two lines',
  'GET /api/chats/c1/export?format=json': '{"version":1}',
  'GET /api/usage?group_by=day&limit=200': { items: [{ day: '2026-11-22', ...used }], next_cursor: 'x' },
  'GET /api/usage?group_by=day&limit=200&cursor=x': { items: [{ day: '2026-11-23', ...used }], next_cursor: null },
  'GET /api/usage?group_by=model&from=2026-11-01&limit=200': { items: [], next_cursor: null },
}

function service() {
  const requests: { readonly call: string; readonly body: JsonValue | undefined }[] = []
  return {
    requests,
    answer(method: string, at: string, body?: JsonValue): JsonValue {
      requests.push({ call: `${method} ${at}`, body })
      return answers[`${method} ${at}`] ?? null
    },
  }
}
const { answer } = service()
const run = async (command: typeof listChatsCommand, options: TestCommandOptions = {}) => {
  const test = createTestCommand({ answer, ...options })
  test.endInput()
  const result = await command.run(test.context).catch((error: unknown) => error)
  return { ...test, result }
}

const says = (role: string, run_id: string, status: string, text?: string) => ({
  ...{ role, run_id, status },
  content: text === undefined ? [] : [{ type: 'text', text }],
})
const ended = (id: string, status: string, message?: string) => ({
  ...{ id, status, branch_id: 'b1' },
  failure: message === undefined ? null : { code: 'provider_error', message },
})
const failedTurns = {
  items: [
    says('user', 'r1', 'complete', 'One'),
    says('assistant', 'r1', 'failed'),
    says('user', 'r2', 'complete', 'Two'),
    says('user', 'r3', 'complete', 'Three'),
    says('assistant', 'r4', 'complete', 'Here.'),
    says('user', 'r5', 'complete', 'Four'),
  ],
  runs: [
    ended('r1', 'failed', 'No key.'),
    ended('r2', 'failed', 'No model.'),
    ended('r3', 'failed', 'Answered again in this branch.'),
    ended('r4', 'completed'),
    ended('r5', 'cancelled'),
  ],
}

describeCliCommand({
  name: 'chats list',
  create: () => listChatsCommand,
  examples: [
    {
      title: 'the chats',
      answer,
      check: ({ lines, json }) => {
        expect(lines).to.deep.equal(['ID  CHANGED  MESSAGES  AGENT  TITLE', 'c1  2026-11-23 08:09  3  editor  Two lines'])
        expect(json).to.deep.equal({ items: [chat], more: false })
      },
    },
    {
      title: 'that there are more',
      answer,
      options: { archived: true, limit: '1' },
      check: ({ warnings }) => expect(warnings).to.deep.equal(['There are more chats. List more with: --limit 2']),
    },
  ],
})
describeCliCommand({
  name: 'chats show',
  create: () => showChatCommand,
  examples: [
    {
      title: 'the last messages',
      arguments: ['c1'],
      answer,
      check: ({ output }) => expect(output).to.equal('Two\tlines\n(1 earlier messages)\nPlanner> Count.\nHello.\n'),
    },
    {
      title: 'what calls have made',
      arguments: ['c1'],
      answer: (method, at) =>
        at.includes('/messages')
          ? { items: [{ role: 'tool', content: [], made_files: [{ path: 'workspaces/assistant/report.md', size: 7 }] }] }
          : answer(method, at),
      check: ({ output }) => expect(output).to.contain('\n  workspaces/assistant/report.md (7 bytes)\n'),
    },
    {
      title: 'which model answered in place of another',
      arguments: ['c1'],
      answer: (method, at) =>
        at.includes('/messages')
          ? { items: [{ role: 'assistant', fallback, content: [{ type: 'text', text: 'Hello.' }] }] }
          : answer(method, at),
      check: ({ output, lines }) => {
        expect(output).to.contain('Hello.\n')
        expect(lines.at(-1)).to.equal('(spare/small answers in place of work/large: Too many requests.)')
      },
    },
    {
      title: 'why an answer failed or was stopped, in its place, whether or not it has a message',
      arguments: ['c1'],
      answer: (method, at) =>
        at.includes('/messages') ? failedTurns : at === '/api/chats/c1' ? { ...chat, branch_id: 'b1' } : answer(method, at),
      check: ({ output }) =>
        expect(output.slice(output.indexOf('you>'))).to.equal(
          'you> One\n(failed: No key.)\nyou> Two\n(failed: No model.)\nyou> Three\nHere.\nyou> Four\n(stopped)\n',
        ),
    },
  ],
})
describeCliCommand({
  name: 'usage',
  create: () => usageCommand,
  examples: [
    {
      title: 'by day, with the total',
      answer,
      check: ({ lines, warnings }) => {
        expect(lines.at(-1)).to.equal('TOTAL  4  200  80  40  0.0246')
        expect(warnings).to.deep.equal(['2 of the calls have no known price and are not in the cost.'])
      },
    },
    {
      title: 'by model from a day on',
      options: { by: 'model', from: '2026-11-01' },
      answer,
      check: ({ lines }) => expect(lines).to.have.length(2),
    },
  ],
})
describeCliCommand({
  name: 'agents list',
  create: () => listAgentsCommand,
  examples: [{ title: 'the agents', answer, check: ({ requests }) => expect(requests).to.have.length(1) }],
})

describe('the commands of cli-chat', () => {
  it('refuse values of options that they cannot use, by name', async () => {
    for (const [command, options, message] of [
      [listChatsCommand, { limit: 'many' }, '--limit must be a whole number from 1 to 10000, but is “many”.'],
      [showChatCommand, { history: '0' }, '--history must be a whole number from 1 to 200, but is “0”.'],
      [exportChatCommand, { format: 'pdf' }, '--format must be markdown or json, but is “pdf”.'],
      [usageCommand, { by: 'week' }, '--by must be day, model or agent, but is “week”.'],
    ] as const)
      expect((await run(command, { options, arguments: ['c1'] })).result).to.include({ code: 'option_invalid', message })
  })

  it('rename a chat', async () => {
    const { requests, answer } = service()
    expect((await run(renameChatCommand, { answer, arguments: ['c1', 'New'] })).lines).to.deep.equal(['The chat is called “New”.'])
    expect(requests).to.deep.equal([{ call: 'PATCH /api/chats/c1', body: { title: 'New' } }])
  })

  it('list deleted chats and restore one', async () => {
    const deleted = { id: 'c1', title: 'Jam', deleted_at: '2026-01-01T10:00:00.000Z', erased_at: '2026-01-31T10:00:00.000Z' }
    const listed = await run(listChatsCommand, { answer: () => ({ items: [deleted], next_cursor: null }), options: { deleted: true } })
    expect(listed.lines.at(-1)).to.match(/^c1 +2026-01-01 10:00 +2026-01-31 10:00 +Jam$/)
    const { requests, answer } = service()
    await run(restoreChatCommand, { answer, arguments: ['c1'] })
    expect(requests.map(({ call }) => call)).to.deep.equal(['POST /api/chats/bin/c1/restore'])
  })

  it('delete only what was confirmed', async () => {
    for (const [command, name, call] of [
      [deleteChatCommand, 'c1', 'DELETE /api/chats/c1'],
      [deleteAgentCommand, 'editor', 'DELETE /api/agents/a1'],
    ] as const) {
      const attempt = async (typed: string, options: TestCommandOptions) => {
        const { requests, answer } = service()
        const test = createTestCommand({ answer, arguments: [name], ...options })
        test.type(typed)
        const failed = await command.run(test.context).then(
          () => undefined,
          (error: unknown) => error,
        )
        return { failed, deleted: requests.some((request) => request.call === call) }
      }
      expect((await attempt('y', {})).deleted).to.equal(true)
      expect((await attempt('', { options: { yes: true }, interactive: false })).deleted).to.equal(true)
      for (const refused of [await attempt('n', {}), await attempt('y', { interactive: false })]) {
        expect(refused.deleted).to.equal(false)
        expect(refused.failed).to.have.property('code', 'not_confirmed')
      }
    }
  })

  it('export a chat to standard output, or unchanged to a new file', async () => {
    expect((await run(exportChatCommand, { arguments: ['c1'] })).output()).to.equal('# Two lines\n')
    expect((await run(exportChatCommand, { arguments: ['c1'], json: true })).result).to.deep.equal({ status: 0, json: { version: 1 } })
    const folder = await mkdtemp(path.join(tmpdir(), 'cli-chat-export-'))
    try {
      const options = { output: path.join(folder, 'chat.md') }
      await run(exportChatCommand, { arguments: ['c1'], options })
      expect(await readFile(options.output, 'utf8')).to.equal('# Two lines')
      expect((await run(exportChatCommand, { arguments: ['c1'], options })).result).to.have.property('code', 'EEXIST')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('create an agent from options and standard input', async () => {
    const { requests, answer } = service()
    const options = { name: 'Editor', instructions: '-', tools: ' get_time, ,ask_user', models: 'small' }
    const test = createTestCommand({ answer, arguments: ['editor'], options, interactive: false })
    test.type('Edit.')
    test.type('Well.')
    test.endInput()
    await createAgentCommand.run(test.context)
    expect(requests[0]?.body).to.deep.equal({
      ...{ handle: 'editor', name: 'Editor', model_group: 'small', tools: ['get_time', 'ask_user'], instructions: 'Edit.\nWell.' },
    })
  })

  it('show an agent by its handle or id, and name the known ones for another', async () => {
    for (const name of ['editor', 'a1'])
      expect((await run(showAgentCommand, { arguments: [name] })).output()).to.match(/^Editor \(editor\)\n[\s\S]*\n\nEdit\.\nWell\.\n$/)
    expect((await run(showAgentCommand, { arguments: ['x'] })).result).to.have.property(
      'message',
      'You have no agent “x”. Your agents: editor.',
    )
  })
})

describe('chats import', () => {
  it('sends the file in pieces, follows the import, and says what was not imported', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'chats-import-'))
    try {
      const file = path.join(folder, 'export.zip')
      await writeFile(file, Buffer.alloc(5 * 1024 * 1024, 'x'))
      const sentFile = '2026-11-30T10-00-00-000Z export.zip'
      const problem = { file: sentFile, chat: 17, title: 'Trip', kind: 'skipped', message: 'message 3 has no author' }
      const done = {
        id: 'i1',
        state: 'done',
        imported: 19,
        existing: 2,
        skipped: 1,
        problems: [problem],
        problems_left_out: 0,
        failure: null,
      }
      let reads = 0
      const sent: number[] = []
      let placed = ''
      const importing = (method: string, at: string, body?: JsonValue): JsonValue => {
        if (method === 'POST') placed = String((body as { readonly path: string }).path)
        if (method === 'GET' && at === '/api/chats/imports/i1') reads += 1
        return method === 'GET' && reads > 1 ? done : { ...done, state: 'running', problems: [] }
      }
      const { result, lines, warnings } = await run(importChatsCommand, {
        arguments: [file],
        answer: importing,
        transfer: async (method, _, { body, headers = {} }) => {
          if (method === 'PATCH') sent.push(Number(headers['upload-offset']), body?.byteLength ?? 0)
          async function* none(): AsyncGenerator<Uint8Array> {}
          return { status: 201, headers: { location: '/api/files/uploads/u1' }, body: none() }
        },
        events: [{ name: 'chat_import.updated', data: { import: { id: 'i1', state: 'done' } } }],
      })
      expect(sent).to.deep.equal([0, 4 * 1024 * 1024, 4 * 1024 * 1024, 1024 * 1024])
      expect(placed).to.match(/^files\/imports\/.+ export\.zip$/)
      expect(result).to.deep.equal({ status: 0, json: done })
      expect(lines.at(-1)).to.equal('Done: 19 imported, 2 already there, 1 skipped.')
      expect(warnings).to.deep.equal(['export.zip, chat 17 “Trip”: message 3 has no author'])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('says why a file cannot be read', async () => {
    const { result } = await run(importChatsCommand, { arguments: ['/nowhere/export.zip'] })
    expect(result).to.have.property('code', 'export_unopened')
  })
})
