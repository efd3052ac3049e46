import type { Contribution } from '../../core/contribution-point.js'

/** The size of a terminal, in characters. */
export interface TerminalSize {
  /** 1 to 1,000. */
  readonly columns: number
  /** 1 to 1,000. */
  readonly rows: number
}

/**
 * What a process may open, as absolute paths of the host. A path means the same inside and outside.
 * Of paths that lie in each other the deepest one counts; what is listed cannot be moved or removed
 * by the process itself. The programs and libraries of the system are readable beside these; the
 * driver knows where they are.
 */
export interface SandboxFiles {
  /** May be read, with everything below. */
  readonly read: readonly string[]
  /**
   * May be read and changed, with everything below. The driver sees to the rights: the processes
   * can change what the service wrote there, and the service what they wrote.
   */
  readonly write: readonly string[]
  /** May not be opened, although a path above is in the other lists. */
  readonly deny: readonly string[]
}

/** A connection inside that leads to an address outside, also while the network is off. */
export interface PortForward {
  /** A connection to this port of the loopback inside leads outside. */
  readonly port: number
  /** The destination, as the service reaches it. */
  readonly to: { readonly host: string; readonly port: number }
}

/** A destination on the network. `host` is a name, an address, or `*.` and a name. */
export interface NetworkDestination {
  /** In lower case: `example.org`, `*.example.org`, `192.0.2.7`, `2001:db8::7`. */
  readonly host: string
  /** Absent: every port. */
  readonly port?: number
}

/** Where a process wants to connect. */
export interface SandboxDestination {
  /** A name in ASCII and lower case, without a dot at its end, or an address as `plainAddress` has it. */
  readonly host: string
  /** 1 to 65,535. */
  readonly port: number
  /** The address that would be connected to. Absent: the name has not been resolved yet. */
  readonly address?: string
}

/**
 * What a process may reach. The processes of a principal that name the same loopback share one of
 * their own. The host's loopback, link-local addresses and the metadata services of clouds stay
 * closed in every mode but for {@link SandboxNetwork.forward}.
 */
export interface SandboxNetwork {
  /**
   * `off`: nothing outside. `some`: what `destinations` lists, and what `allows` answers true for.
   * `on`: everything. With each of them, only what is public: `classifyAddress` of
   * `@agent-service/sdk/addresses`.
   */
  readonly access: 'off' | 'some' | 'on'
  /** Only read with `some`. */
  readonly destinations: readonly NetworkDestination[]
  /**
   * A host callback: whether a process may connect there. Only asked with `some`, for what
   * `destinations` does not list, and for each connection anew: first with the name alone, so that
   * a refused name is not even looked up, then with each address that it has. Refused if it fails
   * or takes longer than ten seconds. Its signal is aborted when the process no longer waits.
   */
  readonly allows?: (destination: SandboxDestination, call: { readonly signal: AbortSignal }) => Promise<boolean>
  /**
   * Reachable although `access` would close them. Not the same port twice; processes of a principal
   * that run at the same time may have the same port for the same destination.
   */
  readonly forward: readonly PortForward[]
  /** Ports of the loopback inside that the service wants to reach from outside. */
  readonly expose: readonly number[]
  /**
   * Which loopback of the principal the process has: `[a-z0-9-]`, at most 64. Those that name the
   * same share it, so that one whose network is closed meets none that has more. Default: that of
   * the processes that name none. A driver that gives no process a network may ignore it.
   */
  readonly loopback?: string
}

/** Limits that the driver enforces from the start, as far as its health says. Absent: none. */
export interface SandboxLimits {
  /** Memory of all processes of the principal together, in bytes. */
  readonly memoryBytes?: number
  /** Memory of all sandboxed processes together, in bytes. */
  readonly totalMemoryBytes?: number
  /** Processes and threads of the principal. */
  readonly maxProcesses?: number
  /** Open files of one process. */
  readonly maxOpenFiles?: number
  /** The size of a file that a process writes, in bytes. */
  readonly maxFileBytes?: number
}

