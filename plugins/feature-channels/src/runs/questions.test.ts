import { channelRejectedError } from '@agent-service/sdk/contracts/channel'
import type { Runs } from '@agent-service/sdk/services/runs'
import { expect } from 'chai'
import { conversationCollection } from '../store/conversation.js'
import { deliveryCollection } from '../store/delivery.js'
import { type ChannelBench, openBench } from '../test-support/channel-bench.js'
import { aMessage, createTown } from '../test-support/town.js'

const group = { conversation: { id: 'square', kind: 'group' } } as const

describe('questions of runs in channels', () => {
  let bench: ChannelBench
  let id: string
  afterEach(() => bench.close())

  const settled = (count: number) =>
    bench.until(`${count} deliveries`, async () => {
      const page = await bench.database.collection(deliveryCollection).query({ index: 'by_settled', from: '', limit: 200 })
      return page.items.length >= count
    })
  /** What the vendor got, once it is stored that it has. */
  const shown = async (count: number): Promise<readonly string[]> => {
    await settled(count)
    return bench.sent(count)
  }

  /** A run in a conversation asks something. */
  const ask = async (
    options: {
      readonly role?: string
      readonly owner?: string
      readonly in?: object
      readonly kind?: string
      readonly options?: readonly string[]
      readonly scopes?: readonly { readonly key: string; readonly label: string }[]
      readonly markdown?: boolean
      readonly text?: string
      readonly buttons?: boolean
      readonly edits?: boolean
      readonly refused?: boolean
    },
    wrapRuns: (runs: Runs) => Runs = (runs) => runs,
  ) => {
    const { role = 'owner', kind = 'approval', buttons = true, text = 'Delete old.txt', edits = false, markdown = false } = options
    bench = await openBench({ wrapRuns, town: createTown({ supports: { groups: true, attachmentsIn: true, buttons, edits, markdown } }) })
    if (options.refused)
      bench.town.onSend = () => {
        throw channelRejectedError.create({ channel: 'Town chat', reason: 'no' })
      }
    id = await bench.connect()
    const params = { connection_id: id }
    for (const [sender, as] of [
      ['grace', role],
      ['mallory', 'guest'],
      [options.owner ?? 'nia', options.owner === undefined ? 'guest' : 'owner'],
    ] as const)
      await bench.request('POST /api/channels/connections/{connection_id}/senders', { params, body: { sender_id: sender, role: as } })
    await bench.town.receive(aMessage('1', options.in))
    await bench.until('the run', () => bench.started.length === 1)
    const approval = { call_id: 'call-1', kind, text, options: [...(options.options ?? [])], scopes: [...(options.scopes ?? [])] }
    const data = { chat_id: 'chat', run_id: 'run-1', reports_to: { ...bench.started[0]?.reportsTo }, approval }
    await bench.deliver('approval.requested', data)
    await bench.deliver('approval.requested', data)
    return data
  }

  it('are asked once, with buttons, and answered by the button of the owner', async () => {
    await ask({})
    expect(await bench.sent(1)).to.deep.equal(['Delete old.txt\n\nMay the agent do that?'])
    const [yes] = bench.town.sent[0]?.buttons ?? []
    expect(yes?.value).to.match(/^q:[0-9a-f]{16}:y$/)
    await bench.town.receive(aMessage('2', { text: 'Yes', button: String(yes?.value) }))
    await bench.until('the answer', () => bench.answered.length === 1)
    expect(bench.answered).to.deep.equal([{ callId: 'call-1', decision: 'approve_once' }])
    await bench.town.receive(aMessage('3', { text: 'Yes', button: String(yes?.value) }))
    expect(await bench.sent(2)).to.contain('This question is no longer open.')
    expect(bench.answered).to.have.length(1)
  })

  const scopes = [
    { key: 'call:1', label: 'Exactly this call' },
    { key: 'of:folder old', label: 'Delete files of old/' },
    { key: 'of:any', label: 'Delete any file' },
  ]
  const offered = [
    'Delete old.txt',
    'What you can allow from now on, without being asked:',
    'Always 1: Exactly this call\nAlways 2: Delete files of old/',
  ].join('\n\n')

  it('offer the very call and the narrowest kind of it to be allowed from now on, by buttons of the owner', async () => {
    await ask({ in: group, scopes })
    expect(await shown(1)).to.deep.equal([`${offered}\n\nMay the agent do that?`])
    const buttons = bench.town.sent[0]?.buttons ?? []
    expect(buttons.map(({ label }) => label)).to.deep.equal(['Yes', 'No', 'Always 1', 'Always 2'])
    const button = String(buttons[3]?.value)
    await bench.town.receive(aMessage('2', { ...group, from: 'mallory', button, text: 'Always 2' }))
    expect(await bench.sent(2)).to.contain('Only the owner of this account can decide that.')
    expect(bench.answered).to.deep.equal([])
    for (const wrong of ['a0', 'a3', 'a']) {
      await bench.town.receive(aMessage(wrong, { ...group, button: button.replace(/a2$/, wrong), text: 'Always' }))
    }
    await bench.until(
      'the refusals',
      async () => (await bench.sent(2)).filter((text) => text === 'This question is no longer open.').length === 3,
    )
    expect(bench.answered).to.deep.equal([])
    await bench.town.receive(aMessage('3', { ...group, button, text: 'Always 2' }))
    await bench.until('the answer', () => bench.answered.length === 1)
    expect(bench.answered).to.deep.equal([{ callId: 'call-1', decision: 'approve', scope: 'of:folder old' }])
  })

  it('of a release before offer nothing but this once', () => {
    const [migration] = (conversationCollection.migrations ?? []).filter(({ to }) => to === 3)
    const stored = { id: 'c', questions: [{ call_id: 'call-1', kind: 'approval' }] }
    expect(migration?.migrate(stored)).to.deep.equal({ id: 'c', questions: [{ call_id: 'call-1', kind: 'approval', scopes: [] }] })
  })

  it('never offer every call of a tool', async () => {
    await ask({
      scopes: [
        { key: 'call:1', label: 'Exactly this call' },
        { key: 'every', label: 'Every call of this tool' },
      ],
    })
    await shown(1)
    expect(bench.town.sent[0]?.buttons?.map(({ label }) => label)).to.deep.equal(['Yes', 'No', 'Always 1'])
    expect(bench.town.sent[0]?.text).not.to.contain('Every call')
  })

  it('offer the narrowest kind alone where the very call cannot be allowed for later', async () => {
    await ask({ scopes: scopes.slice(1) })
    expect((await shown(1))[0]).to.contain('Always 1: Delete files of old/')
    expect(bench.town.sent[0]?.buttons?.map(({ label }) => label)).to.deep.equal(['Yes', 'No', 'Always 1'])
    await bench.town.receive(aMessage('2', { text: 'always' }))
    await bench.until('the answer', () => bench.answered.length === 1)
    expect(bench.answered).to.deep.equal([{ callId: 'call-1', decision: 'approve', scope: 'of:folder old' }])
  })

  it('are answered with “always” and its number in words, and ask which is meant without one', async () => {
    await ask({ scopes, buttons: false })
    const text = `${offered}\n\nMay the agent do that? Answer “yes” for this once, “no”, or “always 1” or “always 2”.`
    expect((await shown(2)).join('')).to.equal(text)
    await bench.town.receive(aMessage('2', { text: 'Always' }), aMessage('3', { text: 'always 3' }))
    const which = 'Say which: “always 1” or “always 2”. The agent still waits for the answer.'
    expect((await bench.sent(4)).slice(2)).to.deep.equal([which, which])
    expect(bench.answered).to.deep.equal([])
    await bench.town.receive(aMessage('4', { text: 'always 1' }))
    await bench.until('the answer', () => bench.answered.length === 1)
    expect(bench.answered).to.deep.equal([{ callId: 'call-1', decision: 'approve', scope: 'call:1' }])
  })

  it('show every character of what is approved, and let none of it format the message', async () => {
    await ask({
      ...{ markdown: true, text: 'Run *rm* \u202e ```\n# [x](https://evil.test)' },
      scopes: [{ key: 'call:1', label: 'Exactly `this`\u200b ``` call' }],
    })
    const marks = '<U+0060><U+0060><U+0060>'
    expect((await shown(2)).join('')).to.equal(
      [
        `\`\`\`\nRun *rm* <U+202E> ${marks} ⏎ # [x](https://evil.test)\n\`\`\``,
        'What you can allow from now on, without being asked:',
        `\`\`\`\nAlways 1: Exactly \`this\`<U+200B> ${marks} call\n\`\`\``,
        'May the agent do that?',
      ].join('\n\n'),
    )
  })

  it('say at their end what was allowed from now on', async () => {
    const data = await ask({ edits: true, scopes })
    await shown(1)
    await bench.deliver('approval.resolved', { ...data, approval: { ...data.approval, status: 'approved', scope: 'of:folder old' } })
    await bench.until('the edit', () => bench.town.edited.length === 1)
    expect(bench.town.edited[0]?.text).to.contain('The answer was yes, and from now on without asking:\n\nDelete files of old/')
  })

  it('are asked, and forgotten, where their events were missed', async () => {
    let open = true
    const wrapRuns = (inner: Runs): Runs => ({
      ...inner,
      async list({ userId, reportsTo }) {
        if (reportsTo === undefined) return { items: [] }
        const run = await inner.get({ userId, runId: 'run-1' })
        const question = {
          callId: 'call-2',
          kind: 'question',
          text: 'How far?',
          options: ['Near'],
          scopes: [],
          expiresAt: '2026-01-02T00:00:00.000Z',
        } as const
        return { items: [{ ...run, status: 'waiting', finishedAt: null, questions: open ? [question] : [] }] }
      },
    })
    await ask({}, wrapRuns)
    const gap = () =>
      bench
        .host()
        .services.events.deliver({ kind: 'gap', id: 'g', userId: 'user-1', lost: 1, until: '2026-01-01T00:00:00.000Z', attempt: 1 })
    await gap()
    await gap()
    expect(await shown(2)).to.deep.equal(['Delete old.txt\n\nMay the agent do that?', 'How far?\n\n- Near'])
    const stillOpen = async () => {
      const page = await bench.database.collection(conversationCollection).query({ index: 'by_user', equals: ['user-1'], limit: 10 })
      return page.items.flatMap(({ questions }) => questions.map(({ call_id: callId }) => callId))
    }
    expect(await stillOpen()).to.deep.equal(['call-2'])
    open = false
    await gap()
    expect(await stillOpen()).to.deep.equal([])
  })

  it('lose their buttons once they are over, wherever they were answered', async () => {
    const data = await ask({ edits: true })
    await shown(1)
    const resolved = { ...data, approval: { ...data.approval, status: 'approved' } }
    for (let times = 0; times < 2; times += 1) await bench.deliver('approval.resolved', resolved)
    await bench.until('the edit', () => bench.town.edited.length === 1)
    expect(bench.town.edited).to.deep.equal([
      { id: 'vendor-1', conversationId: 'with-grace', text: 'Delete old.txt\n\nMay the agent do that?\n\nThe answer was yes.' },
    ])
    await settled(2)
    expect(bench.town.sent).to.have.length(1)
  })

  it('that were never sent are not changed', async () => {
    const data = await ask({ edits: true, refused: true })
    await settled(1)
    await bench.deliver('approval.resolved', { ...data, approval: { ...data.approval, status: 'withdrawn' } })
    const all = () => bench.database.collection(deliveryCollection).query({ index: 'by_connection', equals: [id], limit: 10 })
    await bench.until('the end', async () => (await all()).items.every(({ line }) => line === null))
    expect((await all()).items.map(({ state }) => state)).to.deep.equal(['failed'])
    expect(bench.town.edited).to.deep.equal([])
  })

  it('are shown whole, however long, with the buttons at their end', async () => {
    await ask({ text: `Run ${'harmless '.repeat(60)}and then delete everything` })
    const pieces = await bench.sent(4)
    expect(pieces.join(''))
      .to.contain('and then delete everything')
      .and.match(/May the agent do that\?$/)
    expect(bench.town.sent.map(({ buttons }) => buttons?.length ?? 0)).to.deep.equal([0, 0, 0, 2])
  })

  it('that are too long to show cannot be answered there', async () => {
    await ask({ text: 'word '.repeat(2_000) })
    expect((await bench.sent(1))[0]).to.contain('not all that it asks can be shown here')
    expect(bench.town.sent).to.have.length(1)
    expect(bench.town.sent[0]?.buttons).to.equal(undefined)
  })

  it('that say nothing, as those of a release before, cannot be answered there', async () => {
    await ask({ text: '' })
    expect(await shown(1)).to.deep.equal([
      'The agent asks for a decision, and not all that it asks can be shown here. Decide in the service.',
    ])
    expect(bench.town.sent[0]?.buttons ?? []).to.deep.equal([])
  })

  it('of which the service itself has left out an end cannot be answered there', async () => {
    await ask({ text: 'Run harmless [12000 more characters]', scopes })
    expect((await bench.sent(1))[0]).to.contain('not all that it asks can be shown here')
    expect(bench.town.sent[0]?.buttons).to.equal(undefined)
    await bench.town.receive(aMessage('2', { text: 'yes' }))
    await bench.until('the message as such', () => bench.started.length === 2)
    expect(bench.answered).to.deep.equal([])
  })

  it('are answered in words where there are no buttons', async () => {
    await ask({ buttons: false })
    expect(await shown(1)).to.deep.equal(['Delete old.txt\n\nMay the agent do that? Answer “yes” or “no”.'])
    await bench.town.receive(aMessage('2', { text: 'Nein' }))
    await bench.until('the answer', () => bench.answered.length === 1)
    expect(bench.answered).to.deep.equal([{ callId: 'call-1', decision: 'deny' }])
  })

  it('of another kind are answered with an option, or with anything', async () => {
    await ask({ kind: 'question', options: ['Today', 'Tomorrow'] })
    await shown(1)
    expect(bench.town.sent[0]?.buttons?.map(({ label }) => label)).to.deep.equal(['Today', 'Tomorrow'])
    await bench.town.receive(aMessage('2', { text: 'On Sunday' }))
    await bench.until('the answer', () => bench.answered.length === 1)
    expect(bench.answered).to.deep.equal([{ callId: 'call-1', decision: 'answer', answer: 'On Sunday' }])
  })

  it('are not answered by words that come with a file, which go to the run together', async () => {
    await ask({ kind: 'question', text: 'Which plan?', buttons: false })
    await shown(1)
    const bytes = new TextEncoder().encode('the plan')
    await bench.town.receive(
      aMessage('2', { text: 'This one', attachments: [{ id: 'a', name: 'plan.zip', mediaType: 'application/zip', bytes }] }),
    )
    await bench.until('the message', () => bench.started.length === 2)
    expect(bench.started[1]).to.deep.include({ message: [{ type: 'text', text: 'This one' }], ifBusy: 'join' })
    expect(bench.started[1]?.attachments?.map(({ path }) => path.split('/').at(-1))).to.deep.equal(['plan.zip'])
    expect(bench.answered).to.deep.equal([])
  })

  it('are not answered by commands, which do what they say', async () => {
    await ask({ kind: 'question' })
    await bench.sent(1)
    await bench.town.receive(aMessage('2', { text: '/stop' }), aMessage('3', { text: '/help' }))
    expect((await bench.sent(3)).slice(1)).to.deep.equal([
      'Nothing is at work here.',
      'Write to me, and the agent answers. /new begins a new conversation, /stop ends what the agent is doing.',
    ])
    expect(bench.answered).to.deep.equal([])
  })

  it('are not answered by words while it is not certain which one is meant, but by a reply', async () => {
    const data = await ask({ buttons: false })
    await bench.deliver('approval.requested', { ...data, approval: { ...data.approval, call_id: 'call-22' } })
    await shown(2)
    await bench.town.receive(aMessage('2', { text: 'ok' }))
    await bench.until('the message as such', () => bench.started.length === 2)
    expect(bench.answered).to.deep.equal([])
    await bench.town.receive(aMessage('3', { text: 'ok', replyTo: 'vendor-2' }))
    await bench.until('the answer', () => bench.answered.length === 1)
    expect(bench.answered).to.deep.equal([{ callId: 'call-22', decision: 'approve_once' }])
  })

  it('are not answered by a reply to another message, such as one that asked before', async () => {
    const data = await ask({ buttons: false })
    await shown(1)
    await bench.deliver('approval.resolved', data)
    await bench.deliver('approval.requested', { ...data, approval: { ...data.approval, call_id: 'call-22' } })
    await shown(2)
    await bench.town.receive(aMessage('2', { text: 'yes', replyTo: 'vendor-1' }))
    await bench.until('the message as such', () => bench.started.length === 2)
    expect(bench.answered).to.deep.equal([])
    await bench.town.receive(aMessage('3', { text: 'yes', replyTo: 'an id that a server of mail has made' }))
    await bench.until('the answer', () => bench.answered.length === 1)
    expect(bench.answered).to.deep.equal([{ callId: 'call-22', decision: 'approve_once' }])
  })

  it('are answered by a reply to a hint that came after them', async () => {
    const scopes = [
      { key: 'call:1', label: 'Exactly this call' },
      { key: 'of:a', label: 'Read a' },
    ]
    await ask({ buttons: false, scopes })
    await shown(1)
    await bench.town.receive(aMessage('2', { text: 'always' }))
    await shown(2)
    await bench.town.receive(aMessage('3', { text: 'always 2', replyTo: 'vendor-2' }))
    await bench.until('the answer', () => bench.answered.length === 1)
    expect(bench.answered).to.deep.equal([{ callId: 'call-1', decision: 'approve', scope: 'of:a' }])
  })

  it('are not answered by what came before they were shown', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    bench = await openBench()
    id = await bench.connect()
    bench.town.onSend = () => held
    await bench.request('POST /api/channels/connections/{connection_id}/senders', {
      ...{ params: { connection_id: id }, body: { sender_id: 'grace', role: 'owner' } },
    })
    await bench.town.receive(aMessage('1'))
    await bench.until('the run', () => bench.started.length === 1)
    const approval = { call_id: 'call-1', kind: 'approval', text: 'Delete all', options: [] }
    await bench.deliver('approval.requested', {
      chat_id: 'chat',
      run_id: 'run-1',
      reports_to: { ...bench.started[0]?.reportsTo },
      approval,
    })
    await bench.town.receive(aMessage('2', { text: 'ok' }))
    await bench.until('the message as such', () => bench.started.length === 2)
    release()
    expect(bench.answered).to.deep.equal([])
  })

  it('in a group are answered by the owner alone, not by who else presses or writes', async () => {
    await ask({ in: group })
    await shown(1)
    const value = String(bench.town.sent[0]?.buttons?.[0]?.value)
    await bench.town.receive(aMessage('2', { ...group, from: 'mallory', button: value, text: 'Yes' }))
    expect(await bench.sent(2)).to.contain('Only the owner of this account can decide that.')
    await bench.town.receive(aMessage('3', { ...group, from: 'mallory', text: 'yes' }))
    await bench.until('the message as such', () => bench.started.length === 2)
    expect(bench.answered).to.deep.equal([])
    await bench.town.receive(aMessage('4', { ...group, text: 'yes' }))
    await bench.until('the answer', () => bench.answered.length === 1)
  })

  it('with a guest are not shown because the owner was added by an id', async () => {
    await ask({ role: 'guest', owner: 'ada' })
    expect((await bench.sent(1))[0]).to.match(/^I have to ask the owner/)
  })

  it('with a guest are not shown, and not answered by them', async () => {
    await ask({ role: 'guest' })
    expect((await bench.sent(1))[0]).to.match(/^I have to ask the owner/)
    expect(bench.town.sent[0]?.buttons).to.equal(undefined)
    await bench.town.receive(aMessage('2', { text: 'yes' }))
    await bench.until('the message as such', () => bench.started.length === 2)
    expect(bench.answered).to.deep.equal([])
  })

  it('are not answered twice, nor is the answer a message, when the service ends in between', async () => {
    const data = await ask({}, (inner) => ({
      ...inner,
      async answer(request) {
        await inner.answer(request)
        if (bench.answered.length > 1) return inner.get(request)
        throw new Error('The process ends before it stores that.')
      },
    }))
    await shown(1)
    await bench.town.receive(aMessage('2', { text: 'yes' }))
    await bench.until('the answer', () => bench.answered.length === 1)
    await bench.deliver('approval.resolved', data)
    await bench.restart()
    await bench.until('the same answer', () => bench.answered.length === 2)
    expect(bench.answered[1]).to.deep.equal(bench.answered[0])
    expect(bench.started).to.have.length(1)
  })

  it('are over when they were answered elsewhere', async () => {
    const data = await ask({})
    await bench.sent(1)
    await bench.deliver('approval.resolved', data)
    await bench.town.receive(aMessage('2', { text: 'yes' }))
    await bench.until('the message as such', () => bench.started.length === 2)
    expect(bench.answered).to.deep.equal([])
  })
})
