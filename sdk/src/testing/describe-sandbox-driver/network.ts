import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { SandboxDestination, SandboxNetwork } from '../../contracts/sandbox-driver/sandbox-driver.js'
import type { SuiteRunner } from '../suite-runner.js'
import { isError } from './refusals.js'
import type { SuiteBench, WithBench } from './suite-bench.js'

const off: SandboxNetwork = { access: 'off', destinations: [], forward: [], expose: [] }
const on: SandboxNetwork = { ...off, access: 'on' }
const forwardedPort = 3_999

/** What processes can reach, looked at on the host. */
export function describeNetwork(runner: SuiteRunner, withBench: WithBench): void {
  runner.it('closes the network while it is off, but for forwarded ports', withBench(closesNetwork))
  runner.it('lets processes of a principal forward the same port at the same time', withBench(sharesForwards))
  runner.it('forwards a port anew, also elsewhere, once no process has it any more', withBench(forwardsAnew))
  runner.it('keeps processes apart that name different loopbacks', withBench(partsLoopbacks))
  runner.it('leads exposed ports to the process, and nothing else from the host', withBench(exposesPorts))
  runner.it("keeps the host's loopback closed while the network is on", withBench(closesLoopback))
  runner.it('asks the host about destinations that are not listed, and keeps to its answer', withBench(asksTheHost))
}

/** A server of the host, and how many connections it has had. */
async function withServer(test: (port: number, connections: () => number) => Promise<void>): Promise<void> {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.end('hello from outside')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await test((server.address() as AddressInfo).port, () => connections)
  } finally {
    server.close()
  }
}

/** A program that connects by itself, and by the proxy of its environment, if it has one. */
const reach = (host: string, port: number): string => `
  import { connect } from 'node:net'
  const open = (at, host, text) => new Promise((resolve) => {
    const socket = connect({ host, port: at, timeout: 5_000 })
    let all = ''
    socket.on('timeout', () => socket.destroy()).on('error', (error) => (all = 'failed ' + error.code)).on('close', () => resolve(all))
    socket.on('data', (data) => (all += data))
    if (text !== '') socket.write(text)
  })
  console.log(await open(${port}, '${host}', ''))
  const proxy = process.env.HTTP_PROXY
  if (proxy) {
    const { hostname, port } = new URL(proxy)
    console.log('proxy: ' + await open(Number(port), hostname, 'CONNECT ${host}:${port} HTTP/1.1\\r\\nHost: ${host}:${port}\\r\\n\\r\\n'))
  }`

const isRefusal = isError('sandbox_refused', 'sandbox_unavailable')

async function closesNetwork({ health, run, runNode }: SuiteBench): Promise<void> {
  if (health.fences.network.state === 'open') return assert.rejects(run('exit 0', { network: off }), isRefusal)
  await withServer(async (port, connections) => {
    const closed = await runNode(reach('127.0.0.1', port), { network: off })
    assert.match(closed.stdout, /^failed /)
    assert.equal(connections(), 0, "the host's loopback was reached")
    const forward = [{ port: forwardedPort, to: { host: '127.0.0.1', port } }]
    const forwarded = await runNode(reach('127.0.0.1', forwardedPort), { network: { ...off, forward } })
    assert.equal(forwarded.stdout.trim(), 'hello from outside', forwarded.stderr)
    assert.equal(connections(), 1)
  })
}

async function sharesForwards({ health, start, runNode }: SuiteBench): Promise<void> {
  const network = health.confines ? off : on
  await withServer(async (port, connections) => {
    const forward = [{ port: forwardedPort, to: { host: '127.0.0.1', port } }]
    const other = start('echo ready; while :; do sleep 1; done', { network: { ...network, forward } })
    await other.shows('ready')
    for (let round = 1; round <= 2; round += 1) {
      const { stdout, stderr } = await runNode(reach('127.0.0.1', forwardedPort), { network: { ...network, forward } })
      assert.match(stdout, /^hello from outside/, stderr)
    }
    assert.equal(connections() >= 2, true)
    const elsewhere = [{ port: forwardedPort, to: { host: '127.0.0.1', port: port === 1 ? 2 : port - 1 } }]
    await assert.rejects(runNode('', { network: { ...network, forward: elsewhere } }), isError('sandbox_refused'))
    other.abort()
    await other.ended
  })
}