/** A process that is to run. */
export interface SandboxRequest {
  /** Unique among running processes: `[a-z0-9-]`, at most 64. The host makes it. */
  readonly id: string
  /**
   * Who runs it: `[a-z0-9-]`, at most 64. Processes of one principal share limits, and the loopback
   * if they name the same; those of different principals do not see each other.
   */
  readonly principal: string
  /**
   * To whom the principal belongs, in the same characters: a driver that carries connections shares
   * them fairly among owners. Absent: the principal belongs to itself.
   */
  readonly owner?: string
  /** The program, absolute or found on `PATH` of the environment, and its arguments. */
  readonly command: readonly [program: string, ...given: string[]]
  /** The working directory: absolute, and readable by `files`. */
  readonly directory: string
  /**
   * The whole environment. Nothing of the service's own is added but {@link SandboxRequest.token}
   * and, unless the network is off, variables that name a proxy if programs need one: `HTTP_PROXY`,
   * `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`, the same in lower case, and `NODE_USE_ENV_PROXY`. Values
   * given here win.
   */
  readonly environment: Readonly<Record<string, string>>
  /** Given: the process has a terminal of this size, which is its input and its output. */
  readonly terminal?: TerminalSize
  /** What it may open. */
  readonly files: SandboxFiles
  /** What it may reach. */
  readonly network: SandboxNetwork
  /** What it may use. */
  readonly limits: SandboxLimits
  /**
   * A credential of the principal. The driver writes it to a file that only the principal's
   * processes can read, names the file in this variable, and removes it at the end.
   */
  readonly token?: { readonly variable: string; readonly text: string }
  /**
   * Secrets of the process, by variable. The driver keeps each as it keeps the token: in a file that
   * only the principal's processes can read, named by the variable, removed at the end.
   */
  readonly privateFiles?: Readonly<Record<string, string>>
  /** False lifts the confinement of files alone; everything else holds. */
  readonly confined: boolean
}

/**
 * Why a process ended. `exit`: by itself, with a code. `signal`: by a signal that the host did not
 * send. `killed`: its signal was aborted or its events were left. The others are reasons of
 * {@link EndReason}.
 */
export type ExitReason = 'exit' | 'signal' | 'killed' | EndReason

/** Why the host ends a process. */
export type EndReason = 'timeout' | 'stopped' | 'output_limit' | 'cpu_limit' | 'memory_limit' | 'total_cpu_limit' | 'total_memory_limit'

/** What a process came to. */
export interface SandboxExit {
  /** Tells it from the other events. */
  readonly type: 'exit'
  /** Why it ended. */
  readonly reason: ExitReason
  /** The exit code with `exit`; else null. */
  readonly code: number | null
  /** The signal by which it ended: `SIGKILL`; null with a code. */
  readonly signal: string | null
  /** Of the whole tree, in milliseconds of one processor; null where the machine does not count it. */
  readonly cpuMs: number | null
  /** At most, of the whole tree; null where the machine does not count it. */
  readonly peakMemoryBytes: number | null
  /** How many processes of the tree could not be ended. More than 0 is a fault of the machine. */
  readonly left: number
}

/** An event of a process. `started` comes first and `exit` last; both come once. */
export type SandboxEvent =
  | {
      readonly type: 'started'
      /** The addresses at which the service reaches the exposed ports, in their order. */
      readonly exposed: readonly { readonly port: number; readonly host: string; readonly hostPort: number }[]
    }
  | {
      readonly type: 'output'
      /** `terminal` if the process has one, else one of the others. */
      readonly stream: 'stdout' | 'stderr' | 'terminal'
      /** 1 to 65,536 bytes, in order for each stream. */
      readonly bytes: Uint8Array
    }
  | SandboxExit

/** What the host does to a running process. */
export type SandboxCommand =
  /** To the whole tree: `SIGINT`, `SIGTERM`, `SIGSTOP`, … */
  | { readonly kind: 'signal'; readonly signal: string }
  /** Ignored without a terminal. */
  | { readonly kind: 'resize'; readonly size: TerminalSize }
  /** Replaces the text of the token's file in one step. Ignored without a token. */
  | { readonly kind: 'token'; readonly text: string }
  /** Ends the tree: SIGTERM, and SIGKILL after `graceMs`. Its exit has the reason. */
  | { readonly kind: 'end'; readonly reason: EndReason; readonly graceMs: number }

