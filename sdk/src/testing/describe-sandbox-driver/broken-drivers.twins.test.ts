import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect } from 'chai'
import { sandboxRefusedError } from '../../contracts/sandbox-driver/errors.js'
import type {
  ProcessUsage,
  SandboxDriver,
  SandboxEvent,
  SandboxExit,
  SandboxFence,
  SandboxHealth,
  SandboxRequest,
} from '../../contracts/sandbox-driver/sandbox-driver.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { createPlainSandboxDriver } from '../plain-sandbox-driver/index.js'
import { describeSandboxDriver } from './index.js'

type Change = (driver: SandboxDriver) => Partial<SandboxDriver>

/** Runs these tests of the suite against a changed driver. Returns the titles of the failed ones. */
async function failing(change: Change, titles?: readonly string[]): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeSandboxDriver({
    name: 'broken',
    runner: {
      ...runner,
      it(title, test) {
        if (titles?.includes(title) !== false) runner.it(title, test)
      },
    },
    create() {
      const driver = createPlainSandboxDriver()
      drivers.push(driver)
      return { ...driver, ...change(driver) }
    },
  })
  const results = await runner.run({ testLimitMs: titles?.includes(units) === false ? 1_500 : 20_000 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('sandbox driver broken › ', ''))
}

/** Changes every request before it runs. */
const requesting =
  (change: (request: SandboxRequest) => SandboxRequest): Change =>
  (driver) => ({ run: (request, call) => driver.run(change(request), call) })

/** Changes the events. */
const reporting =
  (change: (event: SandboxEvent) => readonly SandboxEvent[]): Change =>
  (driver) => ({
    async *run(request, call) {
      for await (const event of driver.run(request, call)) yield* change(event)
    },
  })

const exiting = (change: (exit: SandboxExit) => SandboxExit): Change =>
  reporting((event) => [event.type === 'exit' ? change(event) : event])

const closed: SandboxFence = { state: 'closed', by: 'a promise', reason: '' }
const claimed: SandboxHealth = {
  confines: true,
  mode: 'claimed',
  fences: { files: closed, processes: closed, network: closed, destinations: closed, limits: closed },
}

const streams = 'reports what a process writes to each stream, and its exit code'
const argumentsKept = 'passes arguments as they are'
const environmentKept = 'gives the process its environment and nothing of the service'
const inDirectory = 'runs the process in its directory, where both it and the service can change files'
const inputKept = 'passes input as it comes, and its end'
const waits = 'lets a process wait while its output is not read'
const secretsKept = 'keeps secrets in files of the principal, and removes them at the end'
const tokenKept = 'keeps a token in a file of the principal, replaces it, and removes it at the end'
const bytesKept = 'passes every byte of input and output, whatever they mean and however many they are'
const secretsHidden = 'puts no token and no secret into the environment, only the names of their files'
const sendsToOne = 'sends a command to the process that it names, and to no other one'
const measuresTrees = 'measures the whole tree of a process, and no other one'
const secretsApart = 'keeps tokens and secrets of processes that run at the same time apart'
const reasonKept = 'reports why it ended a process, although that leaves by itself when it is asked to'
const measures = 'measures what running processes use'
const endsByAbort = 'ends the tree when the signal is aborted, although it ignores SIGTERM'
const endsLeft = 'ends the tree when its events are left'
const notStarted = 'does not start what was aborted before'
const signals = 'sends signals to the tree'
const unknown = 'does not know a process that has ended, or never was'
const healthy = 'says in its health what confines, and gives a reason for what does not'
const unconfined = 'runs nothing that is to be confined where nothing confines'
const unsafe = 'refuses requests whose names or paths could mean something else'
const reasoned = 'ends a process for timeout, with its time to clean up, and reports the reason'
const files = 'keeps files outside the lists from being read, changed, linked and removed'
const denied = 'keeps a denied path closed below one that may be written'
const readOnly = 'keeps a path that may only be read from changes, below one that may be written'
const hidden = 'shows a principal no process of another one or of the service'
const network = 'closes the network while it is off, but for forwarded ports'
const shares = 'lets processes of a principal forward the same port at the same time'
const anew = 'forwards a port anew, also elsewhere, once no process has it any more'
const starting = 'ends what is aborted while it starts'
const units = 'measures in bytes and milliseconds'
const parts = 'keeps processes apart that name different loopbacks'
const exposes = 'leads exposed ports to the process, and nothing else from the host'
const loopback = "keeps the host's loopback closed while the network is on"
const asks = 'asks the host about destinations that are not listed, and keeps to its answer'

