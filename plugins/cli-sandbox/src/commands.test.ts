import type { JsonValue } from '@agent-service/sdk'
import { describeCliCommand } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { listProcessesCommand } from './list-processes.js'
import { showOutputCommand } from './show-output.js'
import { showStatusCommand } from './show-status.js'
import { stopProcessCommand } from './stop-process.js'

const closed = { state: 'closed', by: 'bubblewrap', reason: '' }
const status = {
  ...{ driver: 'linux', mode: 'bubblewrap', confines: true, disabled: false, machine: null, running: null },
  fences: {
    ...{ files: closed, processes: closed, network: closed, limits: closed },
    destinations: { state: 'partial', by: 'a proxy', reason: 'Raw connections are closed.' },
  },
  limits: { max_cpu_pct: 95, max_memory_pct: 80, max_total_cpu_pct: 98, max_total_memory_pct: 90, timeout_secs: 0 },
}
const actor = { kind: 'agent', id: 'a1', handle: 'editor' }
const running = {
  ...{ id: 'p1', actor, kind: 'terminal', title: 'Terminal', started_at: '2026-11-23T08:09:10.000Z', ended_at: null, exit: null },
}
const ended = {
  ...running,
  ...{ id: 'p2', kind: 'shell', title: 'ls\n-l', ended_at: '2026-11-23T08:09:11.000Z', exit: { reason: 'exit', code: 2, signal: null } },
}
const used = { ...running, username: 'ada', usage: { cpu_ms: 2_345, memory_bytes: 3 * 1_048_576 } }

const answers: Readonly<Record<string, JsonValue>> = {
  'GET /api/sandbox': status,
  'GET /api/sandbox/processes?limit=200': { items: [running], next_cursor: 'more' },
  'GET /api/sandbox/processes?limit=200&cursor=more': { items: [ended], next_cursor: null },
  'GET /api/sandbox/processes?state=running&limit=200': { items: [], next_cursor: null },
  'GET /api/admin/sandbox/processes?limit=200': { items: [used, { ...used, id: 'p3', usage: null }], next_cursor: null },
  'GET /api/sandbox/processes/p1/output?from=0': {
    pieces: [{ stream: 'stdout', from: 7, text: 'so far' }],
    next_from: 17,
    skipped: true,
  },
  'GET /api/sandbox/processes/p1/output?from=17': { pieces: [], next_from: 17, skipped: false },
  'POST /api/sandbox/processes/p1/stop': { ...running, exit: { reason: 'stopped', code: null, signal: 'SIGTERM' } },
  'POST /api/admin/sandbox/processes/p1/stop': { ...used, usage: null, exit: null },
}
const answer = (method: string, at: string): JsonValue => answers[`${method} ${at}`] ?? null

describeCliCommand({
  name: 'sandbox status',
  create: () => showStatusCommand,
  examples: [
    {
      title: 'what confines and what does not',
      answer,
      check({ lines, warnings, json }) {
        expect(lines).to.deep.equal([
          'Code is confined by bubblewrap (driver linux).',
          'WAY OUT  STATE  BY  REASON',
          'files outside  closed  bubblewrap',
          'processes outside  closed  bubblewrap',
          'network while off  closed  bubblewrap',
          'forbidden addresses  partial  a proxy  Raw connections are closed.',
          'limits  closed  bubblewrap',
          'Of an agent: 95 % of the processors, 80 % of the memory. Of all together: 98 % and 90 %.',
        ])
        expect(warnings).to.deep.equal([])
        expect(json).to.deep.equal(status)
      },
    },
    {
      title: 'that nothing confines, and that the sandbox is off',
      answer: () => ({ ...status, confines: false, disabled: true }),
      check({ lines, warnings }) {
        expect(lines[0]).to.equal('Nothing confines code on this machine, so none can run.')
        expect(warnings.join()).to.include('sandbox.disabled is true')
      },
    },
  ],
})
describeCliCommand({
  name: 'sandbox processes',
  create: () => listProcessesCommand,
  examples: [
    {
      title: 'all pages of the person’s own',
      answer,
      check({ lines, json }) {
        expect(lines).to.deep.equal([
          'ID  AGENT  KIND  STARTED  STATE  TITLE',
          'p1  editor  terminal  2026-11-23 08:09:10  running  Terminal',
          'p2  editor  shell  2026-11-23 08:09:10  exit 2  ls -l',
        ])
        expect(json).to.deep.equal({ items: [running, ended] })
      },
    },
    {
      title: 'that there are none',
      answer,
      options: { running: true },
      check: ({ lines }) => expect(lines).to.deep.equal(['There are no processes.']),
    },
    {
      title: 'those of all users, with what they use',
      answer,
      options: { all: true },
      check: ({ lines }) =>
        expect(lines).to.deep.equal([
          'ID  USER  AGENT  KIND  STARTED  CPU  MEMORY',
          'p1  ada  editor  terminal  2026-11-23 08:09:10  2.3 s  3 MiB',
          'p3  ada  editor  terminal  2026-11-23 08:09:10',
        ]),
    },
  ],
})
describeCliCommand({
  name: 'sandbox output',
  create: () => showOutputCommand,
  examples: [
    {
      title: 'the text, and that the beginning is missing',
      arguments: ['p1'],
      answer,
      check({ output, warnings }) {
        expect(output).to.equal('so far')
        expect(warnings).to.deep.equal(['The beginning is no longer kept.'])
      },
    },
  ],
})
describeCliCommand({
  name: 'sandbox stop',
  create: () => stopProcessCommand,
  examples: [
    {
      title: 'one of the person’s own',
      arguments: ['p1'],
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['The process has ended: stopped.']),
    },
    {
      title: 'one of any user',
      arguments: ['p1'],
      options: { all: true },
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['The process has ended.']),
    },
  ],
})
