import type { JsonObject } from '@agent-service/sdk'
import type { ChannelDelivery } from '@agent-service/sdk/contracts/channel'
import { channelRejectedError, channelUnavailableError } from '@agent-service/sdk/contracts/channel'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { type Tool, type ToolContext, type ToolResult, tools } from '@agent-service/sdk/contracts/tool'
import { callTool, describeTool, testAccount } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { historyMs, maxKeptFiles, maxWaitingDeliveries } from '../common/limits.js'
import { conversationKind } from '../store/conversation.js'
import { deliveryCollection } from '../store/delivery.js'
import { type ChannelBench, codeOf, openBench } from '../test-support/channel-bench.js'
import { aMessage, createTown, type Town } from '../test-support/town.js'

const path = '/api/channels/connections/{connection_id}'
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = { unit: 'characters', max: 200 } as const
const withFiles = (more: object = {}) =>
  createTown({ limits: { text, attachments: { maxBytes: 1_000, maxCount: 1 } }, supports: { attachmentsOut: true, groups: true, ...more } })

const toolOf = (bench: ChannelBench): Tool => {
  const [tool] = bench.host().contributed(tools)
  if (!tool) throw new Error('There is no tool.')
  return tool
}
const textOf = ({ content }: ToolResult): string => content.map((each) => (each.type === 'text' ? each.text : '')).join()

