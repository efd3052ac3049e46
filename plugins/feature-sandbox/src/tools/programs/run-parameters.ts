import { type JsonObject, type Static, Type } from '@agent-service/sdk'
import type { SandboxStart } from '@agent-service/sdk/services/sandbox'

/** The longest time limit of a run, in seconds; a tool call may take as long. */
export const maxSeconds = 4 * 3_600

/** What every tool that runs a program can be told beside the program. */
export const runParameters = {
  directory: Type.Optional(
    Type.String({
      maxLength: 400,
      description: 'The working directory, below your workspace. Default: your workspace. It is made if missing.',
    }),
  ),
  timeout_seconds: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxSeconds, description: 'Ends it after this time. Give one for everything that could hang.' }),
  ),
  background: Type.Optional(
    Type.Boolean({
      description:
        'Starts it and returns at once, for servers and long work. You get the id of the process; use read_process, write_process and stop_process.',
    }),
  ),
  offline: Type.Optional(Type.Boolean({ description: 'Runs it without any network, its own loopback apart.' })),
}

const schema = Type.Object(runParameters)

/** The same as a request for the sandbox. */
export function startOptions(input: JsonObject): Pick<SandboxStart, 'directory' | 'timeoutMs' | 'background' | 'network'> {
  const { directory, timeout_seconds, background = false, offline = false } = input as Static<typeof schema>
  const below = folderBelow(directory)
  return {
    ...(below !== '' && { directory: below }),
    ...(timeout_seconds !== undefined && { timeoutMs: timeout_seconds * 1_000 }),
    ...(background && { background }),
    ...(offline && { network: 'off' }),
  }
}

/** A folder as a model names it, below the workspace; empty: the workspace. */
export function folderBelow(directory = ''): string {
  const below = directory.replace(/^(\.\/+)+/, '').replace(/\/+$/, '')
  return below === '.' ? '' : below
}
