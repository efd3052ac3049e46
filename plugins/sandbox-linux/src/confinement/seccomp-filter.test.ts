import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { type SocketFamily, seccompFilter } from './seccomp-filter.js'
import type { Architecture } from './system-calls.js'

/** A system call as a filter sees it: `struct seccomp_data`. */
interface Call {
  readonly audit: number
  readonly number: number
  readonly given?: readonly number[]
}

/**
 * Runs a filter of classic BPF as the kernel does, for the instructions that filters here have.
 * @throws for any other, and for a jump or a load outside.
 */
function decide(filter: Uint8Array, { audit, number, given = [] }: Call): string {
  const data = new DataView(new ArrayBuffer(64))
  data.setUint32(0, number, true)
  data.setUint32(4, audit, true)
  for (const [index, value] of given.entries()) data.setBigUint64(16 + 8 * index, BigInt.asUintN(64, BigInt(value)), true)
  const program = new DataView(filter.buffer, filter.byteOffset, filter.byteLength)
  let accumulator = 0
  for (let at = 0; at < filter.byteLength / 8; at += 1) {
    const [code, value] = [program.getUint16(at * 8, true), program.getUint32(at * 8 + 4, true)]
    const [held, otherwise] = [program.getUint8(at * 8 + 2), program.getUint8(at * 8 + 3)]
    const holds = { 21: accumulator === value, 37: accumulator > value, 69: (accumulator & value) !== 0 }[code]
    if (holds !== undefined) at += holds ? held : otherwise
    else if (code === 0x20) accumulator = data.getUint32(value, true)
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0
    else if (code === 0x06) return meaningOf(value)
    else throw new Error(`Instruction ${at} has the code ${code}.`)
  }
  throw new Error('The filter has no end.')
}

function meaningOf(value: number): string {
  if (value === 0x7fff_0000) return 'allowed'
  if (value === 0x8000_0000) return 'killed'
  const errors: Readonly<Record<number, string>> = { 1: 'EPERM', 38: 'ENOSYS', 97: 'EAFNOSUPPORT' }
  return value >>> 16 === 5 ? (errors[value & 0xffff] ?? String(value)) : String(value)
}

// Numbers as linux/audit.h and asm/unistd.h of each architecture have them, not as the filter's table has.
const machines = {
  x64: {
    audit: 0xc000003e,
    calls: {
      ...{ read: 0, write: 1, openat: 257, mmap: 9, execve: 59, futex: 202, getrandom: 318, statx: 332, kill: 62, socketpair: 53 },
      ...{ ptrace: 101, mount: 165, umount2: 166, unshare: 272, setns: 308, pivot_root: 155, chroot: 161, keyctl: 250, add_key: 248 },
      ...{ bpf: 321, userfaultfd: 323, perf_event_open: 298, process_vm_readv: 310, process_vm_writev: 311, kcmp: 312 },
      ...{ open_by_handle_at: 304, kexec_load: 246, init_module: 175, finit_module: 313, reboot: 169, swapon: 167, acct: 163 },
      ...{ clock_settime: 227, settimeofday: 164, syslog: 103, personality: 135, quotactl: 179 },
      ...{ clone: 56, clone3: 435, ioctl: 16, socket: 41, prlimit64: 302, sched_setaffinity: 203, setpriority: 141 },
      ...{ shmget: 29, msgget: 68, semget: 64, mq_open: 240 },
    },
  },
  arm64: {
    audit: 0xc00000b7,
    calls: {
      ...{ read: 63, write: 64, openat: 56, mmap: 222, execve: 221, futex: 98, getrandom: 278, statx: 291, kill: 129, socketpair: 199 },
      ...{ ptrace: 117, mount: 40, umount2: 39, unshare: 97, setns: 268, pivot_root: 41, chroot: 51, keyctl: 219, add_key: 217 },
      ...{ bpf: 280, userfaultfd: 282, perf_event_open: 241, process_vm_readv: 270, process_vm_writev: 271, kcmp: 272 },
      ...{ open_by_handle_at: 265, kexec_load: 104, init_module: 105, finit_module: 273, reboot: 142, swapon: 224, acct: 89 },
      ...{ clock_settime: 112, settimeofday: 170, syslog: 116, personality: 92, quotactl: 60 },
      ...{ clone: 220, clone3: 435, ioctl: 29, socket: 198, prlimit64: 261, sched_setaffinity: 122, setpriority: 140 },
      ...{ shmget: 194, msgget: 186, semget: 190, mq_open: 180 },
    },
  },
} as const satisfies Readonly<Record<Architecture, unknown>>