describe('files that agents send over channels', () => {
  let bench: ChannelBench
  let id: string
  /** The contents that the vendor took. */
  let contents: string[]
  /** Ends what a vendor holds. */
  let release: () => void
  afterEach(() => {
    release()
    return bench.close()
  })

  const hold = (): Promise<void> =>
    new Promise((resolve) => {
      release = resolve
    })
  const read = async ({ attachments = [] }: ChannelDelivery): Promise<void> => {
    for (const { bytes } of attachments) {
      const pieces: Uint8Array[] = []
      for await (const piece of bytes) pieces.push(piece)
      contents.push(Buffer.concat(pieces).toString())
    }
  }
  const open = async (options: Parameters<typeof openBench>[0] = {}): Promise<void> => {
    contents = []
    release = () => undefined
    bench = await openBench({ town: withFiles(), ...options })
    bench.town.onSend = read
    id = await bench.connect({ access: 'open' })
    await bench.request(`POST ${path}/senders`, { params: { connection_id: id }, body: { sender_id: 'grace', role: 'owner' } })
    write('report.txt', 'Seven.')
    await begin()
  }
  const write = (name: string, content: string, folder = 'workspaces/assistant'): void =>
    void bench.host().services.userFiles.files.set(`${testAccount.handle}/${folder}/${name}`, bytesOf(content))
  /** A run of the agent begins in a conversation. */
  const begin = async (more: NonNullable<Parameters<typeof aMessage>[1]> = {}): Promise<void> => {
    const before = bench.started.length
    await bench.town.receive(aMessage(`m${before}`, more))
    await bench.until('the run', () => bench.started.length === before + 1)
  }
  const contextOf = (more: Partial<ToolContext> = {}): Partial<ToolContext> => ({
    ...{ runId: `run-${bench.started.length}`, chatId: 'chat-1', callId: 'call-1', workspace: 'assistant' },
    ...more,
  })
  const send = (input: JsonObject = { path: 'report.txt' }, more: Partial<ToolContext> = {}): Promise<ToolResult> =>
    callTool(toolOf(bench), input, contextOf(more))
  const deliveries = () => bench.items(`GET ${path}/deliveries`, { params: { connection_id: id } })
  const until = (wanted: readonly string[]) =>
    bench.until(wanted.join(), async () => JSON.stringify((await deliveries()).map(({ state }) => state)) === JSON.stringify(wanted))
  const kept = (): readonly string[] =>
    [...bench.host().services.userFiles.files].filter(([file]) => file.includes('/channels/outbox/')).map(([file]) => file)
  const guests = { guests: { tools: ['send_file'] } }
  const permit = (...names: readonly string[]) =>
    bench.request(`PATCH ${path}`, { params: { connection_id: id }, body: { guest_tools: [...names] } })

  it('come before the answer, with their name, type, size and words, and once for a call', async () => {
    await open()
    const input = { path: './report.txt', caption: 'Here it **is**.' }
    expect(textOf(await send(input))).to.equal('“report.txt” (6 bytes) is sent to this conversation before your answer.')
    expect(textOf(await send(input))).to.equal('“report.txt” is on its way to this conversation already.')
    await bench.ended()
    expect(await bench.sent(2)).to.deep.equal(['Here it is.', 'Hello'])
    const [file] = bench.town.sent[0]?.attachments ?? []
    expect([file?.name, file?.mediaType, file?.size]).to.deep.equal(['report.txt', 'text/plain', 6])
    expect(contents).to.deep.equal(['Seven.'])
    await until(['sent', 'sent'])
    expect((await deliveries())[1]).to.deep.include({ kind: 'file', run_id: 'run-1', file: { name: 'report.txt', size: 6 } })
    await bench.until('the content is gone', () => kept().length === 0)
    const { items } = await bench.database.collection(deliveryCollection).query({ index: 'by_kept', equals: [testAccount.id], limit: 9 })
    expect(items).to.deep.equal([])
  })

  it('are sent as they were, whatever became of them while they waited', async () => {
    await open()
    let down = true
    bench.town.onSend = async (delivery) => {
      if (down) throw channelUnavailableError.create({ channel: 'Town chat', reason: 'it is down' })
      await read(delivery)
    }
    await send()
    write('report.txt', 'Eight')
    bench.host().services.userFiles.files.delete(`${testAccount.handle}/workspaces/assistant/report.txt`)
    down = false
    await bench.until('the file', async () => {
      await bench.advance(4_000)
      return contents.length === 1
    })
    expect(contents).to.deep.equal(['Seven.'])
    await until(['sent'])
  })

  it('fail with a reason where what was kept is not there any more, and are not sent in part', async () => {
    await open()
    let down = true
    bench.town.onSend = async (delivery) => {
      if (down) throw channelUnavailableError.create({ channel: 'Town chat', reason: 'it is down' })
      await read(delivery)
    }
    await send()
    await bench.until('a failed attempt', async () => JSON.stringify(await deliveries()).includes('channel_unavailable'))
    const [copy = ''] = kept()
    bench.host().services.userFiles.files.set(copy, bytesOf('Sev'))
    down = false
    await bench.until('the end', async () => {
      await bench.advance(4_000)
      return (await deliveries())[0]?.['state'] === 'failed'
    })
    expect((await deliveries())[0]?.['failure']).to.deep.include({ code: 'channel_file_gone' })
    expect(bench.town.sent).to.deep.equal([])
  })

  it('on their way during a crash are unknown after it, and can be sent again', async () => {
    await open()
    bench.town.afterSend = hold
    await send()
    await bench.sent(1)
    bench.town.afterSend = () => undefined
    await bench.restart()
    await until(['unknown'])
    expect(bench.town.sent).to.have.length(1)
    const delivery = String((await deliveries())[0]?.['id'])
    await bench.request(`POST ${path}/deliveries/{delivery_id}/resend`, { params: { connection_id: id, delivery_id: delivery } })
    await until(['sent'])
    expect(contents).to.deep.equal(['Seven.', 'Seven.'])
    await bench.until('the content is gone', () => kept().length === 0)
  })

  it('on their way during a crash are sent again where the vendor makes one message of two', async () => {
    await open({ town: withFiles({ idempotentSend: true }) })
    bench.town.afterSend = hold
    await send()
    await bench.sent(1)
    bench.town.afterSend = () => undefined
    await bench.restart()
    await until(['sent'])
    expect(contents).to.deep.equal(['Seven.', 'Seven.'])
    expect(bench.town.sent).to.have.length(1)
  })

  it('take what a crash has left of others with them', async () => {
    await open()
    const folder = bench.host().services.userFiles.folder({ handle: testAccount.handle }, { subsystem: 'channels', path: 'outbox' })
    await folder.write('f.left-by-a-crash', bytesOf('x'))
    await send()
    await until(['sent'])
    await bench.until('nothing is kept', () => kept().length === 0)
  })

  const withoutFiles: readonly (readonly [string, () => Town, string])[] = [
    ['no files', () => createTown(), 'Town chat takes no files'],
    [
      'smaller files',
      () => createTown({ limits: { text, attachments: { maxBytes: 5, maxCount: 1 } }, supports: { attachmentsOut: true } }),
      '“report.txt” has 6 bytes, and Town chat takes 5',
    ],
  ]
  for (const [what, town, why] of withoutFiles) {
    it(`become a link where the channel takes ${what}`, async () => {
      await open({ town: town() })
      const said = textOf(await send({ path: 'report.txt', caption: 'All of it.' }))
      expect(said).to.equal(
        `${why}: a link to it is sent to this conversation before your answer. It works until 1970-01-01T00:00:00.000Z.`,
      )
      expect(await bench.sent(1)).to.deep.equal(['All of it.\n\nreport.txt\nhttps://x.test/s/abc'])
      expect(bench.sharedFiles).to.deep.equal([{ userId: testAccount.id, path: 'workspaces/assistant/report.txt' }])
      expect(bench.town.sent[0]?.attachments).to.equal(undefined)
      await until(['sent'])
      expect((await deliveries())[0]).to.deep.include({ kind: 'file', file: null })
      expect(kept()).to.deep.equal([])
    })

    it(`are not sent where the channel takes ${what} and there are no links, and the agent reads why`, async () => {
      await open({ town: town(), hasLinks: false })
      const result = await send()
      expect([result.isError, textOf(result)]).to.deep.equal([
        true,
        `Not sent. ${why}, and this service makes no links to files. Say in your answer what is in it.`,
      ])
      expect(await deliveries()).to.deep.equal([])
    })
  }

  it('become no link if the policies forbid the person to make one', async () => {
    await open({ town: createTown() })
    bench.host().services.policies.decide(({ resource }) => resource.id !== 'createShare')
    expect(textOf(await send())).to.match(/^Not sent\. .*“createShare”/)
    expect(bench.sharedFiles).to.deep.equal([])
  })

  it('are sent only where the run answers in a channel, and the tool is offered nowhere else', async () => {
    await open()
    const offered = (reportsTo?: { readonly kind: string; readonly id: string } | null) =>
      toolOf(bench).offered?.({
        ...{ id: 'a', handle: 'a', userId: 'u', memory: { enabled: true } },
        ...(reportsTo !== undefined && { reportsTo }),
      })
    expect([
      offered(),
      offered(null),
      offered({ kind: 'feature-tasks.task', id: '1' }),
      offered({ kind: conversationKind, id: '1' }),
    ]).to.deep.equal([true, false, false, true])
    for (const more of [{ runId: 'run-9' }, { userId: 'user-2', userHandle: 'bob' }]) {
      const result = await send(undefined, more)
      expect([result.isError, textOf(result)]).to.deep.equal([
        true,
        'Not sent. This chat goes on in no channel here. Say in your answer where the file is.',
      ])
    }
  })

  it('are not sent to a conversation of another user, whatever a run reports to', async () => {
    await open({ wrapRuns: (inner) => ({ ...inner, get: (request) => inner.get({ ...request, userId: testAccount.id }) }) })
    const result = await send(undefined, { userId: 'user-2' })
    expect([result.isError, textOf(result)]).to.deep.equal([true, 'Not sent. The connection of this chat is gone.'])
    expect(await deliveries()).to.deep.equal([])
  })

  it('are asked about at the policies, for the agent, under their whole path', async () => {
    await open()
    write('own.txt', 'Mine.', 'files')
    const { policies } = bench.host().services
    policies.decide(({ resource, principal }) => principal.type !== 'Agent' || resource.id === 'files/own.txt')
    expect(textOf(await send())).to.match(/policies of this service do not let you read/)
    expect((await send({ path: 'own.txt', from: 'files' }, { callId: 'call-2' })).isError).to.equal(undefined)
    expect(policies.asked.filter(({ action }) => action === 'read_file').map(({ resource }) => resource.id)).to.deep.equal([
      'workspaces/assistant/report.txt',
      'files/own.txt',
    ])
    await until(['sent'])
    expect(contents).to.deep.equal(['Mine.'])
  })

  it('are taken from nowhere but the named folder', async () => {
    await open()
    write('own.txt', 'Mine.', 'files')
    write('gone.txt', 'Old.', 'files/.bin')
    write('secret.txt', 'Of another agent.', 'workspaces/other')
    write('empty.txt', '')
    for (const input of [
      { path: '../other/secret.txt' },
      { path: '../../files/own.txt' },
      { path: '/etc/passwd' },
      { path: 'a/../../other/secret.txt' },
      { path: './../other/secret.txt' },
      { path: 'absent.txt' },
      { path: 'empty.txt' },
      { path: '.' },
      { path: 'own.txt' },
      { path: '.bin/gone.txt', from: 'files' },
      { path: '../workspaces/other/secret.txt', from: 'files' },
      { path: 'report.txt', from: 'files' },
    ]) {
      const result = await send(input)
      expect([result.isError, textOf(result).startsWith('Not sent. ')], input.path).to.deep.equal([true, true])
    }
    expect(await deliveries()).to.deep.equal([])
    expect(kept()).to.deep.equal([])
  })

  it('go to guests only while the connection gives them the tool, and only from the workspace', async () => {
    await open()
    write('own.txt', 'Mine.', 'files')
    await permit('send_file')
    await begin({ from: 'eve' })
    const refused = 'Not sent. No files are sent to the people of this chat.'
    expect(textOf(await send(undefined, { guests: { tools: ['get_time'] } }))).to.equal(refused)
    expect(textOf(await send({ path: 'own.txt', from: 'files' }, guests))).to.match(/only files of your workspace/)
    expect((await send(undefined, guests)).isError).to.equal(undefined)
    await until(['sent'])
    expect(bench.town.sent[0]?.conversationId).to.equal('with-eve')
    await permit('get_time')
    expect(textOf(await send(undefined, { ...guests, callId: 'call-2' }))).to.equal(refused)
    expect(contents).to.deep.equal(['Seven.'])
  })

  it('become links of a day for guests', async () => {
    await open({ town: createTown() })
    await permit('send_file')
    await begin({ from: 'eve' })
    await send(undefined, guests)
    expect(bench.sharedFiles).to.deep.equal([{ userId: testAccount.id, path: 'workspaces/assistant/report.txt', expiresInSeconds: 86_400 }])
  })

  it('are bounded: what waits is refused, and of what failed the oldest makes place', async () => {
    await open()
    bench.town.onSend = () => {
      throw channelRejectedError.create({ channel: 'Town chat', reason: 'no' })
    }
    for (let number = 0; number < maxKeptFiles; number += 1) await send(undefined, { callId: `old-${number}` })
    const stored = () => bench.database.collection(deliveryCollection).query({ index: 'by_settled', from: '', limit: 200 })
    await bench.until('all have failed', async () => (await stored()).items.length === maxKeptFiles)
    expect(kept()).to.have.length(maxKeptFiles)
    bench.town.onSend = hold
    expect((await send(undefined, { callId: 'new' })).isError).to.equal(undefined)
    expect(kept()).to.have.length(maxKeptFiles)
    const dropped = (await stored()).items.filter(({ keeps }) => keeps === null)
    expect(dropped).to.have.length(1)
    const params = { connection_id: id, delivery_id: dropped[0]?.id ?? '' }
    expect(await codeOf(bench.request(`POST ${path}/deliveries/{delivery_id}/resend`, { params }))).to.equal('channel_state')
    for (let number = 1; number < maxWaitingDeliveries; number += 1) await send(undefined, { callId: `new-${number}` })
    const result = await send(undefined, { callId: 'too-many' })
    expect([result.isError, textOf(result)]).to.deep.equal([
      true,
      'Not sent. Too many messages wait to be sent to this conversation already. Try again later.',
    ])
  })

  it('leave nothing behind when they were settled long ago, or their connection is deleted', async () => {
    await open()
    bench.town.onSend = () => {
      throw channelRejectedError.create({ channel: 'Town chat', reason: 'no' })
    }
    await send()
    await until(['failed'])
    expect(kept()).to.have.length(1)
    await bench.advance(historyMs + 1_000)
    const [job] = bench.host().contributed(schedulerJobs)
    await job?.run({ signal: new AbortController().signal, epoch: 1 })
    expect([await deliveries(), kept()]).to.deep.equal([[], []])
    await send(undefined, { callId: 'call-2' })
    await until(['failed'])
    expect(kept()).to.have.length(1)
    await bench.request(`DELETE ${path}`, { params: { connection_id: id } })
    await bench.until('nothing is kept', () => kept().length === 0)
  })
})

describe('the tool with which agents send files', () => {
  let bench: ChannelBench
  before(async () => {
    bench = await openBench({ town: withFiles() })
    await bench.connect({ access: 'open' })
    bench.host().services.userFiles.files.set(`${testAccount.handle}/workspaces/assistant/notes.md`, bytesOf('Notes'))
    await bench.town.receive(aMessage('1'))
    await bench.until('the run', () => bench.started.length === 1)
  })
  after(() => bench.close())

  describeTool({
    name: 'send_file',
    create: () => toolOf(bench),
    examples: [
      // First, since the suite gives all calls the same id.
      { title: 'a way out', input: { path: '../other/notes.md', from: 'files' }, isError: true },
      { title: 'a file of the workspace', input: { path: 'notes.md', caption: 'Look.' } },
    ],
    context: { userId: testAccount.id, userHandle: testAccount.handle, workspace: 'assistant', runId: 'run-1' },
    secrets: [],
  })
})
