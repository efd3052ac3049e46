import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import path from 'node:path'
import type { SandboxNetwork } from '@agent-service/sdk/contracts/sandbox-driver'
import { expect } from 'chai'
import { describeEscapes, type EscapeBench } from './support/escape-bench.js'
import { attempts } from './support/prelude.js'

const on: SandboxNetwork = { access: 'on', destinations: [], forward: [], expose: [] }

/** Python that connects a socket of a kind. */
const reach = `
def reach(family, kind, protocol, where):
    with socket.socket(family, kind, protocol) as s:
        s.settimeout(1)
        s.connect(where)
        if kind == socket.SOCK_DGRAM: s.send(b'x')
        return 'connected'
I, I6, STREAM, DATAGRAM = socket.AF_INET, socket.AF_INET6, socket.SOCK_STREAM, socket.SOCK_DGRAM
def through(target):
    from urllib.parse import urlsplit
    proxy = urlsplit(os.environ['HTTP_PROXY'])
    with socket.create_connection((proxy.hostname, proxy.port), 5) as s:
        s.sendall(('CONNECT %s HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' % target).encode())
        return b' 200 ' in s.recv(100)
`

const abstractServer = `
import socket, sys
s = socket.socket(socket.AF_UNIX); s.bind('\\0' + sys.argv[1]); s.listen()
print('ready', flush=True)
sys.stdin.read()`

/** A listener of the host, with how many connections or packets it has had. */
async function listen(bench: EscapeBench, where: string | { readonly port: number; readonly host: string }) {
  let seen = 0
  const server: Server = createServer((socket) => {
    seen += 1
    socket.on('error', () => undefined).end()
  })
  bench.defer(() => server.close())
  server.listen(where)
  await once(server, 'listening')
  const address = server.address() as AddressInfo | string
  return { port: typeof address === 'string' ? 0 : address.port, seen: () => seen }
}

