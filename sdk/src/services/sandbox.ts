import type { EndReason, SandboxExit, SandboxHealth, TerminalSize } from '../contracts/sandbox-driver/sandbox-driver.js'
import { defineError } from '../core/errors.js'
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
  /**
   * Added to the environment that every process has. `PATH`, `HOME`, `TMPDIR`, `TZ`, `LANG`, what
   * leads to the network (`*_PROXY`) and what begins with `AGENT_SERVICE_` are the service's own.
   */
  readonly environment?: Readonly<Record<string, string>>
  /**
   * Secrets that programs read from files, by variable: each stands in a file that only processes
   * of the principal can read and that is gone at the end of the process, and the variable has its
   * path. Their names are chosen as in `environment`.
   */
  readonly privateFiles?: Readonly<Record<string, string>>
  /** Folders below the workspace in which programs are looked for first: `.venv/bin`. */
  readonly searchPath?: readonly string[]
  /** The IANA zone in which the process sees its clock. Default: the user's. */
  readonly timezone?: string
  /** Given: the process has a terminal of this size. */
  readonly terminal?: TerminalSize
  /** In milliseconds; 0: none. Default `sandbox.timeout_secs`. */
  readonly timeoutMs?: number
  /**
   * How much it may write to its outputs, in bytes; then it ends with `output_limit`. 0: no limit.
   * Default: 100 MiB, no limit with a terminal and in the background.
   */
  readonly maxOutputBytes?: number
  /** `off` gives less than the policies do. Default: what they give. */
  readonly network?: 'off'
  /** Ports of the loopback inside that the service reaches through {@link SandboxProcess.exposed}. */
  readonly expose?: readonly number[]
  /**
   * Whether the process may go on when the call that started it has ended. Default false: it ends
   * with `signal`, by the reason `stopped`.
   */
  readonly background?: boolean
  /** The chat whose call starts it. Default: none. */
  readonly chatId?: string
  /**
   * The ids of the user's agents for which the principal works, as `ToolContext.callers` has them.
   * The process has no network if one of them may not have it or was deleted, and reaches nothing
   * that a policy forbids one of them. Default: none.
   */
  readonly callers?: readonly string[]
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
  /** The chat whose call started it; null: none did. */
  readonly chatId: string | null
  /** The ids of the agents for which its principal works; see {@link SandboxStart.callers}. */
  readonly callers: readonly string[]
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

/** Options of {@link SandboxProcess.output}. */
export interface SandboxOutputOptions {
  /** The position of the first byte that is wanted. Default 0. */
  readonly from?: number
  /** Whether to go on until the process ends. Default true. */
  readonly follow?: boolean
  /** Ends the reading, with its reason. Default: only the end of the output does. */
  readonly signal?: AbortSignal
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
   * kept: an older offset, and a reader that is too slow, go on with what is there. `follow: false`
   * ends with what is there now. Any number of readers.
   */
  output(options?: SandboxOutputOptions): AsyncIterable<SandboxOutput>
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
 * const listFiles = async (sandbox: Sandbox, principal: SandboxPrincipal, signal: AbortSignal): Promise<string> => {
 *   const process = await sandbox.start({ principal, kind: 'shell', title: 'ls', command: ['ls', '-a'] }, { signal })
 *   let text = ''
 *   for await (const { bytes } of process.output({ signal })) text += new TextDecoder().decode(bytes)
 *   const { reason, code } = await process.exited
 *   return reason === 'exit' && code === 0 ? text : ''
 * }
 */
export interface Sandbox {
  /**
   * Starts a process. Aborting the signal ends it, unless it runs in the background. Also a process
   * whose user is disabled, deleted or signed out everywhere ends, and with the agent its
   * processes.
   * @throws `sandbox_unavailable` if nothing confines here, `sandbox_refused` if the policies do not
   * let it run or this machine cannot keep what they say, `too_many_processes`, `path_invalid` for a
   * folder, `sandbox_start_invalid`, `not_found` for the user, the signal's reason.
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

/** So many processes run that there is no room for another. */
export const tooManyProcessesError = defineError<{ readonly whose: string; readonly max: number }>({
  code: 'too_many_processes',
  status: 429,
  title: 'Too many processes',
  message: ({ whose, max }) => `${whose} already runs ${max} processes in the sandbox, the most at once. Stop one, or wait for one to end.`,
})

/** A process that cannot be started as it is described. */
export const sandboxStartInvalidError = defineError<{ readonly problem: string }>({
  code: 'sandbox_start_invalid',
  status: 422,
  title: 'Invalid start of a process',
  message: ({ problem }) => `The process cannot be started: ${problem}.`,
})

/** Runs code in the sandbox. Provided by `feature-sandbox`. */
export const sandboxService = defineServiceReference<Sandbox>()('sandbox')
