import { type Architecture, systemCalls } from './system-calls.js'

/** Families of sockets; see socket(2). Every other one is refused: packet, vsock, Bluetooth, … */
export const socketFamilies = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const
export type SocketFamily = keyof typeof socketFamilies

// struct seccomp_data; see seccomp(2). Arguments are 64 bits wide, low word first.
const numberOffset = 0
const architectureOffset = 4
const argumentOffset = (index: number): number => 16 + 8 * index

// Instructions of classic BPF; see linux/bpf_common.h.
const loadWord = 0x20
const jumpIfEqual = 0x15
const jumpIfAbove = 0x25
const jumpIfAnySet = 0x45
const maskBits = 0x54
const giveBack = 0x06

const allow = 0x7fff_0000
const killProcess = 0x8000_0000
const refuse = (errno: number): number => 0x0005_0000 | errno
const [eperm, enosys, eafnosupport] = [1, 38, 97]

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const newNamespaces = 0x7e02_0000
/** Types into a terminal as its user would; moves text between consoles. */
const [tiocsti, tioclinux] = [0x5412, 0x541c]

/** The kind of a socket without its flags; raw ones, whatever the family. See socket(2). */
const [socketKinds, rawSocket, packetSocket] = [0xf, 3, 10]
/** Lists interfaces and addresses. The other protocols of netlink change filters, policies and devices. */
const netlinkRoute = 0

type Label = 'kind' | 'netlink' | 'allow' | 'refused' | 'unknown' | 'family' | 'number' | 'first' | 'second' | 'clone' | 'ioctl'
interface Instruction {
  readonly code: number
  readonly value: number
  /** Where to go on if the comparison holds; else with the next instruction. */
  readonly to?: Label
  readonly label?: Label
}

const load = (offset: number, label?: Label): Instruction => ({ code: loadWord, value: offset, ...(label && { label }) })
const end = (label: Label, value: number): Instruction => ({ code: giveBack, value, label })
const ifEqual = (value: number, to: Label): Instruction => ({ code: jumpIfEqual, value, to })

/**
 * A seccomp filter, as the bytes of `struct sock_filter`. It refuses what leads out of a sandbox
 * with EPERM: other processes, also their priority and limits, namespaces, mounts, io_uring, keys,
 * watches of whole file systems, typing into terminals, raw sockets; sockets of other families, and
 * netlink but for routes, with EAFNOSUPPORT. `clone3` is unknown to it (ENOSYS), since its arguments
 * cannot be read; C libraries use `clone` then. A call of another architecture ends the process.
 */
export function seccompFilter(
  architecture: Architecture,
  families: readonly SocketFamily[],
  /** Whether namespaces hide what processes of the machine share; else it is refused. */
  hasNamespaces: boolean,
): Uint8Array {
  const calls = systemCalls[architecture]
  return assemble([
    load(architectureOffset),
    ifEqual(calls.audit, 'number'),
    { code: giveBack, value: killProcess },
    load(numberOffset, 'number'),
    ...(calls.maxNumber === undefined ? [] : [{ code: jumpIfAbove, value: calls.maxNumber, to: 'unknown' } as const]),
    ifEqual(calls.clone3, 'unknown'),
    ...Object.values({ ...calls.denied, ...(hasNamespaces ? {} : calls.shared) }).map((number) => ifEqual(number, 'refused')),
    ...Object.values(calls.ofProcess.first).map((number) => ifEqual(number, 'first')),
    ...Object.values(calls.ofProcess.second).map((number) => ifEqual(number, 'second')),
    ifEqual(calls.clone, 'clone'),
    ifEqual(calls.ioctl, 'ioctl'),
    ifEqual(calls.socket, 'family'),
    end('allow', allow),
    load(argumentOffset(0), 'first'),
    ifEqual(0, 'allow'),
    { code: giveBack, value: refuse(eperm) },
    load(argumentOffset(1), 'second'),
    ifEqual(0, 'allow'),
    { code: giveBack, value: refuse(eperm) },
    load(argumentOffset(0), 'clone'),
    { code: jumpIfAnySet, value: newNamespaces, to: 'refused' },
    end('allow', allow),
    load(argumentOffset(1), 'ioctl'),
    ifEqual(tiocsti, 'refused'),
    ifEqual(tioclinux, 'refused'),
    end('allow', allow),
    load(argumentOffset(0), 'family'),
    ...families.map((family) => ifEqual(socketFamilies[family], family === 'netlink' ? 'netlink' : family === 'unix' ? 'allow' : 'kind')),
    { code: giveBack, value: refuse(eafnosupport) },
    load(argumentOffset(1), 'kind'),
    { code: maskBits, value: socketKinds },
    ifEqual(rawSocket, 'refused'),
    ifEqual(packetSocket, 'refused'),
    end('allow', allow),
    load(argumentOffset(2), 'netlink'),
    ifEqual(netlinkRoute, 'allow'),
    { code: giveBack, value: refuse(eafnosupport) },
    end('allow', allow),
    end('refused', refuse(eperm)),
    end('unknown', refuse(enosys)),
  ])
}

/** Jumps go forward, to the next instruction with the label. */
function assemble(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(instructions.length * 8))
  for (const [index, { code, value, to }] of instructions.entries()) {
    const skipped = to === undefined ? 0 : instructions.slice(index + 1).findIndex(({ label }) => label === to)
    if (skipped < 0 || skipped > 255) throw new RangeError(`“${String(to)}” is ${skipped} instructions away; a jump reaches 255.`)
    bytes.setUint16(index * 8, code, true)
    bytes.setUint8(index * 8 + 2, skipped)
    bytes.setUint32(index * 8 + 4, value, true)
  }
  return new Uint8Array(bytes.buffer)
}