describeEscapes('the network of the host', (bench) => {
  it('9, 10: sockets of the host are reached neither by name nor by path', async () => {
    const byPath = path.join(bench().outside, 'socket')
    const name = `sandbox-escape-${process.pid}-${bench().mode}`
    // Node.js of some releases cuts a name at its first NUL.
    const server = spawn('/usr/bin/python3', ['-I', '-c', abstractServer, name], { stdio: ['pipe', 'pipe', 'inherit'] })
    bench().defer(() => server.kill('SIGKILL'))
    await once(server.stdout, 'data')
    await bench().closed(`${reach}\ntried('abstract', lambda: reach(socket.AF_UNIX, STREAM, 0, '\\0${name}'))`, { as: 'user' })
    const inFiles = await listen(bench(), byPath)
    await chmod(byPath, 0o777)
    const attempt = `${reach}\ntried('path', lambda: reach(socket.AF_UNIX, STREAM, 0, '${byPath}'))
for each in ['/run/docker.sock', '/var/run/docker.sock', '/run/dbus/system_bus_socket', '/run/systemd/private', '/run/containerd/containerd.sock']: tried(each, lambda: reach(socket.AF_UNIX, STREAM, 0, each))`
    const { output, errors } = await bench().run(attempt)
    expect(output, errors).to.include('TRIED path').and.not.include('OPEN')
    expect(inFiles.seen()).to.equal(0)
    expect(await bench().runUnconfined(attempt, { as: 'user' })).to.include('OPEN path')
  })

  it("11 to 13: the host's loopback is reached by no protocol while the network is off", async () => {
    const tcp = await listen(bench(), { port: 0, host: '127.0.0.1' })
    const wide = await listen(bench(), { port: 0, host: '::1' })
    let packets = 0
    const udp = createSocket('udp4', () => {
      packets += 1
    })
    bench().defer(() => udp.close())
    udp.bind(0, '127.0.0.1')
    await once(udp, 'listening')
    const code = `${reach}
tried('tcp', lambda: reach(I, STREAM, 0, ('127.0.0.1', ${tcp.port})))
tried('any', lambda: reach(I, STREAM, 0, ('0.0.0.0', ${tcp.port})))
tried('mapped', lambda: reach(I6, STREAM, 0, ('::ffff:127.0.0.1', ${tcp.port})))
tried('tcp6', lambda: reach(I6, STREAM, 0, ('::1', ${wide.port})))
tried('mptcp', lambda: reach(I, STREAM, 262, ('127.0.0.1', ${tcp.port})))
tried('sctp', lambda: reach(I, STREAM, 132, ('127.0.0.1', ${tcp.port})))
tried('fast open', lambda: socket.socket(I, STREAM).sendto(b'x', 0x20000000, ('127.0.0.1', ${tcp.port})) >= 0)`
    // A kernel may lack the protocols; a packet to a closed port of its own loopback is sent all the same.
    await bench().closed(code, { as: 'user', leftOut: ['mptcp', 'sctp', 'fast open'] })
    const controlled = tcp.seen()
    expect(controlled).to.be.above(0)
    await bench().run(`${reach}
try: reach(I, DATAGRAM, 0, ('127.0.0.1', ${udp.address().port}))
except OSError: pass`)
    const datagram = `${reach}\nreach(I, DATAGRAM, 0, ('127.0.0.1', ${udp.address().port}))`
    expect(packets, 'a packet came out').to.equal(0)
    const received = once(udp, 'message')
    await bench().runUnconfined(datagram, { as: 'user' })
    await received
    expect(tcp.seen()).to.equal(controlled)
  })

  it('12 to 14: neither names, nor the world, nor a metadata service are reached while the network is off', async () => {
    const { output, errors } = await bench().run(`${reach}
for where in ('169.254.169.254', '169.254.170.2', '100.100.100.200', '1.1.1.1', '10.0.0.1'):
    for port in (80, 53, 443): tried('%s:%d' % (where, port), lambda: reach(I, STREAM, 0, (where, port)))
    tried('udp %s' % where, lambda: reach(I, DATAGRAM, 0, (where, 53)))
for where in ('fd00:ec2::254', '2606:4700:4700::1111', 'fe80::1%lo', 'fe80::1%eth0'): tried(where, lambda: reach(I6, STREAM, 0, socket.getaddrinfo(where, 80)[0][4]))
tried('name', lambda: socket.getaddrinfo('example.com', 80))
tried('multicast', lambda: socket.socket(I, DATAGRAM).sendto(b'x', ('224.0.0.251', 5353)))
tried('broadcast', lambda: socket.socket(I, DATAGRAM).sendto(b'x', ('255.255.255.255', 67)))`)
    expect(output, errors).to.include('TRIED broadcast').and.not.include('OPEN')
  })

  it('13: sockets of other families are not made', async () => {
    const families: Readonly<Record<string, readonly number[]>> = {
      ...{ packet: [17, 3, 0x300], vsock: [40, 1, 0], raw: [2, 3, 1], alg: [38, 5, 0], bluetooth: [31, 3, 1], can: [29, 3, 1] },
      ...{ tipc: [30, 5, 0], xdp: [44, 3, 0], rds: [21, 5, 0], qrtr: [42, 2, 0], kcm: [41, 2, 0], phonet: [35, 2, 0], x25: [9, 5, 0] },
    }
    const all = Object.entries(families).map(([name, [family, kind, protocol]]): [string, string] => [
      name,
      `call('socket', ${family}, ${kind}, ${protocol})`,
    ])
    // As root of its own namespaces; which of the others are there depends on the modules of the kernel.
    await bench().closed(attempts(Object.fromEntries(all)), {
      as: 'namespace',
      leftOut: Object.keys(families).filter((name) => !['packet', 'raw'].includes(name)),
    })
  })

  it('59: neither raw sockets nor the filters of the network are there, not even of its own one', async () => {
    const { output, errors } = await bench().run(
      `${attempts({
        ...{
          icmp: `call('socket', 2, 3, 1)`,
          raw: `call('socket', 2, 3, 255)`,
          raw6: `call('socket', 10, 3 | 0x80000, 58)`,
          packet: `call('socket', 2, 10, 0x300)`,
        },
        ...{
          netfilter: `call('socket', 16, 3, 12)`,
          generic: `call('socket', 16, 3, 16)`,
          audit: `call('socket', 16, 3, 9)`,
          xfrm: `call('socket', 16, 3, 6)`,
        },
        ...{ loopback: `fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sH14x', b'lo', 0)) is not None` },
      })}
print('route', call('socket', 16, 3 | 0x80000, 0) >= 0)
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); socket.create_connection(s.getsockname())
print('loopback')`,
    )
    expect(output, errors)
      .to.match(/^route True\nloopback$/m)
      .and.not.include('OPEN')
  })

  it("15: the host's loopback is not reached while the network is on, by itself or by the proxy", async () => {
    const { port, seen } = await listen(bench(), { port: 0, host: '127.0.0.1' })
    const hosts = [
      '127.0.0.1',
      '0.0.0.0',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      'localhost',
      'localhost.',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '[64:ff9b::7f00:1]',
    ]
    const code = `${reach}
tried('tcp', lambda: reach(I, STREAM, 0, ('127.0.0.1', ${port})))
for host in ${JSON.stringify(hosts)}: tried('proxy ' + host, lambda: through(host + ':${port}'))
for host in ('169.254.169.254', '[fd00:ec2::254]', '100.100.100.200', '168.63.129.16', '10.0.0.1', '192.168.0.1', '[fe80::1]'): tried('proxy ' + host, lambda: through(host + ':80'))`
    for (const network of [on, { ...on, access: 'some', allows: async () => true } as const]) {
      const { output, errors } = await bench().run(code, { network })
      expect(output, errors).to.include('TRIED proxy [fe80::1]').and.not.include('OPEN')
    }
    expect(seen()).to.equal(0)
    expect(await bench().runUnconfined(code, { as: 'user', leftOut: [] })).to.include('OPEN tcp')
  })

  it('16: a port that a program listens on is not reached from the host, nor from another principal', async () => {
    const { driver, request, run } = bench()
    const listening = `
import socket, sys
s = socket.socket()
s.bind(('0.0.0.0', 0)); s.listen()
print(s.getsockname()[1], flush=True)
sys.stdin.read()`
    const asked = request(['/usr/bin/python3', '-I', '-c', listening])
    const stop = new AbortController()
    for await (const event of driver.run(asked, {
      signal: stop.signal,
      input: (async function* () {
        await once(stop.signal, 'abort')
        yield new Uint8Array()
      })(),
    })) {
      if (event.type !== 'output') continue
      const port = Number(Buffer.from(event.bytes).toString())
      expect(port).to.be.above(0)
      const socket = connect(port, '127.0.0.1')
      const [error] = (await Promise.race([once(socket, 'error'), once(socket, 'connect').then(() => ['connected'])])) as [unknown]
      expect((error as NodeJS.ErrnoException).code).to.equal('ECONNREFUSED')
      const attempt = `${reach}\ntried('tcp', lambda: reach(I, STREAM, 0, ('127.0.0.1', ${port})))`
      expect((await run(attempt, { principal: 'another' })).output).not.to.include('OPEN')
      expect((await run(attempt)).output, 'another command of the principal').to.include('OPEN tcp')
      stop.abort()
    }
  })

  it('57: names between principals: an abstract socket and a port of one are not those of another', async () => {
    const { driver, request, run } = bench()
    const listening = `
import socket, sys
try:
    s = socket.socket(socket.AF_UNIX); s.bind('\\0between'); s.listen()
except OSError: pass
print('ready', flush=True)
sys.stdin.read()`
    const stop = new AbortController()
    const input = (async function* () {
      await once(stop.signal, 'abort')
      yield new Uint8Array()
    })()
    for await (const event of driver.run(request(['/usr/bin/python3', '-I', '-c', listening]), { signal: stop.signal, input })) {
      if (event.type !== 'output') continue
      const { output } = await run(`${reach}\ntried('abstract', lambda: reach(socket.AF_UNIX, STREAM, 0, '\\0between'))`, {
        principal: 'another',
      })
      expect(output).to.include('TRIED').and.not.include('OPEN')
      stop.abort()
    }
  })
})
