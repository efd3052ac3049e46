import { readdir, readFile } from 'node:fs/promises'
import { sandboxUnavailableError } from '@agent-service/sdk/contracts/sandbox-driver'
import { expect } from 'chai'
import { createLinuxDriver } from '../linux-driver.js'
import { canary, describeEscapes, helper, isRoot } from './support/escape-bench.js'
import { attempts } from './support/prelude.js'

const settings = [
  'kernel/core_pattern',
  'kernel/modprobe',
  'kernel/hostname',
  'vm/overcommit_memory',
  'fs/suid_dumpable',
  'net/ipv4/ip_forward',
]
const settingsNow = () => Promise.all(settings.map((name) => readFile(`/proc/sys/${name}`, 'utf8').catch(() => '')))

describeEscapes('the kernel', (bench) => {
  it('17: no namespace is made or joined', async () => {
    const flags: Readonly<Record<string, number>> = {
      user: 0x1000_0000,
      mounts: 0x2_0000,
      pids: 0x2000_0000,
      network: 0x4000_0000,
      ipc: 0x800_0000,
      names: 0x400_0000,
      groups: 0x200_0000,
    }
    const inChild = (work: string): string =>
      `os.waitstatus_to_exitcode(os.waitpid((os.fork() or os._exit(0 if ${work} >= 0 else 1)), 0)[1]) == 0`
    await bench().closed(
      attempts({
        ...Object.fromEntries(Object.entries(flags).map(([name, flag]) => [`unshare ${name}`, inChild(`call('unshare', ${flag})`)])),
        clone: `(lambda pid: os._exit(0) if pid == 0 else pid)(call('clone', ${0x1000_0000 | 17}, 0, 0, 0, 0))`,
        clone3: `call('clone3', struct.pack('QQQQQQQQ', ${0x1000_0000}, 0, 0, 0, 17, 0, 0, 0), 64) >= 0`,
        setns: `call('setns', os.open('/proc/self/ns/uts', os.O_RDONLY), 0)`,
      }),
      { as: 'namespace', leftOut: ['clone3', 'clone'] },
    )
  })

  it('18: nothing is mounted, and the root stays', async () => {
    const before = await readdir('/usr')
    await bench().closed(
      attempts({
        ...{
          bind: `call('mount', b'/usr', b'/usr', 0, 0x1000, 0)`,
          remount: `call('mount', b'none', b'/usr', 0, 0x1021, 0)`,
          tmpfs: `call('mount', b'none', b'/tmp', b'tmpfs', 0, 0)`,
        },
        ...{
          fsopen: `call('fsopen', b'tmpfs', 0)`,
          tree: `call('open_tree', -100, b'/', 0x8001)`,
          attributes: `call('mount_setattr', -100, b'/', 0, struct.pack('QQQQ', 1, 0, 0, 0), 32)`,
        },
        ...{ umount: `call('umount2', b'/proc', 2)`, chroot: `call('chroot', b'/')`, pivot: `call('pivot_root', b'.', b'.')` },
        'remount and write': `call('mount', b'none', b'/usr', 0, 0x1020, 0) >= 0 and open('/usr/PWNED', 'w').write('x')`,
      }),
      // “attributes” makes everything read-only, which the others would find.
      { as: 'namespace', leftOut: ['remount', 'remount and write', 'pivot'] },
    )
    expect(await readdir('/usr')).to.deep.equal(before)
  })

  it('19: settings of the kernel are not written', async () => {
    const before = await settingsNow()
    const places = [
      ...settings.map((name) => `/proc/sys/${name}`),
      '/proc/sysrq-trigger',
      '/proc/sys/vm/drop_caches',
      '/sys/kernel/uevent_helper',
      '/sys/power/state',
      '/proc/irq/0/smp_affinity',
    ]
    const { output } = await bench().run(`for place in ${JSON.stringify(places)}: tried(place, lambda: os.open(place, os.O_WRONLY))`)
    expect(output).to.include('TRIED').and.not.include('OPEN')
    expect(await settingsNow()).to.deep.equal(before)
    if (isRoot)
      expect(
        await bench().runUnconfined(`tried('open', lambda: os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY))`, { as: 'root' }),
      ).to.include('OPEN')
  })

  it('20: a process does not leave its control group', async () => {
    const { driver, request } = bench()
    const code = `
import os, sys
left = 0
for top, _, files in os.walk('/sys/fs/cgroup'):
    for name in files:
        if name in ('cgroup.procs', 'tasks', 'memory.limit_in_bytes', 'memory.max', 'pids.max', 'release_agent', 'notify_on_release'):
            try: open(top + '/' + name, 'w').write('0'); left += 1
            except OSError: pass
print('left', left, flush=True)
sys.stdin.read()`
    const stop = new AbortController()
    const asked = request(['/usr/bin/python3', '-I', '-c', code])
    const input = (async function* () {
      await new Promise((resolve) => stop.signal.addEventListener('abort', resolve))
      yield new Uint8Array()
    })()
    for await (const event of driver.run(asked, { signal: stop.signal, input })) {
      if (event.type !== 'output') continue
      expect(Buffer.from(event.bytes).toString()).to.equal('left 0\n')
      const [usage] = await driver.measure({ signal: stop.signal })
      expect(usage?.processes, 'it is not counted any more').to.be.above(0)
      stop.abort()
    }
  })

  it('21: keys of the kernel are neither made nor read', async () => {
    await bench().closed(
      attempts({
        session: `call('keyctl', 0, -3, 1)`,
        add: `call('add_key', b'user', b'escape', b'y', 1, -2)`,
        request: `call('request_key', b'user', b'escape', 0, 0)`,
        user: `call('keyctl', 0, -4, 1)`,
      }),
      { as: 'user', leftOut: ['request'] },
    )
  })

  it('22: calls that reach into the kernel, and those of the machine, are refused', async () => {
    const buffer = `ctypes.create_string_buffer(120)`
    await bench().closed(
      attempts({
        ...{ ring: `call('io_uring_setup', 1, ${buffer})`, fault: `call('userfaultfd', 1)`, persona: `call('personality', 0x0400000)` },
        ...{
          bpf: `call('bpf', 0, ${buffer}, 72)`,
          perf: `call('perf_event_open', ${buffer}, 0, -1, -1, 0)`,
          handle: `call('open_by_handle_at', -100, 0, 0)`,
        },
        ...{
          module: `call('finit_module', 0, 0, 0)`,
          kexec: `call('kexec_load', 0, 0, 0, 0)`,
          reboot: `call('reboot', 0, 0, 0, 0)`,
          swap: `call('swapon', b'x', 0)`,
        },
        ...{
          time: `call('clock_settime', 0, 0)`,
          log: `call('syslog', 3, ${buffer}, 10)`,
          accounting: `call('acct', 0)`,
          quota: `call('quotactl', 0, 0, 0, 0)`,
        },
        ...(process.arch === 'x64' ? { ports: `call('iopl', 3)`, x32: `libc.syscall(0x40000000 | 39)` } : {}),
      }),
      {
        as: 'namespace',
        leftOut: [
          'ring',
          'bpf',
          'perf',
          'handle',
          'module',
          'kexec',
          'reboot',
          'swap',
          'time',
          'log',
          'accounting',
          'quota',
          'ports',
          'x32',
          'fault',
        ],
      },
    )
    // Each with the error of the filter, not for want of a right or a good argument.
    const refused = [
      'io_uring_setup',
      'userfaultfd',
      'bpf',
      'perf_event_open',
      'open_by_handle_at',
      'finit_module',
      'kexec_load',
      'reboot',
      'swapon',
      'clock_settime',
      'syslog',
      'acct',
      'quotactl',
      'personality',
      'keyctl',
      'ptrace',
      'process_vm_readv',
      'kcmp',
      'pidfd_getfd',
      'mount',
      'unshare',
      'setns',
      'fanotify_init',
    ]
    const { output } = await bench().run(
      `print([name for name in ${JSON.stringify(refused)} if call(name, 0, 0, 0, 0, 0, 0) != -errno.EPERM], open('/proc/self/status').read().split('Seccomp:')[1].split()[0])`,
    )
    expect(output.trim()).to.equal('[] 2')
  })

  if (process.arch === 'x64')
    it('61: a system call by the interface of 32 bits, whose numbers are others, ends the process', async () => {
      const code = `
import mmap
page = mmap.mmap(-1, 4096, prot=7)
page.write(bytes([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3]))
ask = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
print('pid', ask() == os.getpid(), flush=True)`
      const { output, exit } = await bench().run(code)
      const unconfined = await bench().runUnconfined(code, { as: 'user' })
      expect(unconfined).to.match(/^(?:pid True\n)?$/)
      // A kernel without the interface ends the process itself, in the sandbox as outside of it.
      expect([output, exit.signal]).to.deep.equal(['', unconfined === '' ? 'SIGSEGV' : 'SIGSYS'])
    })

  it('23: nothing is typed into a terminal, and only the own one is there', async () => {
    const { spawn } = await import('node-pty')
    const shell = spawn('/bin/sleep', ['60'], { name: 'xterm', ...(isRoot ? bench().user : {}) })
    let shown = ''
    shell.onData((text) => {
      shown += text
    })
    bench().defer(() => shell.kill('SIGKILL'))
    const other = (shell as unknown as { readonly _pty: string })._pty
    const code = `
for place in ('/dev/tty', '/dev/stdin'):
    tried('type ' + place, lambda: fcntl.ioctl(os.open(place, os.O_RDWR), 0x5412, b'x') is not None)
    tried('move ' + place, lambda: fcntl.ioctl(os.open(place, os.O_RDWR), 0x541c, b'x') is not None)
for name in os.listdir('/dev/pts') if os.access('/dev/pts', os.R_OK) else []:
    place = '/dev/pts/' + name
    if name.isdigit() and place != (os.path.realpath('/proc/self/fd/0')): tried(place, lambda: os.write(os.open(place, os.O_WRONLY), b'${canary}'))
tried('other', lambda: '${bench().mode}' == 'Landlock' and os.write(os.open('${other}', os.O_WRONLY | os.O_NOCTTY), b'${canary}'))`
    for (const terminal of [{ columns: 80, rows: 24 }, undefined]) {
      const { output, errors } = await bench().run(code, terminal && { terminal })
      expect(output, errors).to.include('TRIED').and.not.include('OPEN')
    }
    expect(shown).not.to.include(canary)
  })

  it('25: a process has no capability, no new privileges, a filter, and no other group', async () => {
    const { output } = await bench().run(`
status = dict(line.split(':', 1) for line in open('/proc/self/status') if ':' in line)
print(*(int(status[name], 16) for name in ('CapInh', 'CapPrm', 'CapEff', 'CapAmb')), status['NoNewPrivs'].strip(), status['Seccomp'].strip())
print(sorted(set(os.getgroups()) - {os.getgid()}), os.getresuid(), os.getresgid())`)
    const [rights, ids] = output.trim().split('\n')
    expect(rights).to.equal('0 0 0 0 1 2')
    const { uid, gid } = bench().user
    // Without rights the service cannot leave its own groups.
    if (isRoot) expect(ids).to.equal(`[] (${uid}, ${uid}, ${uid}) (${gid}, ${gid}, ${gid})`)
  })

  it('43: without the confinement of files everything else holds', async () => {
    const { secret, run, collect, request } = bench()
    const victim = await bench().startVictim()
    const { output, errors } = await run(
      `
print(open('${secret}').read())
tried('network', lambda: socket.create_connection(('127.0.0.1', 22), 1))
tried('signal', lambda: os.kill(${victim.pid}, 18) or 'sent')
tried('trace', lambda: call('ptrace', 0x4206, ${victim.pid}, 0, 0))
tried('mount', lambda: call('unshare', 0x10000000))
print('rights', [line.split()[1] for line in open('/proc/self/status') if line.startswith(('CapEff', 'Seccomp:'))])`,
      { confined: false },
    )
    expect(output, errors)
      .to.include(canary)
      .and.include(`rights ['${'0'.repeat(16)}', '2']`)
      .and.not.include('OPEN')
    expect(await victim.signals()).to.deep.equal([])
    const { exit } = await collect(request(['/bin/sleep', '60'], { confined: false }), AbortSignal.timeout(300))
    expect([exit.reason, exit.left]).to.deep.equal(['killed', 0])
  })

  it('58: what a kernel shows of others holds no secret', async () => {
    const { output } = await bench().run(`
for place in ('/proc/kcore', '/proc/kmsg', '/proc/kpagecount', '/proc/keys', '/proc/timer_list', '/sys/kernel/debug', '/sys/kernel/tracing', '/proc/vmallocinfo', '/proc/slabinfo', '/proc/1/environ', '/dev/shm/..', '/run', '/var/log', '/boot', '/srv', '/opt'):
    tried(place, lambda: (os.listdir(place) or None) if os.path.isdir(place) and place != '/dev/shm/..' else open(place, 'rb').read(1))
tried('addresses', lambda: any(int(line.split()[0], 16) for line in open('/proc/kallsyms')))`)
    // Below /run is the folder of its own files, alone.
    const allowed = bench().mode === 'bubblewrap' ? ['OPEN /proc/keys', 'OPEN /proc/1/environ', 'OPEN /run'] : ['OPEN /proc/keys']
    expect(output.split('\n').filter((line) => line.startsWith('OPEN') && !allowed.includes(line))).to.deep.equal([])
  })
})

describe('a machine on which nothing confines', () => {
  it('44: no code runs, and the error says what is missing', async () => {
    const { driver, close } = createLinuxDriver({
      helper,
      userOf: async () => undefined,
      examined: (machine) => ({ ...machine, bubblewrap: { missing: 'bubblewrap is not installed' }, landlock: 0 }),
    })
    try {
      const { signal } = new AbortController()
      expect(await driver.health({ signal })).to.include({ confines: false, mode: 'none' })
      const base = { id: 'none', principal: 'none', command: ['/bin/true'], directory: '/tmp', environment: {}, limits: {} } as const
      const asked = {
        ...base,
        files: { read: [], write: [], deny: [] },
        network: { access: 'off', destinations: [], forward: [], expose: [] },
        confined: true,
      } as const
      const error: unknown = await driver
        .run(asked, { signal })
        [Symbol.asyncIterator]()
        .next()
        .catch((caught: unknown) => caught)
      expect(sandboxUnavailableError.isInstance(error)).to.equal(true)
      expect((error as Error).message).to.match(/bubblewrap is not installed.*Landlock of this kernel is of generation 0/)
    } finally {
      await close()
    }
  })
})
