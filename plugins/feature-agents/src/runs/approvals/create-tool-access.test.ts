import { type JsonObject, Type } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import { expect } from 'chai'
import type { RunHooks } from '../../points/hooks/run-hooks.js'
import { agentCollection } from '../../store/agents/agent.js'
import { completeDefinition, newAgent } from '../../store/agents/new-agent.js'
import { approvalCollection } from '../../store/runs/approval.js'
import { createFakeAgentTools, createFakeTools, createRecordingLogger, toolNamed } from '../../test-support/fake-tools.js'
import { createMemoryDatabase } from '../../test-support/memory-database.js'
import { queuedRun } from '../../test-support/queued-run.js'
import type { PendingCall } from '../log/plan-next.js'
import { createToolAccess } from './create-tool-access.js'

const now = '2026-01-01T00:00:00.000Z'
const clock = { now: () => Date.parse(now) } as Clock
const { signal } = new AbortController()
const tool = toolNamed('send', {
  parameters: Type.Object({ text: Type.String(), more: Type.Optional(Type.Unknown()) }),
  purpose: ({ text }) => `Send ${String(text)}`.trim(),
  scopes: ({ text }) => [{ key: `to ${String(text)}`, label: `Send to ${String(text)}` }],
})
const policies = {
  isAuthorized: async () => ({ allowed: true }),
  allowedOf: async (_: unknown, resources: readonly unknown[]) => resources.map(() => true),
  filePatterns: async () => undefined,
  expectQuestions: () => undefined,
}

describe('the access to a tool that a person is asked about', () => {
  const open = (hooks?: Pick<RunHooks, 'has' | 'mask'>) => {
    const { database, documents } = createMemoryDatabase()
    const agentTools = createFakeAgentTools(createFakeTools([tool]))
    const access = createToolAccess({ policies, agentTools, database, clock, log: createRecordingLogger(), ...(hooks && { hooks }) })
    const agent = newAgent(completeDefinition({ handle: 'a', name: 'A', tools: ['send'] }), {
      ...{ userId: 'u', workspace: 'a', shared: null, now },
    })
    documents(agentCollection).set(agent.id, agent)
    const pending: PendingCall = { message_id: 'm', part: 0, call_id: 'c', name: 'send', arguments_hash: '', state: 'planned' }
    const callOf = (sent: JsonObject) => ({ type: 'tool_call' as const, call_id: 'c', name: 'send', arguments: sent })
    return {
      async ask(sent: JsonObject) {
        const decided = await access.decide({ run: queuedRun('r'), agent }, pending, callOf(sent), { signal })
        if (decided.kind !== 'ask') throw new Error(`The call is ${decided.kind}.`)
        documents(approvalCollection).set('c', { ...decided.approval, status: 'approved' })
        return decided.approval
      },
      forget: () => documents(approvalCollection).clear(),
      confirm: (sent: JsonObject) =>
        access.confirm({ agent }, { ...pending, state: 'asked', answer: { outcome: 'approved', note: null } }, callOf(sent), { signal }),
    }
  }

  it('is for the whole call that was shown, in whatever order its arguments are', async () => {
    const { ask, confirm } = open()
    await ask({ text: 'ada', more: { a: 1, b: [2] } })
    expect(await confirm({ more: { b: [2], a: 1 }, text: 'ada' })).to.deep.equal({ kind: 'allowed' })
    for (const sent of [{ text: 'ada' }, { text: 'eve', more: { a: 1, b: [2] } }, { text: 'ada', more: { a: 1, b: ['2'] } }]) {
      const decided = await confirm(sent)
      expect(decided, JSON.stringify(sent)).to.have.property('kind', 'refused')
      expect('reason' in decided && decided.reason).to.match(
        /^Not run: this call of “send” is not the one that the person was asked about\./,
      )
    }
  })

  it('is refused if nothing says any more what the person was asked', async () => {
    const { ask, confirm, forget } = open()
    await ask({ text: 'ada' })
    forget()
    expect(await confirm({ text: 'ada' })).to.have.property('kind', 'refused')
  })

  it('offers no kind whose words hold a secret', async () => {
    const mask: RunHooks['mask'] = async ({ texts }) => texts.map((text) => text.replaceAll('s3cret', '[masked]'))
    const { ask } = open({ has: (name) => name === 'mask', mask })
    expect((await ask({ text: 'ada' })).scopes.map(({ key }) => key)).to.include('of:to ada')
    const hidden = await ask({ text: 's3cret' })
    expect(hidden.scopes.map(({ label }) => label)).to.deep.equal(['Exactly this call'])
    expect(JSON.stringify(hidden.scopes)).not.to.include('s3cret')
  })

  it('is told with every argument, where a person is shown nothing else', async () => {
    const mask: RunHooks['mask'] = async ({ texts }) => texts.map((text) => text.replaceAll('s3cret', '[masked]'))
    const { ask } = open({ has: (name) => name === 'mask', mask })
    expect((await ask({ text: 'to ada' })).text).to.equal('Send to ada')
    expect((await ask({ text: 'to ada', more: true })).text).to.equal('Send to ada (more: true)')
    expect((await ask({ text: 'to ada', more: 's3cret\u202e' })).text).to.equal('Send to ada (more: "[masked]<U+202E>")')
    expect((await ask({ text: 'ada', more: 'Send' })).text, 'a word of the tool').to.equal('Send ada (more: "Send")')
    expect((await ask({ text: 'ada', more: 'Send ada' })).text).to.equal('Send ada (more: "Send ada")')
    expect((await ask({ text: '', more: { a: 'to' } })).text).to.equal('Send (text: "", more: {"a":"to"})')
  })

  it('of an approval from before is bound to its arguments, if they are stored in full', () => {
    const [migration] = approvalCollection.migrations ?? []
    const old = { id: 'c', tool: 'send', arguments: { text: 'ada' }, arguments_cut: false, remembers: true }
    expect(migration?.migrate(old)).to.include({ remembers: false, scope: null }).and.to.have.property('call_hash').that.is.a('string')
    expect(migration?.migrate({ ...old, arguments_cut: true })).to.have.property('call_hash', null)
  })
})