const faults: readonly (readonly [what: string, change: Change, failed: readonly string[]])[] = [
  ['another generation', () => ({ specVersion: 2 as never }), [soundTitle]],
  ['confinement that is only claimed', claimConfinement, [files, denied, readOnly, hidden, network, parts, loopback]],
  ['health that keeps its reasons to itself', () => ({ health: async () => ({ ...claimed, confines: false }) }), [healthy]],
  ['code that runs unconfined', requesting((request) => ({ ...request, confined: false })), [unconfined]],
  ['a shell between', requesting(throughShell), [argumentsKept]],
  [
    'the environment of the service',
    requesting((request) => ({ ...request, environment: { ...stringsOf(process.env), ...request.environment } })),
    [environmentKept],
  ],
  [
    'another directory',
    requesting((request) => ({ ...request, directory: request.directory.startsWith('/') ? '/' : request.directory })),
    [inDirectory],
  ],
  ['names that are not checked', requesting(withoutNames), [unsafe]],
  ['one stream for all', reporting((event) => [event.type === 'output' ? { ...event, stream: 'stdout' } : event]), [streams]],
  ['an exit twice', reporting((event) => (event.type === 'exit' ? [event, event] : [event])), [streams]],
  ['no start', reporting((event) => (event.type === 'started' ? [] : [event])), [streams]],
  ['no exit', reporting((event) => (event.type === 'exit' ? [] : [event])), [streams]],
  ['exit codes that are lost', exiting((exit) => ({ ...exit, code: exit.code === null ? null : 0 })), [streams]],
  ['reasons that are lost', exiting((exit) => ({ ...exit, reason: 'exit' })), [endsByAbort, reasoned]],
  ['input that is dropped', (driver) => ({ run: (request, { signal }) => driver.run(request, { signal }) }), [inputKept]],
  ['output that is collected', (driver) => ({ run: (request, call) => collected(driver.run(request, call)) }), [waits]],
  [
    'an abort that is ignored',
    (driver) => ({
      run: (request, { input }) => driver.run(request, { signal: new AbortController().signal, ...(input === undefined ? {} : { input }) }),
    }),
    [endsByAbort, notStarted],
  ],
  ['events that cannot be left', (driver) => ({ run: (request, call) => unleavable(driver.run(request, call)) }), [endsLeft]],
  [
    'a token that stays as it is',
    (driver) => ({ send: (id, command, call) => (command.kind === 'token' ? Promise.resolve() : driver.send(id, command, call)) }),
    [tokenKept],
  ],
  [
    'secrets that are dropped',
    (driver) => ({
      run: ({ privateFiles: _dropped, ...request }, call) => driver.run(request, call),
    }),
    [secretsKept, unsafe],
  ],
  [
    'signals that are dropped',
    (driver) => ({
      send: (id, command, call) =>
        command.kind === 'signal' ? driver.send(id, { ...command, signal: 'SIGCONT' }, call) : driver.send(id, command, call),
    }),
    [signals],
  ],
  [
    'unknown processes that are not reported',
    (driver) => ({ send: (id, command, call) => driver.send(id, command, call).catch(() => undefined) }),
    [unknown],
  ],
  ['ports that are forwarded once', forwardingOnce, [shares]],
  ['ports that stay forwarded to where they were first', forwardingForEver, [anew]],
  ['aborts that count once a process has started', abortingLate, [starting]],
  ['memory in pages', measuringIn(({ memoryBytes }) => ({ memoryBytes: memoryBytes / 4_096 })), [units]],
  ['time in microseconds', measuringIn(({ cpuMs }) => ({ cpuMs: cpuMs * 1_000 })), [units]],
  [
    'exposed ports that lead elsewhere',
    reporting((event) => [
      event.type === 'started' ? { ...event, exposed: event.exposed.map((each) => ({ ...each, hostPort: 9 })) } : event,
    ]),
    [exposes],
  ],
  ['a proxy that asks nothing', proxying, [asks]],
  [
    'output that is taken for text',
    reporting((event) =>
      event.type === 'output' ? [{ ...event, bytes: new TextEncoder().encode(new TextDecoder().decode(event.bytes)) }] : [event],
    ),
    [bytesKept],
  ],
  ['input that is taken for text', textInput, [bytesKept]],
  [
    'a token in the environment',
    requesting((request) => ({ ...request, environment: { ...request.environment, ...(request.token && { TOKEN: request.token.text }) } })),
    [secretsHidden],
  ],
  ['commands that the first process gets', sendingToTheFirst, [secretsApart, sendsToOne]],
  [
    'a measure of the first process of a tree',
    (driver) => ({ measure: async (call) => (await driver.measure(call)).map((usage) => ({ ...usage, processes: 1 })) }),
    [measuresTrees],
  ],
  ['an end that looks like one of its own', exiting((exit) => (exit.code === null ? exit : { ...exit, reason: 'exit' })), [reasonKept]],
  ['no measure', () => ({ measure: async () => [] }), [measures]],
]

/** Reads its input as UTF-8. */
function textInput(driver: SandboxDriver): Partial<SandboxDriver> {
  async function* asText(input: AsyncIterable<Uint8Array>) {
    for await (const bytes of input) yield new TextEncoder().encode(new TextDecoder().decode(bytes))
  }
  return { run: (request, { signal, input }) => driver.run(request, { signal, ...(input && { input: asText(input) }) }) }
}

