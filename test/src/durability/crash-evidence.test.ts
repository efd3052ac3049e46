import { expect } from 'chai'
import { type CrashEvidence, crashProblems, type RunEvidence } from '../campaigns/support/crash-evidence.js'
import type { JournalLine } from '../campaigns/support/effect-tools-folder.js'
import type { StoredMessage, StoredSummary } from '../campaigns/support/person.js'
import type { Plan } from '../campaigns/support/planned-model.js'

// The last digit says that the checkable tool knows what became of its call.
const calls = ['read', 'idempotent', 'checkable', 'unsafe'].map((effect) => ({ tool: `tool__${effect}`, callId: `call-${effect}-f` }))
const plan: Plan = { name: 'run-0', turns: [calls.map(({ tool }) => ({ tool, pause: 0 }))], note: false, ends: 'answer' }

const message = (id: string, role: string, content: StoredMessage['content']): StoredMessage => ({ id, role, status: 'complete', content })
const messages: readonly StoredMessage[] = [
  message('m0', 'user', [{ type: 'text', text: JSON.stringify(plan) }]),
  message('m1', 'assistant', [
    { type: 'text', text: 'I call.' },
    ...calls.map(({ tool, callId }) => ({ type: 'tool_call', call_id: callId, name: tool })),
  ]),
  message(
    'm2',
    'tool',
    calls.map(({ tool, callId }) => ({ type: 'tool_result', call_id: callId, name: tool, content: [{ text: `${tool} is done` }] })),
  ),
  message('m3', 'assistant', [{ type: 'text', text: 'I am done.' }]),
]
const summary: StoredSummary = { id: 's', until: 2, text: 'They called.', undone_at: null }
const journal: readonly JournalLine[] = calls.flatMap(({ tool, callId }) => [
  { kind: 'begin', callId },
  ...(tool === 'tool__checkable' || tool === 'tool__unsafe' ? [{ kind: 'effect' as const, callId }] : []),
  { kind: 'end', callId },
  { kind: 'recorded', callId },
])
const evidence: CrashEvidence = {
  runs: [{ plan, runId: 'r', status: 'completed', failure: undefined, messages, summaries: [summary], notes: [] }],
  journal,
  effects: new Set(['call-idempotent-f']),
  said: new Map([
    ['run-0/0', ['I was cut', 'I call.']],
    ['run-0/1', ['I am done.']],
  ]),
  summarised: new Map([['run-0', [summary.text, 'Another one.']]]),
  seen: new Map(
    [
      'run.completed r',
      'chat.summarised s',
      ...messages.map(({ id }) => `message.created ${id}`),
      ...calls.flatMap(({ callId }) => [`tool_call.started ${callId}`, `tool_call.finished ${callId}`]),
    ].map((name) => [name, 1]),
  ),
  shown: (id) => ({ m1: 'I call.', m3: 'I am done.' })[id] ?? '',
}

const withRun = (changes: Partial<RunEvidence>): Partial<CrashEvidence> => ({ runs: evidence.runs.map((run) => ({ ...run, ...changes })) })
const withResult = (tool: string, changes: object): Partial<CrashEvidence> =>
  withRun({
    messages: messages.map((each) => ({
      ...each,
      content: each.content.map((part) => (part.type === 'tool_result' && part.name === tool ? { ...part, ...changes } : part)),
    })),
  })
const withText = (id: string, text: string): Partial<CrashEvidence> =>
  withRun({
    messages: messages.map((each) => (each.id === id ? { ...each, content: [{ type: 'text', text }, ...each.content.slice(1)] } : each)),
  })
const unknown = { outcome: 'unknown', content: [{ text: 'Outcome unknown: …' }] }
const unsafe = 'call-unsafe-f'
const without = (kind: string, callId: string): readonly JournalLine[] =>
  journal.filter((line) => line.kind !== kind || line.callId !== callId)