/** The same number everywhere; see linux/unistd.h. */
const everywhere = {
  ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, open_tree: 428, move_mount: 429, fsopen: 430 },
  ...{ fsconfig: 431, fsmount: 432, fspick: 433, mount_setattr: 442, pidfd_getfd: 438, process_madvise: 440 },
}

type Name = keyof (typeof machines)['x64']['calls']
const harmless: readonly Name[] = ['read', 'write', 'openat', 'mmap', 'execve', 'futex', 'getrandom', 'statx', 'kill', 'socketpair']
const refused: readonly Name[] = [
  ...(['ptrace', 'mount', 'umount2', 'unshare', 'setns', 'pivot_root', 'chroot', 'keyctl', 'add_key', 'bpf', 'userfaultfd'] as const),
  ...(['perf_event_open', 'process_vm_readv', 'process_vm_writev', 'kcmp', 'open_by_handle_at', 'kexec_load', 'init_module'] as const),
  ...(['finit_module', 'reboot', 'swapon', 'acct', 'clock_settime', 'settimeofday', 'syslog', 'personality', 'quotactl'] as const),
]
const shared: readonly Name[] = ['shmget', 'msgget', 'semget', 'mq_open']

const inNamespaces: readonly SocketFamily[] = ['unix', 'inet', 'inet6', 'netlink']
const inLandlock: readonly SocketFamily[] = ['inet', 'inet6', 'netlink']
const [unix, inet, inet6, netlink, packet, vsock, bluetooth] = [1, 2, 10, 16, 17, 40, 31]
const [stream, datagram, raw] = [1, 2, 3]

