import type { EndReason, SandboxExit, SandboxHealth, TerminalSize } from '../contracts/sandbox-driver/sandbox-driver.js'
import { defineServiceReference } from '../core/service-reference.js'

/**
 * Who runs code: a user together with what acts for them. Limits, the loopback and the network
 * policy belong to it.
 */
export interface SandboxPrincipal {
  /** Whose data it works with. */
  readonly userId: string
  /** The name of that user's folder, `Account.handle`. */
  readonly userHandle: string
  /** What acts for the user. */
  readonly kind: 'agent' | 'app' | 'mcp_server'
  /** Which one: the id of the agent, the app or the server. */
  readonly id: string
  /** Its handle, for policies and people. */
  readonly handle?: string
  /** The name of its folder below the user's `workspaces`. Never changes. */
  readonly workspace: string
}

/** The purpose of a process, for people and for {@link Sandbox.list}. */
export type SandboxProcessKind = 'shell' | 'python' | 'node' | 'packages' | 'terminal' | 'service'

/** A process that is to run. */
export interface SandboxStart {
  /** Who runs it. */
  readonly principal: SandboxPrincipal
  /** Its purpose. */
  readonly kind: SandboxProcessKind
  /** For people: one line, at most 200 characters, without secrets. */
  readonly title: string
  /** The program, absolute or found on `PATH`, and its arguments. */
  readonly command: readonly [program: string, ...given: string[]]
  /** The working directory below the workspace. Default: the workspace. It is made if it is missing. */
  readonly directory?: string
  /** Added to the environment that every process has; `PATH`, `HOME` and the token's are ours. */
  readonly environment?: Readonly<Record<string, string>>
  /** The IANA zone in which the process sees its clock. Default: the service's. */
  readonly timezone?: string
  /** Given: the process has a terminal of this size. */
  readonly terminal?: TerminalSize
  /** In milliseconds; 0: none. Default `sandbox.timeout_secs`. */
  readonly timeoutMs?: number
  /** `off` gives less than the policies do. Default: what they give. */
  readonly network?: 'off'
  /** Ports of the loopback inside that the service reaches through {@link SandboxProcess.exposed}. */
  readonly expose?: readonly number[]
  /**
   * Whether the process may go on when the call that started it has ended. Such a process counts
   * against the principal's processes in the background. Default false: it ends with `signal`.
   */
  readonly background?: boolean
}

/** Where a process stands. Plain data, as routes and events show it. */
export interface SandboxProcessView {
  /** Unique in the deployment. */
  readonly id: string
  /** Who runs it. */
  readonly principal: SandboxPrincipal
  /** Its purpose. */
  readonly kind: SandboxProcessKind
  /** For people. */
  readonly title: string
  /** Whether it goes on without the call that started it. */
  readonly background: boolean
  /** Whether it has a terminal. */
  readonly terminal: boolean
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /** In milliseconds since 1970; null while it runs. */
  readonly endedAt: number | null
  /** What it came to; null while it runs. */
  readonly exit: SandboxExit | null
  /** How many bytes of output it has written; the last of them are kept. */
  readonly outputBytes: number
}

/** A piece of output. `stream` is `terminal` for a process that has one. */
export interface SandboxOutput {
  /** Which stream. */
  readonly stream: 'stdout' | 'stderr' | 'terminal'
  /** The position of the first byte in the whole output of all streams. */
  readonly offset: number
  /** 1 to 65,536 bytes. */
  readonly bytes: Uint8Array
}

/** A process of the sandbox, running or ended. */
export interface SandboxProcess {
  /** Its id. */
  readonly id: string
  /** Where it stands now. */
  view(): SandboxProcessView
  /** The addresses at which the service reaches the exposed ports, in their order. */
  readonly exposed: readonly { readonly port: number; readonly host: string; readonly hostPort: number }[]
  /**
   * The output from an offset on, and what follows until the process ends. The last mebibyte is
   * kept: an older offset begins with what is there. `follow: false` ends with what is there now.
   */
  output(options?: { readonly from?: number; readonly follow?: boolean; readonly signal?: AbortSignal }): AsyncIterable<SandboxOutput>
  /**
   * Writes to its input; resolves when the process has taken so much that at most 256 KiB wait.
   * @throws `sandbox_process_not_found` when it has ended.
   */
  write(bytes: Uint8Array): Promise<void>
  /** Closes its input. A second time nothing happens. */
  closeInput(): void
  /** Ignored without a terminal. */
  resize(size: TerminalSize): Promise<void>
  /** To the whole tree. @throws `sandbox_process_not_found` when it has ended. */
  signal(name: string): Promise<void>
  /** Ends the tree: SIGTERM, then SIGKILL after two seconds. Resolves with its exit. */
  stop(reason?: EndReason): Promise<SandboxExit>
  /** Resolves when nothing of the tree runs any more. Never rejects. */
  readonly exited: Promise<SandboxExit>
}

/**
 * Runs code for users where it cannot get out, by the driver of this machine: with the files and
 * the network that the policies give its principal, within the limits of the section `sandbox`, and
 * with a token of the principal for the service's own API.
 *
 * @example
 * const process = await context.use(sandboxService).start(
 *   { principal, kind: 'shell', title: 'ls', command: ['/bin/sh', '-c', 'ls'] },
 *   { signal },
 * )
 * for await (const { bytes } of process.output({ signal })) show(bytes)
 * const { reason, code } = await process.exited
 */
export interface Sandbox {
  /**
   * Starts a process. Aborting the signal ends it, unless it runs in the background.
   * @throws `sandbox_unavailable` if nothing confines here, `sandbox_refused` if this machine cannot
   * keep what the policies say, `too_many_processes`, the signal's reason.
   */
  start(request: SandboxStart, options: { readonly signal: AbortSignal }): Promise<SandboxProcess>
  /** The processes of a user that run, and those that ended within the last hour, the newest first. */
  list(filter: { readonly userId: string; readonly principalId?: string }): readonly SandboxProcessView[]
  /** A process of that user; `undefined` if there is none. */
  find(userId: string, id: string): SandboxProcess | undefined
  /** What confines on this machine. `disabled`: `sandbox.disabled` lifts the confinement of files. */
  health(options: { readonly signal: AbortSignal }): Promise<SandboxHealth & { readonly driver: string; readonly disabled: boolean }>
  /** The whole number of processors and bytes that percentages refer to. */
  machine(): { readonly processors: number; readonly memoryBytes: number }
}

/** Runs code in the sandbox. Provided by `feature-sandbox`. */
export const sandboxService = defineServiceReference<Sandbox>()('sandbox')