/** Takes the process that began first for the one that is meant. */
function sendingToTheFirst(driver: SandboxDriver): Partial<SandboxDriver> {
  return {
    async send(id, command, call) {
      const [first] = await driver.measure(call)
      await driver.send(first?.id ?? id, command, call)
    },
  }
}

/** Says that everything is closed, and runs without a fence. */
function claimConfinement(driver: SandboxDriver): Partial<SandboxDriver> {
  const network = { access: 'on', destinations: [], expose: [] } as const
  return {
    health: async () => claimed,
    run: (request, call) => driver.run({ ...request, confined: false, network: { ...request.network, ...network } }, call),
  }
}

/** Refuses a port that another process forwards. */
function forwardingOnce(driver: SandboxDriver): Partial<SandboxDriver> {
  const taken = new Set<number>()
  return {
    async *run(request, call) {
      const ports = request.network.forward.map(({ port }) => port)
      if (ports.some((port) => taken.has(port))) throw sandboxRefusedError.create({ reason: 'the port is taken' })
      for (const port of ports) taken.add(port)
      try {
        yield* driver.run(request, call)
      } finally {
        for (const port of ports) taken.delete(port)
      }
    },
  }
}

/** Keeps a forward after its process has ended, and refuses the port to another destination. */
function forwardingForEver(driver: SandboxDriver): Partial<SandboxDriver> {
  const destinations = new Map<number, number>()
  return {
    async *run(request, call) {
      for (const { port, to } of request.network.forward) {
        if ((destinations.get(port) ?? to.port) !== to.port) throw sandboxRefusedError.create({ reason: 'the port is taken' })
        destinations.set(port, to.port)
      }
      yield* driver.run(request, call)
    },
  }
}

/** Looks at the signal before the start, and from then on, but not meanwhile. */
function abortingLate(driver: SandboxDriver): Partial<SandboxDriver> {
  return {
    async *run(request, { signal, ...call }) {
      signal.throwIfAborted()
      const stop = new AbortController()
      for await (const event of driver.run(request, { ...call, signal: stop.signal })) {
        if (event.type === 'started' && !signal.aborted) signal.addEventListener('abort', () => stop.abort())
        yield event
      }
    },
  }
}

function measuringIn(unit: (usage: ProcessUsage) => Partial<ProcessUsage>): Change {
  return (driver) => ({ measure: async (call) => (await driver.measure(call)).map((usage) => ({ ...usage, ...unit(usage) })) })
}

/** Has a proxy that opens every destination. */
function proxying(driver: SandboxDriver): Partial<SandboxDriver> {
  return {
    health: async () => claimed,
    async *run(request, call) {
      const proxy = createServer((socket) => socket.on('error', () => undefined).end('HTTP/1.1 200 Connected\r\n\r\n'))
      proxy.listen(0, '127.0.0.1')
      await once(proxy, 'listening')
      const environment = { ...request.environment, HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
      const network = { ...request.network, access: 'on', destinations: [] } as const
      try {
        yield* driver.run({ ...request, environment, network, confined: false }, call)
      } finally {
        proxy.close()
      }
    },
  }
}

function throughShell(request: SandboxRequest): SandboxRequest {
  const [program, ...given] = request.command
  return given.includes('$HOME')
    ? { ...request, command: ['/bin/sh', '-c', [program, ...given.map((each) => `"${each}"`)].join(' ')] }
    : request
}

function withoutNames(request: SandboxRequest): SandboxRequest {
  return { ...request, principal: 'suite-one', environment: { PATH: '/usr/bin:/bin' } }
}

const stringsOf = (values: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

async function* collected(events: AsyncIterable<SandboxEvent>): AsyncGenerator<SandboxEvent> {
  const all: SandboxEvent[] = []
  let wake = (): void => undefined
  let ended = false
  const reading = (async () => {
    for await (const event of events) {
      all.push(event)
      wake()
    }
  })().finally(() => {
    ended = true
    wake()
  })
  for (;;) {
    const next = all.shift()
    if (next !== undefined) yield next
    else if (ended) return reading
    else
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
}

function unleavable(events: AsyncIterable<SandboxEvent>): AsyncIterable<SandboxEvent> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = events[Symbol.asyncIterator]()
      return { next: () => iterator.next() }
    },
  }
}

/** The drivers below the changes. */
const drivers: SandboxDriver[] = []

/** Ends what a broken driver left running. */
async function endAll(): Promise<void> {
  const { signal } = new AbortController()
  for (const driver of drivers.splice(0))
    for (const { id } of await driver.measure({ signal })) await driver.send(id, { kind: 'end', reason: 'stopped', graceMs: 0 }, { signal })
}

describe('the suite of sandbox drivers', () => {
  afterEach(endAll)

  for (const [what, change, failed] of faults)
    it(`detects ${what}`, async () => {
      expect(await failing(change, failed)).to.deep.equal(failed)
    })

  it('passes a driver that keeps the contract', async () => {
    expect(await failing(() => ({}))).to.deep.equal([])
  })
})