async function forwardsAnew({ health, runNode }: SuiteBench): Promise<void> {
  const network = health.confines ? off : on
  for (let round = 1; round <= 3; round += 1)
    await withServer(async (port, connections) => {
      const forward = [{ port: forwardedPort, to: { host: '127.0.0.1', port } }]
      for (let times = 1; times <= 2; times += 1) {
        const { stdout, stderr } = await runNode(reach('127.0.0.1', forwardedPort), { network: { ...network, forward } })
        assert.match(stdout, /^hello from outside/, `process ${times} with the destination ${round}: ${stderr}`)
        assert.ok(connections() >= times, 'another server has answered')
      }
    })
}

async function partsLoopbacks(bench: SuiteBench): Promise<void> {
  // Without a network inside there is nothing to meet.
  if (hasNoFence(bench)) return
  const port = 3_997
  const code = `
    import { createServer } from 'node:net'
    createServer((socket) => socket.end('hello from the other')).listen(${port}, '127.0.0.1', () => console.log('ready'))`
  const other = bench.startNode(code, { network: { ...off, loopback: 'one' } })
  await other.shows('ready')
  const beside = await bench.runNode(reach('127.0.0.1', port), { network: { ...off, loopback: 'one' } })
  assert.equal(beside.stdout.trim(), 'hello from the other', beside.stderr)
  for (const network of [off, { ...off, loopback: 'two' }])
    assert.match((await bench.runNode(reach('127.0.0.1', port), { network })).stdout, /^failed /)
  other.abort()
  await other.ended
}

async function exposesPorts({ driver, request, health, signal }: SuiteBench): Promise<void> {
  const port = 3_998
  const code = `
    import { createServer } from 'node:net'
    createServer((socket) => socket.end('hello from inside')).listen(${port}, '127.0.0.1', () => console.log('ready'))`
  const network = { ...(health.confines ? off : on), expose: [port] }
  const asked = request([process.execPath, '--input-type=module', '-e', code], { network })
  const answers: string[] = []
  let at: { readonly host: string; readonly hostPort: number } | undefined
  for await (const event of driver.run(asked, { signal })) {
    if (event.type === 'started') {
      assert.deepEqual(
        event.exposed.map((each) => each.port),
        [port],
      )
      at = event.exposed[0]
    }
    if (event.type !== 'output' || at === undefined) continue
    const socket = connect({ host: at.host, port: at.hostPort, timeout: 5_000 })
    socket.on('timeout', () => socket.destroy(new Error('The exposed port did not answer.')))
    for await (const bytes of socket) answers.push(String(bytes))
    break
  }
  assert.equal(answers.join(''), 'hello from inside')
}

/** Where no fence keeps destinations, the network can be off alone, or nothing is confined. */
const hasNoFence = ({ health }: SuiteBench): boolean => health.fences.destinations.state === 'open'

const assertRefused = ({ run, health }: SuiteBench, network: SandboxNetwork): Promise<void> =>
  assert.rejects(run('exit 0', { network, confined: health.confines }), isRefusal)

async function closesLoopback(bench: SuiteBench): Promise<void> {
  if (hasNoFence(bench)) return bench.health.confines ? assertRefused(bench, on) : undefined
  await withServer(async (port, connections) => {
    for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '::ffff:127.0.0.1']) await bench.runNode(reach(host, port), { network: on })
    for (const access of ['on', 'some'] as const)
      await bench.runNode(reach('127.0.0.1', port), {
        network: { ...on, access, destinations: [{ host: '127.0.0.1' }], allows: async () => true },
      })
    assert.equal(connections(), 0, "the host's loopback was reached")
  })
}

async function asksTheHost(bench: SuiteBench): Promise<void> {
  const asked: SandboxDestination[] = []
  const some: SandboxNetwork = {
    ...off,
    access: 'some',
    destinations: [{ host: 'listed.invalid' }],
    allows: async (destination) => {
      asked.push(destination)
      return false
    },
  }
  if (hasNoFence(bench)) return assertRefused(bench, some)
  const { stdout } = await bench.runNode(reach('unlisted.invalid', 443), { network: some })
  await bench.runNode(reach('listed.invalid', 443), { network: some })
  assert.ok(!/ 200 /.test(stdout), 'a destination that the host refused was opened')
  // Without a proxy the name is resolved inside, where it leads nowhere.
  if (!stdout.includes('proxy: ')) return
  assert.deepEqual(asked, [{ host: 'unlisted.invalid', port: 443 }])
}