for (const architecture of ['x64', 'arm64'] as const) {
  const { audit, calls } = machines[architecture]
  const filters = {
    bubblewrap: seccompFilter(architecture, inNamespaces, true),
    Landlock: seccompFilter(architecture, inLandlock, false),
    'Landlock without networks': seccompFilter(architecture, [], false),
  }
  const asked = (filter: Uint8Array, name: Name, ...given: readonly number[]): string =>
    decide(filter, { audit, number: calls[name], given })

  describe(`the filter of system calls for ${architecture}`, () => {
    for (const [mode, filter] of Object.entries(filters)) {
      it(`allows what every program needs, by ${mode}`, () => {
        for (const name of harmless) expect(asked(filter, name, 5, 5, 5), name).to.equal('allowed')
      })

      it(`refuses what leads out, by ${mode}`, () => {
        for (const name of refused) expect(asked(filter, name), name).to.equal('EPERM')
        for (const [name, number] of Object.entries(everywhere)) expect(decide(filter, { audit, number }), name).to.equal('EPERM')
        for (const name of shared) expect(asked(filter, name), name).to.equal(mode === 'bubblewrap' ? 'allowed' : 'EPERM')
      })

      it(`allows new threads and processes, but no new namespace, by ${mode}`, () => {
        const thread = 0x3d0f00
        expect([asked(filter, 'clone', 17), asked(filter, 'clone', thread)]).to.deep.equal(['allowed', 'allowed'])
        for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
          expect(asked(filter, 'clone', flag | 17), flag.toString(16)).to.equal('EPERM')
        expect(asked(filter, 'clone3')).to.equal('ENOSYS')
      })

      it(`lets a process change itself, not others, by ${mode}`, () => {
        for (const name of ['prlimit64', 'sched_setaffinity'] as const)
          expect([asked(filter, name, 0), asked(filter, name, 1_234)], name).to.deep.equal(['allowed', 'EPERM'])
        expect([asked(filter, 'setpriority', 0, 0), asked(filter, 'setpriority', 0, 1_234)]).to.deep.equal(['allowed', 'EPERM'])
      })

      it(`refuses to type into terminals, by ${mode}`, () => {
        const [tcgets, tiocgwinsz, tiocsti, tioclinux] = [0x5401, 0x5413, 0x5412, 0x541c]
        expect([tcgets, tiocgwinsz, tiocsti, tioclinux].map((request) => asked(filter, 'ioctl', 0, request))).to.deep.equal([
          ...['allowed', 'allowed', 'EPERM', 'EPERM'],
        ])
      })

      it(`ends a process that calls as another architecture does, by ${mode}`, () => {
        for (const other of [0x40000003, 0x40000028, audit === 0xc000003e ? 0xc00000b7 : 0xc000003e, 0])
          expect(decide(filter, { audit: other, number: calls.read })).to.equal('killed')
        const x32 = decide(filter, { audit, number: 0x4000_0000 + calls.read })
        expect(x32).to.equal(architecture === 'x64' ? 'ENOSYS' : 'allowed')
      })
    }

    it('allows the families of sockets that a mode has, and no raw ones', () => {
      const families = [unix, inet, inet6, netlink, packet, vsock, bluetooth]
      const answers = (filter: Uint8Array) => families.map((family) => asked(filter, 'socket', family, stream, 0))
      const no = 'EAFNOSUPPORT'
      expect(answers(filters.bubblewrap)).to.deep.equal(['allowed', 'allowed', 'allowed', 'allowed', no, no, no])
      expect(answers(filters.Landlock)).to.deep.equal([no, 'allowed', 'allowed', 'allowed', no, no, no])
      expect(answers(filters['Landlock without networks'])).to.deep.equal(families.map(() => no))
      const closeOnExec = 0x80000
      expect(asked(filters.bubblewrap, 'socket', inet, datagram | closeOnExec, 0)).to.equal('allowed')
      for (const kind of [raw, raw | closeOnExec, 10])
        for (const family of [inet, inet6])
          expect(asked(filters.bubblewrap, 'socket', family, kind, 0), `${family} ${kind}`).to.equal('EPERM')
      for (const protocol of [4, 12, 15]) expect(asked(filters.bubblewrap, 'socket', netlink, raw, protocol)).to.equal(no)
    })

    it('judges the low words of arguments, as the kernel takes them', () => {
      const high = 2 ** 32
      expect(asked(filters.bubblewrap, 'ioctl', 0, high + 0x5412)).to.equal('EPERM')
      expect(asked(filters.bubblewrap, 'clone', high + 0x10000000)).to.equal('EPERM')
      expect(asked(filters.Landlock, 'socket', high + unix, stream, 0)).to.equal('EAFNOSUPPORT')
    })

    it('has the bytes that were examined', () => {
      const digests = Object.fromEntries(
        Object.entries(filters).map(([mode, filter]) => [
          mode,
          `${filter.length / 8} ${createHash('sha256').update(filter).digest('hex').slice(0, 32)}`,
        ]),
      )
      expect(digests).to.deep.equal(examined[architecture])
    })
  })
}

/** Change these with the filter, after a look at what it decides: how many instructions, and their digest. */
const examined: Readonly<Record<Architecture, Readonly<Record<string, string>>>> = {
  x64: {
    bubblewrap: '101 1a992bd39053b2641dae0ca725fba7f6',
    Landlock: '115 04c4859447021e087a7e09769a80719f',
    'Landlock without networks': '112 f008bca24095a3b8c9bb9f50c9857e03',
  },
  arm64: {
    bubblewrap: '98 45e5b431ebd4c4a54fff56272bdf0b0c',
    Landlock: '111 e9c0527ab137ff2609ec489cbb51bc06',
    'Landlock without networks': '108 b7c446d39e0713d989b9622815e3eb32',
  },
}
