import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, open, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SandboxDriver, SandboxRequest } from '@agent-service/sdk/contracts/sandbox-driver'
import { expect } from 'chai'
import { createLinuxDriver, type LinuxDriver } from '../linux-driver.js'
import type { Machine } from '../machine/machine.js'

const helper = fileURLToPath(new URL('../../build/confine', import.meta.url))
const canary = 'the canary sings'
const signal = new AbortController().signal

/** The beginning of every attempt: calls of the system by number, and a word for what was open. */
const prelude = `
import ctypes, errno, os, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(number, *given):
    ctypes.set_errno(0)
    result = libc.syscall(number, *given)
    return result if result >= 0 else -ctypes.get_errno()
def tried(name, work):
    try:
        result = work()
        if result is not False and result is not None and not (isinstance(result, int) and result < 0): print('OPEN', name, result)
    except (OSError, ValueError, UnicodeError) as error:
        pass
`

interface Bench {
  readonly workspace: string
  readonly outside: string
  readonly secret: string
  run(code: string, change?: Partial<SandboxRequest>): Promise<{ readonly output: string; readonly errors: string }>
}

const modes: readonly (readonly [name: string, examined: (machine: Machine) => Machine])[] = [
  ['bubblewrap', (machine) => machine],
  ['Landlock', (machine) => ({ ...machine, bubblewrap: { missing: 'not for this test' } })],
]