describe('the evidence of a crash', () => {
  it('is accepted when each call was done once and each text comes from one attempt', () => {
    expect(crashProblems(evidence)).to.deep.equal([])
    const interrupted = [...without('recorded', unsafe), { kind: 'killed' as const }, { kind: 'recorded' as const, callId: unsafe }]
    expect(crashProblems({ ...evidence, ...withResult('tool__unsafe', unknown), journal: interrupted })).to.deep.equal([])
  })

  const faults: readonly (readonly [string, Partial<CrashEvidence>, RegExp])[] = [
    ['a run that does not end', withRun({ status: 'running' }), /it is running/],
    ['a message of a person that is lost', withRun({ messages: messages.slice(1) }), /of the person is there 0 times/],
    [
      'a message of a person that is there twice',
      withRun({ messages: [...messages.slice(0, 1), ...messages] }),
      /of the person is there 2 times/,
    ],
    ['a note that is lost', withRun({ notes: [{ text: 'a note', sure: true }] }), /“a note” of the person is there 0 times/],
    [
      'two summaries for one place',
      withRun({ summaries: [summary, { ...summary, id: 't', text: 'Another one.' }] }),
      /two summaries stand for the messages before 2/,
    ],
    ['a summary that is doubled', withRun({ summaries: [summary, { ...summary, id: 't', until: 1 }] }), /“They called.” is there twice/],
    [
      'a summary that the model did not write',
      withRun({ summaries: [{ ...summary, text: 'I call.' }] }),
      /has not written the summary “I call.”/,
    ],
    ['a summary of messages that are not there', withRun({ summaries: [{ ...summary, until: 4 }] }), /stands for 4 of 4 messages/],
    ['a summary that a tab saw twice', { seen: new Map([...evidence.seen, ['chat.summarised s', 2]]) }, /chat.summarised of s 2 times/],
    ['a text that is doubled', withText('m3', 'I am done.I am done.'), /none of the 1 that the model gave/],
    ['a text of an attempt that was cut', withText('m1', 'I was'), /none of the 2/],
    ['a tab that shows another text', { shown: () => 'I am done.I am done.' }, /a tab shows/],
    [
      'an event that a tab saw twice',
      { seen: new Map([...evidence.seen, ['tool_call.finished call-read-f', 2]]) },
      /finished of call-read-f 2 times/,
    ],
    [
      'an event that a tab did not see',
      { seen: new Map([...evidence.seen].filter(([name]) => name !== 'run.completed r')) },
      /run.completed of r 0 times/,
    ],
    ['an unsafe call that ran twice', { journal: [...journal, { kind: 'killed' }, { kind: 'begin', callId: unsafe }] }, /executed 2 times/],
    ['an unsafe call with two effects', { journal: [{ kind: 'effect', callId: unsafe }, ...journal] }, /tool__unsafe .*2 effects/],
    [
      'a call that ran again after its result',
      { journal: [...journal, { kind: 'begin', callId: 'call-read-f' }] },
      /again after its result/,
    ],
    ['a result that was recorded twice', { journal: [...journal, { kind: 'recorded', callId: 'call-read-f' }] }, /recorded 2 times/],
    ['a call that ran twice in one process', { journal: [{ kind: 'begin', callId: 'call-read-f' }, ...journal] }, /twice in one process/],
    ['an outcome that is not marked unknown', { journal: without('end', unsafe) }, /the result of 0 executions/],
    ['an outcome that is called unknown for nothing', withResult('tool__unsafe', unknown), /although nothing interrupted it/],
    ['a read that is called unknown', withResult('tool__read', unknown), /although it may run again/],
    ['a call that can be asked and is called unknown', withResult('tool__checkable', unknown), /although it can be asked/],
    [
      'a checkable call with two effects',
      { journal: [{ kind: 'effect', callId: 'call-checkable-f' }, ...journal] },
      /tool__checkable .*2 effects/,
    ],
    ['an idempotent effect that is missing', { effects: new Set() }, /the receiver has no effect/],
    ['an idempotent call with a second key', { effects: new Set([...evidence.effects, 'another']) }, /the key another/],
    ['a call that no model made', { journal: [...journal, { kind: 'begin', callId: 'stray' }] }, /called with stray/],
  ]
  for (const [name, changes, problem] of faults) {
    it(`is rejected with ${name}`, () => {
      expect(crashProblems({ ...evidence, ...changes }).join('\n')).to.match(problem)
    })
  }
})