/** How well a machine closes one way out. */
export interface SandboxFence {
  /** `closed`; `partial`: closed but for what `reason` says; `open`. */
  readonly state: 'closed' | 'partial' | 'open'
  /** By what: `bubblewrap`, `Landlock`, `seccomp`, `cgroup v2`. Empty if it is open. */
  readonly by: string
  /** What is not closed, why, and how to mend it. One sentence or two; empty if it is closed. */
  readonly reason: string
}

/** What confines on this machine. */
export interface SandboxHealth {
  /** Whether code may run with `confined: true`: files and processes are closed, or partly. */
  readonly confines: boolean
  /** Names the mode: `bubblewrap`, `Landlock`, `sandbox-exec`, `none`. */
  readonly mode: string
  /** By the way out. */
  readonly fences: {
    /** Reading and writing of files outside the lists. */
    readonly files: SandboxFence
    /** Seeing, signalling and tracing processes outside, and system calls that lead out. */
    readonly processes: SandboxFence
    /** Everything outside while the network is off. */
    readonly network: SandboxFence
    /** Addresses that stay closed, and lists of destinations, while the network is on. */
    readonly destinations: SandboxFence
    /** Memory, processes and the accounting of both. */
    readonly limits: SandboxFence
  }
}

/** What a running process uses. */
export interface ProcessUsage {
  /** The id of its {@link SandboxRequest}. */
  readonly id: string
  /** Who runs it, as in its {@link SandboxRequest}. */
  readonly principal: string
  /** Of the whole tree since its start, ended children included, in milliseconds of one processor. */
  readonly cpuMs: number
  /** Of the whole tree now. */
  readonly memoryBytes: number
  /** How many processes the tree has now. */
  readonly processes: number
}

/** Options of every call. */
export interface SandboxCall {
  /** {@link SandboxDriver.run}: its abort ends the process. The others: no answer is needed then. */
  readonly signal: AbortSignal
}

/**
 * Runs processes that cannot get out. The host decides what may run, by whom and for how long; a
 * driver confines, measures and ends.
 *
 * A tree is the process with everything that it started, however detached. When its exit event
 * comes, or the service dies, nothing of the tree runs any more.
 */
export interface SandboxDriver extends Contribution {
  /** The generation of this contract that the driver is written for. */
  readonly specVersion: 1
  /** The id of its plugin, without the `sandbox-` that this may begin with: `linux`. */
  readonly id: string
  /** For people: `Linux`. */
  readonly title: string
  /** The operating systems that it is for, as Node.js names them: `['linux']`. */
  readonly platforms: readonly string[]
  /** Its optional abilities. */
  readonly supports: {
    /** Whether processes can have a terminal. Without it, a request for one is refused. */
    readonly terminal: boolean
  }
  /**
   * What confines here. Found out by trying, once; a later call answers from that. Never throws for
   * a machine that lacks something.
   */
  health(call: SandboxCall): Promise<SandboxHealth>
  /**
   * Starts a process. Its events are to be read once. What is not read waits in the process: at
   * most 256 KiB are held for each stream. `input` is read as the process takes it; its end closes
   * the input. Leaving the events ends the tree.
   * @throws `sandbox_unavailable` if nothing confines and `confined` is true, before anything runs.
   * @throws `sandbox_refused` if this machine cannot keep the request: then the network is not
   * granted, a path is not denied, and nothing has run.
   */
  run(request: SandboxRequest, call: SandboxCall & { readonly input?: AsyncIterable<Uint8Array> }): AsyncIterable<SandboxEvent>
  /** Does something to a running process. @throws `sandbox_process_not_found`. */
  send(id: string, command: SandboxCommand, call: SandboxCall): Promise<void>
  /** What all running processes use, by one reading of the machine. */
  measure(call: SandboxCall): Promise<readonly ProcessUsage[]>
  /**
   * Ends and removes what an earlier process of the service left: trees, control groups, files of
   * tokens. Called at the start, before any process runs.
   */
  sweep(call: SandboxCall): Promise<{ readonly processes: number }>
  /** Releases what the driver keeps of a principal that is no more. Ignores an unknown one. */
  forget(principal: string, call: SandboxCall): Promise<void>
}
