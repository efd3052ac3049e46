import { expect } from 'chai'
import { Type } from '../../core/type.js'
import { nothing, problemsOf, sound } from './sound-contributions.test.js'

const json = { kind: 'json', inbound: Type.Object({}), outbound: Type.Object({}) }
const raw = { kind: 'raw' }

describe('the checks of contributions, the rules of each point', () => {
  for (const [what, point, change, problem] of [
    ['a parameter of the path that is not declared', 'http.route', { params: Type.Object({}) }, '/params must declare {roll_id}'],
    ['an answer of no status', 'http.route', { answers: { ok: { description: 'Yes.' } } }, '/answers/ok must be a status, such as 200'],
    ['a body on GET', 'http.route', { body: { kind: 'json', schema: Type.Object({}) } }, '/body must be absent: a GET has no body'],
    ['an actor of no kind', 'http.route', { actors: ['robot'] }, '/actors/0 must be "agent", "app" or "mcp_server"'],
    [
      'a scope that there is not',
      'http.route',
      { scope: 'all' },
      '/scope must be "read", "write", "admin", "inference" or "metrics" or a list',
    ],
    [
      'a list of no scopes',
      'http.route',
      { scope: [] },
      '/scope must be "read", "write", "admin", "inference" or "metrics", or must not be empty',
    ],
    ['an operation that is no name', 'http.route', { includes: ['Read it'] }, '/includes/0 must be a name in camelCase, such as listNotes'],
    [
      'an actor where an admin is needed',
      'http.route',
      { auth: 'admin', actors: ['agent'] },
      '/actors must be absent: no actor is an admin',
    ],
    ['an actor with a session', 'http.route', { session: true, actors: ['app'] }, '/actors must be absent: only a person has a session'],
    ['a confirmed actor', 'http.route', { confirmed: true, actors: ['app'] }, '/actors must be absent: only a person has a session'],
    [
      'an actor on a foreign route',
      'http.route',
      { auth: 'public', foreign: true, actors: ['agent'] },
      '/actors must be absent: a foreign request has no credentials of the service',
    ],
    ['a name twice', 'provider.adapter', { protocols: twice() }, '/protocols/1 has the name “dice”, which the adapter has already'],
    ['an interval of nothing', 'scheduler.job', { everySeconds: 0 }, '/everySeconds must be at least 1'],
    ['a job without times', 'scheduler.job', { everySeconds: undefined }, '/everySeconds is required, or “schedule” in its place'],
    [
      'a job of two kinds of times',
      'scheduler.job',
      { schedule: { cron: '0 3 * * *' } },
      '/schedule must be absent beside everySeconds: a job has one of them',
    ],
    ['a schedule without a cron', 'scheduler.job', { everySeconds: undefined, schedule: {} }, '/schedule/cron is required'],
    [
      'a schedule that never comes round',
      'scheduler.job',
      { everySeconds: undefined, schedule: { cron: '0 0 31 2 *' } },
      '/schedule/cron never comes round: no month has such a day',
    ],
    [
      'an adapter that supports vectors and makes none',
      'provider.adapter',
      { supports: { ...abilities(), embed: true } },
      '/embed is required, because supports.embed is true',
    ],
    [
      'vectors that are not supported',
      'provider.adapter',
      { embed: nothing },
      '/supports/embed must be true, because the adapter has embed',
    ],
    ['a section too far back', 'agent.prompt-section', { order: 10_001 }, '/order must be at most 10000'],
    [
      'a section of an unknown kind',
      'agent.prompt-section',
      { kind: 'statik' },
      '/kind must be "static" or "dynamic"; did you mean “static”?',
    ],
    ['a section above its budget', 'agent.prompt-section', { maxTokens: 100_001 }, '/maxTokens must be at most 100000'],
    ['a section with too much priority', 'agent.prompt-section', { priority: 101 }, '/priority must be at most 100'],
    [
      'a hook that does nothing',
      'agent.run-hook',
      { mask: undefined },
      '/ must have at least one of beforeModelCall, afterModelCall, beforeToolCall, afterToolCall, mask, maskAnswer, runEnded',
    ],
    [
      'a hook with a wrong member',
      'agent.run-hook',
      { beforeToolCal: nothing },
      '/beforeToolCal is not known here; did you mean “beforeToolCall”?',
    ],
    ['a hook that takes too long', 'agent.run-hook', { timeoutMs: 30_001 }, '/timeoutMs must be at most 30000'],
    ['a part that takes no time', 'chat.part', { timeoutMs: 0 }, '/timeoutMs must be at least 1'],
    [
      'a part with an id of several words',
      'chat.part',
      { id: 'My notes' },
      '/id must be an id in kebab-case with at most 64 characters, such as open-tasks',
    ],
    [
      'a source with too long an id',
      'tool.source',
      { id: 'a'.repeat(25) },
      '/id must be words in lower case with “-” between them, at most 24 characters, such as mcp-host',
    ],
    ['a source that hides its probe', 'tool.source', { probe: nothing }, '/supports/probe must be true, because the source has probe'],
    [
      'a source without the probe it has',
      'tool.source',
      { supports: { probe: true } },
      '/probe is required, because supports.probe is true',
    ],
    [
      'a memory without the sweep it has',
      'memory.backend',
      { supports: { history: false, sweep: true, passes: false, revisions: false } },
      '/sweep is required, because supports.sweep is true',
    ],
    [
      'a memory that cannot retry its passes',
      'memory.backend',
      { supports: { history: false, sweep: false, passes: true, revisions: false }, passes: nothing },
      '/retryPass is required, because supports.passes is true',
    ],
    ['a memory that hides its sweep', 'memory.backend', { sweep: nothing }, '/supports/sweep must be true, because the back end has sweep'],
    [
      'an engine that reads whatever there is',
      'policy.engine',
      { fileEndings: ['*'] },
      '/fileEndings/0 must be the end of a file name, such as .cedar',
    ],
    ['messages of no kind', 'websocket.route', { messages: { ...json, kind: undefined } }, '/messages/kind must be "json" or "raw"'],
    [
      'raw messages with a schema',
      'websocket.route',
      { messages: { ...json, ...raw, outbound: undefined } },
      '/messages/inbound is not known here',
    ],
    [
      'a parameter of a WebSocket that is not in its path',
      'websocket.route',
      { path: '/api/plugins/tool-dice/x', params: table() },
      '/params/properties/table_id must be absent: it is not in the path',
    ],
    [
      'a WebSocket with its own token',
      'websocket.route',
      { query: Type.Object({ token: Type.String() }) },
      '/query/properties/token must be absent: it is a credential of a WebSocket',
    ],
    [
      'an unknown limit',
      'websocket.route',
      { limits: { maxConnection: 1 } },
      '/limits/maxConnection is not known here; did you mean “maxConnections”?',
    ],
    [
      'JSON messages beyond the limit',
      'websocket.route',
      { limits: { maxMessageBytes: 2 ** 21 } },
      '/limits/maxMessageBytes must be at most 1048576 where messages are JSON',
    ],
    [
      'raw messages beyond the limit',
      'websocket.route',
      { messages: raw, limits: { maxMessageBytes: 2 ** 25 } },
      '/limits/maxMessageBytes must be at most 16777216',
    ],
    [
      'an error format with a parameter',
      'http.error-format',
      { prefix: '/api/plugins/tool-dice/{id}' },
      '/prefix must be a path without parameters and without “/” at its end, such as /v1',
    ],
    [
      'a limit without room for anything',
      'channel',
      { limits: { text: { unit: 'bytes', max: 199 } } },
      '/limits/text/max must be at least 200 bytes',
    ],
    [
      'a step for a member that there is not',
      'channel',
      { setUp: [{ title: 'Make a bot', text: 'Copy its token.', members: ['tokn'] }] },
      '/setUp/0/members/0 must be the name of a member of connection',
    ],
    [
      'two steps for one member',
      'channel',
      { setUp: ['Make a bot', 'Invite it'].map((title) => ({ title, text: 'Copy its token.', members: ['token'] })) },
      '/setUp/1/members/0 must not name a member that another step has',
    ],
    [
      'files that are not supported',
      'channel',
      { limits: { text: { unit: 'utf16', max: 100 }, attachments: { maxBytes: 1, maxCount: 1 } } },
      '/limits/attachments needs supports.attachmentsOut',
    ],
    [
      'a body of a webhook that there is not',
      'channel',
      { limits: { text: { unit: 'utf16', max: 100 }, maxWebhookBytes: 1 } },
      '/limits/maxWebhookBytes needs supports.webhook',
    ],
    [
      'a time for which keys are known that are not taken',
      'channel',
      { limits: { text: { unit: 'utf16', max: 100 }, idempotentMs: 60_000 } },
      '/limits/idempotentMs needs supports.idempotentSend',
    ],
    [
      'a site with a port',
      'http.site',
      { host: 'dice.localhost:80' },
      '/host must be a host name in lower case without a port, or a pattern whose first label is *, such as *.apps.localhost',
    ],
    [
      'a site whose star is not the first label',
      'http.site',
      { host: 'dice.*' },
      '/host must be a host name in lower case without a port, or a pattern whose first label is *, such as *.apps.localhost',
    ],
  ] as const) {
    it(`refuse ${what}`, () => {
      expect(problemsOf(point, { ...sound[point], ...change })).to.deep.equal([problem])
    })
  }

  for (const [what, point, change] of [
    ['a job with a schedule', 'scheduler.job', { everySeconds: undefined, schedule: { cron: '@daily', timezone: 'Europe/Vienna' } }],
    ['an adapter with vectors', 'provider.adapter', { supports: { ...abilities(), embed: true }, embed: nothing }],
    [
      'a section with everything',
      'agent.prompt-section',
      { kind: 'dynamic', order: 0, maxTokens: 100_000, priority: 0, timeoutMs: 10_000 },
    ],
    ['a hook that only looks at ends', 'agent.run-hook', { mask: undefined, runEnded: nothing, order: 10_000, timeoutMs: 1 }],
    ['a source with everything', 'tool.source', { supports: { probe: true }, probe: nothing, changes: nothing }],
    [
      'a memory that sweeps',
      'memory.backend',
      { supports: { history: true, sweep: true, passes: false, revisions: false }, sweep: nothing },
    ],
    [
      'a raw WebSocket',
      'websocket.route',
      { messages: raw, params: table(), limits: { maxMessageBytes: 2 ** 24 }, subprotocols: ['dice.v1'] },
    ],
    ['a site that upgrades', 'http.site', { host: 'localhost', upgrade: nothing }],
  ] as const) {
    it(`take ${what}`, () => {
      expect(problemsOf(point, { ...sound[point], ...change })).to.deep.equal([])
    })
  }

  it('refuse a setting that all protocols have', () => {
    const protocols = [{ ...twice()[0], settings: Type.Object({ temperature: Type.Number() }) }]
    expect(problemsOf('provider.adapter', { ...sound['provider.adapter'], protocols })[0]).to.contain('common to all protocols')
  })
})

function twice() {
  const protocol = { id: 'dice', aliases: [], settings: Type.Object({}), protectedPaths: [], protectedStructuredPaths: [] }
  return [protocol, protocol]
}

function table() {
  return Type.Object({ table_id: Type.String() })
}

function abilities() {
  const { supports } = sound['provider.adapter'] as { readonly supports: object }
  return supports
}