for (const [mode, examined] of modes)
  describe(`escapes from a sandbox by ${mode}`, function () {
    this.timeout(30_000)
    let linux: LinuxDriver
    let driver: SandboxDriver
    let folder: string
    let bench: Bench
    let count = 0
    const servers: Server[] = []

    before(async () => {
      linux = createLinuxDriver({
        helper,
        userOf: async (principal) =>
          process.getuid?.() === 0 ? { uid: 700_000_000 + principal.length, gid: 700_000_000 + principal.length } : undefined,
        examined,
      })
      driver = linux.driver
      expect((await driver.health({ signal })).mode).to.equal(mode)
      folder = await realpath(await mkdtemp(path.join(tmpdir(), 'sandbox-escapes-')))
      await chmod(folder, 0o755)
      const [workspace, outside] = [path.join(folder, 'workspace'), path.join(folder, 'outside')]
      for (const each of [workspace, outside]) await mkdir(each)
      const secret = path.join(outside, 'secret.txt')
      await writeFile(secret, canary)
      const run: Bench['run'] = async (code, change = {}) => {
        count += 1
        const request: SandboxRequest = {
          ...{
            id: `escape-${count}`,
            principal: 'escaping',
            command: ['/usr/bin/python3', '-I', '-c', prelude + code],
            directory: workspace,
          },
          environment: { PATH: '/usr/bin:/bin', HOME: workspace },
          files: { read: [], write: [workspace], deny: [] },
          network: { access: 'off', destinations: [], forward: [], expose: [] },
          limits: {},
          confined: true,
          ...change,
        }
        let [output, errors] = ['', '']
        for await (const event of driver.run(request, { signal }))
          if (event.type === 'output')
            if (event.stream === 'stderr') errors += Buffer.from(event.bytes).toString('utf8')
            else output += Buffer.from(event.bytes).toString('utf8')
        return { output, errors }
      }
      bench = { workspace, outside, secret, run }
    })
    after(async () => {
      for (const server of servers) server.close()
      await linux.close()
      await rm(folder, { recursive: true, force: true })
    })

    /** Runs the attempts; none may be open, and none may have failed for want of Python. */
    const nothingOpen = async (code: string, change?: Partial<SandboxRequest>): Promise<void> => {
      const { output, errors } = await bench.run(`${code}\nprint('tried')`, change)
      expect(output, errors).to.equal('tried\n')
    }
    const tries = (attempts: Readonly<Record<string, string>>): string =>
      Object.entries(attempts)
        .map(([name, attempt]) => `tried(${JSON.stringify(name)}, lambda: ${attempt})`)
        .join('\n')

    it('1: a secret by its path, over “..” and by a planted link', async () => {
      await symlink(bench.secret, path.join(bench.workspace, 'planted'))
      await nothingOpen(
        tries({ path: `open('${bench.secret}').read()`, dots: `open('../outside/secret.txt').read()`, link: `open('planted').read()` }),
      )
    })

    it('2: a hard link into the workspace, and a rename out of it', async () => {
      const target = path.join(bench.outside, 'moved')
      await nothingOpen(`
open('mine', 'w').write('x')
tried('link', lambda: os.link('${bench.secret}', 'hard') or open('hard').read())
tried('rename', lambda: os.rename('mine', '${target}') or 'moved')`)
      expect(existsSync(target)).to.equal(false)
    })

    it('3: writing to the system and to its own interpreter', async () => {
      const before = await Promise.all(['/usr/bin', '/etc', '/bin'].map(async (each) => (await readdir(each)).length))
      const interpreter = await stat(await realpath('/usr/bin/python3'))
      await bench.run(`
for place in ['/usr/bin/escape', '/etc/escape', '/bin/escape', os.path.realpath(sys.executable)]:
    tried(place, lambda: open(place, 'r+b' if os.path.exists(place) else 'wb').write(b'x'))`)
      expect(await Promise.all(['/usr/bin', '/etc', '/bin'].map(async (each) => (await readdir(each)).length))).to.deep.equal(before)
      const now = await stat(await realpath('/usr/bin/python3'))
      expect([now.size, now.mtimeMs]).to.deep.equal([interpreter.size, interpreter.mtimeMs])
    })

    it('4, 5: passwords, keys, and the process of the service', async () => {
      const own = process.pid
      await nothingOpen(
        tries({
          ...{ shadow: `open('/etc/shadow').read()`, root: `os.listdir('/root')`, home: `os.listdir('/home')` },
          ...{
            environ: `open('/proc/${own}/environ').read()`,
            memory: `open('/proc/${own}/mem', 'rb')`,
            maps: `open('/proc/${own}/maps').read()`,
          },
          ...{
            folder: `os.listdir('/proc/${own}/cwd/')`,
            above: `os.listdir('/proc/${own}/root/')`,
            files: `os.listdir('/proc/${own}/map_files')`,
          },
        }),
      )
    })

    it('6: the root of the first process', async () => {
      await nothingOpen(
        tries({
          first: `open('/proc/1/root${bench.secret}').read()`,
          own: `open('/proc/self/root${bench.secret}').read()`,
          above: `open('/proc/self/root/..${bench.secret}').read()`,
          folder: `open('/proc/self/cwd/../outside/secret.txt').read()`,
        }),
      )
    })

    it('7: a signal to the service, its priority and its limits', async () => {
      await nothingOpen(
        tries({
          signal: `os.kill(${process.pid}, 0) or 'sent'`,
          cont: `os.kill(${process.pid}, 18) or 'sent'`,
          priority: `os.setpriority(os.PRIO_PROCESS, ${process.pid}, 19) or 'set'`,
          limits: `call(302, ${process.pid}, 7, struct.pack('QQ', 10, 10), 0)`,
          processors: `call(203, ${process.pid}, 8, struct.pack('Q', 1))`,
          pidfd: `call(434, ${process.pid}, 0) if call(424, call(434, ${process.pid}, 0), 18, 0, 0) == 0 else -1`,
        }),
      )
    })

    it('8: tracing a process and reading its memory', async () => {
      await nothingOpen(
        tries({
          attach: `call(101, 16, ${process.pid}, 0, 0)`,
          seize: `call(101, 0x4206, ${process.pid}, 0, 0)`,
          read: `call(310, ${process.pid}, 0, 0, 0, 0, 0)`,
          write: `call(311, ${process.pid}, 0, 0, 0, 0, 0)`,
          compare: `call(312, ${process.pid}, os.getpid(), 0, 0, 0)`,
        }),
      )
    })

    it('9, 10: sockets of the host by name and by path', async () => {
      const byPath = path.join(bench.outside, 'socket')
      let connections = 0
      for (const name of ['\0sandbox-escape', byPath]) {
        const server = createServer(() => {
          connections += 1
        })
        servers.push(server)
        server.listen(name)
        await once(server, 'listening')
      }
      await chmod(byPath, 0o777)
      await nothingOpen(`
def reach(name):
    s = socket.socket(socket.AF_UNIX)
    s.connect(name)
    return 'connected'
tried('abstract', lambda: reach('\\0sandbox-escape'))
tried('path', lambda: reach('${byPath}'))
for each in ['/run/docker.sock', '/var/run/docker.sock', '/run/dbus/system_bus_socket', '/run/systemd/private']: tried(each, lambda: reach(each))`)
      expect(connections).to.equal(0)
    })

    it("11 to 16: the host's loopback, UDP, other protocols, metadata", async () => {
      let connections = 0
      const server = createServer((socket) => {
        connections += 1
        socket.end()
      })
      servers.push(server)
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : 0
      await nothingOpen(`
def reach(family, kind, protocol, where):
    s = socket.socket(family, kind, protocol)
    s.settimeout(1)
    s.connect(where)
    return 'connected'
I = socket.AF_INET
tried('tcp', lambda: reach(I, socket.SOCK_STREAM, 0, ('127.0.0.1', ${port})))
tried('mptcp', lambda: reach(I, socket.SOCK_STREAM, 262, ('127.0.0.1', ${port})))
tried('sctp', lambda: reach(I, socket.SOCK_STREAM, 132, ('127.0.0.1', ${port})))
tried('metadata', lambda: reach(I, socket.SOCK_STREAM, 0, ('169.254.169.254', 80)))
tried('outside', lambda: reach(I, socket.SOCK_STREAM, 0, ('1.1.1.1', 53)))
tried('udp', lambda: reach(I, socket.SOCK_DGRAM, 0, ('8.8.8.8', 53)))
tried('name', lambda: socket.getaddrinfo('example.com', 80))
for family, kind in [(17, 3), (40, 1), (I, 3), (31, 1), (38, 5), (16, 99)]: tried('family %d' % family, lambda: socket.socket(family, kind) and 'made')`)
      expect(connections).to.equal(0)
    })

    it('17, 18: namespaces, mounts and other roots', async () => {
      await nothingOpen(
        tries({
          ...{
            unshare: 'call(272, 0x10000000)',
            mounts: 'call(272, 0x20000)',
            clone: 'call(56, 0x10000000 | 17, 0, 0, 0, 0)',
            setns: 'call(308, 0, 0)',
          },
          ...{
            remount: `call(165, b'/usr', b'/usr', 0, 0x1021, 0)`,
            tmpfs: `call(165, b'none', b'/tmp', b'tmpfs', 0, 0)`,
            umount: `call(166, b'/proc', 2)`,
          },
          ...{
            pivot: `call(155, b'.', b'.')`,
            chroot: `call(161, b'/')`,
            fsopen: `call(430, b'tmpfs', 0)`,
            tree: `call(428, -100, b'/', 1)`,
          },
          ...{ attributes: `call(442, -100, b'/', 0, 0, 0)`, clone3: 'call(435, 0, 0)' },
        }),
      )
    })

    it('19, 20: settings of the kernel and of control groups', async () => {
      const pattern = await readFile('/proc/sys/kernel/core_pattern', 'utf8')
      await nothingOpen(`
def write(place, text):
    with open(place, 'w') as file: return file.write(text)
for place in ['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/modprobe', '/proc/sysrq-trigger', '/proc/sys/vm/drop_caches', '/sys/kernel/uevent_helper', '/sys/power/state']:
    tried(place, lambda: write(place, 'x'))
for top, _, files in os.walk('/sys/fs/cgroup'):
    if 'cgroup.procs' in files: tried(top, lambda: write(top + '/cgroup.procs', '0'))`)
      expect(await readFile('/proc/sys/kernel/core_pattern', 'utf8')).to.equal(pattern)
    })

    it('21, 22: keys, io_uring, bpf, userfaultfd, perf, file handles', async () => {
      await nothingOpen(
        tries({
          ...{ keyctl: 'call(250, 0, -3, 1)', add: `call(248, b'user', b'x', b'y', 1, -3)`, request: `call(249, b'user', b'x', 0, 0)` },
          ...{
            ring: 'call(425, 1, ctypes.create_string_buffer(120))',
            bpf: 'call(321, 0, ctypes.create_string_buffer(72), 72)',
            fault: 'call(323, 1)',
          },
          ...{
            perf: 'call(298, ctypes.create_string_buffer(120), 0, -1, -1, 0)',
            handle: 'call(304, -100, 0, 0)',
            pidfd: 'call(438, 0, 0, 0)',
          },
          ...{ module: 'call(313, 0, 0, 0)', kexec: 'call(246, 0, 0, 0, 0)', reboot: 'call(169, 0, 0, 0, 0)', swap: `call(167, b'x', 0)` },
          ...{
            time: 'call(227, 0, 0)',
            hostname: `call(170, b'x', 1)`,
            log: 'call(103, 3, ctypes.create_string_buffer(10), 10)',
            x32: 'call(0x40000000 | 39)',
          },
          ...{ ports: 'call(172, 3)', persona: 'call(135, 0x0400000)' },
        }),
      )
    })

    it('23: typing into a terminal', async () => {
      const { output } = await bench.run(
        `
import fcntl
for place in ['/dev/tty', '/dev/stdin']:
    tried(place, lambda: fcntl.ioctl(open(place), 0x5412, b'x') is not None and 'typed')
    tried(place, lambda: fcntl.ioctl(open(place), 0x541c, b'x') is not None and 'typed')
print('tried')`,
        { terminal: { columns: 80, rows: 24 } },
      )
      expect(output.trim()).to.equal('tried')
    })

    it('24, 25: privileges', async () => {
      const { output } = await bench.run(`
import shutil
shutil.copy('/bin/sh', 'shell')
tried('setuid', lambda: os.chmod('shell', 0o6755) or os.stat('shell').st_uid == 0)
status = dict(line.split(':', 1) for line in open('/proc/self/status') if ':' in line)
print(status['CapEff'].strip(), status['CapPrm'].strip(), status['NoNewPrivs'].strip(), status['Seccomp'].strip(), os.getgroups() in ([], [os.getgid()]))
tried('become', lambda: os.setuid(0) or os.getuid() == 0 and 'root')`)
      const zero = '0'.repeat(16)
      const asUser = process.getuid?.() !== 0
      // Without rights the service cannot leave its groups; a namespace shows none of them as its own.
      expect(output.trim()).to.equal(`${zero} ${zero} 1 2 ${asUser ? output.trim().split(' ').at(-1) : 'True'}`)
    })

    it('26: open files of the service', async () => {
      const files = await Promise.all(Array.from({ length: 20 }, () => open(bench.secret)))
      try {
        await nothingOpen(`
listing = os.open('/proc/self/fd', os.O_RDONLY)
more = [name for name in os.listdir(listing) if int(name) not in (0, 1, 2, listing) and os.path.lexists('/proc/self/fd/' + name)]
tried('descriptors', lambda: ','.join(more) or None)`)
      } finally {
        for (const file of files) await file.close()
      }
    })

    it('27, 28: what the environment plants is not used by what starts the program', async () => {
      const planted = path.join(bench.workspace, 'planted.so')
      await writeFile(planted, 'not a library')
      const { output, errors } = await bench.run(`print(sorted(set(os.environ) - {'LC_CTYPE'}))`, {
        environment: { LD_PRELOAD: planted, PATH: `${bench.workspace}:/usr/bin:/bin`, NODE_OPTIONS: '--require=./planted.js' },
      })
      expect(output.trim(), errors).to.equal("['LD_PRELOAD', 'NODE_OPTIONS', 'PATH']")
      // The loader complains once: for the program itself, inside.
      expect(errors.match(/cannot be preloaded/g)?.length).to.equal(1)
    })

    it('29: devices', async () => {
      await nothingOpen(
        tries({
          ...{
            make: `os.mknod('device', 0o20666, os.makedev(1, 1)) or 'made'`,
            block: `os.mknod('disk', 0o60666, os.makedev(8, 0)) or 'made'`,
          },
          ...{
            memory: `open('/dev/mem', 'rb')`,
            log: `open('/dev/kmsg', 'rb')`,
            machine: `open('/dev/kvm', 'rb')`,
            fuse: `open('/dev/fuse', 'rb')`,
          },
          ...{ disk: `open('/dev/vda', 'rb')`, tun: `open('/dev/net/tun', 'rb')` },
        }),
      )
    })

    it('36: a crash leaves no core', async () => {
      await bench.run('os.abort()')
      expect((await readdir(bench.workspace)).filter((name) => name.startsWith('core'))).to.deep.equal([])
    })

    it('38: what is no plain file can be removed by the service', async () => {
      await bench.run(
        `os.mkfifo('pipe'); open('sparse', 'wb').truncate(1 << 40); os.symlink('/etc/passwd', 'link'); os.makedirs('a/b/c', 0o0)`,
      )
      for (const name of ['pipe', 'sparse', 'link', 'a']) await rm(path.join(bench.workspace, name), { recursive: true, force: true })
      expect((await readdir(bench.workspace)).includes('pipe')).to.equal(false)
    })

    it('39: folders that lead elsewhere are refused at the start', async () => {
      const link = path.join(folder, 'link')
      await symlink(bench.outside, link)
      let error: unknown
      await bench.run('print(1)', { files: { read: [], write: [link], deny: [] } }).catch((caught: unknown) => {
        error = caught
      })
      expect((error as { readonly code?: string }).code).to.equal('sandbox_refused')
    })

    it('40: names that look like options', async () => {
      const workspace = path.join(folder, '--bind')
      await mkdir(workspace, { recursive: true })
      const { output, errors } = await bench.run(`print(sys.argv[1:], os.getcwd())`, {
        directory: workspace,
        files: { read: [], write: [workspace], deny: [] },
      })
      expect(output.trim(), errors).to.equal(`[] ${workspace}`)
    })
  })
