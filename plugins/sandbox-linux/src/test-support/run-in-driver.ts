import type { SandboxDriver, SandboxExit, SandboxRequest } from '@agent-service/sdk/contracts/sandbox-driver'

/** What a process came to. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exit: SandboxExit
}

let count = 0

/** A request to run a script of the shell in a folder that it may write. */
export function requestOf(workspace: string, script: string, change: Partial<SandboxRequest> = {}): SandboxRequest {
  count += 1
  return {
    ...{ id: `test-${count}`, principal: 'test-one', command: ['/bin/sh', '-c', script], directory: workspace },
    ...{ environment: { PATH: '/usr/bin:/bin' }, limits: {}, confined: true },
    files: { read: [], write: [workspace], deny: [] },
    network: { access: 'off', destinations: [], forward: [], expose: [] },
    ...change,
  }
}

/** Runs it to its end. `onOutput` hears what has come so far. */
export async function runInDriver(
  driver: SandboxDriver,
  request: SandboxRequest,
  options: { readonly signal?: AbortSignal; readonly onOutput?: (text: string) => unknown } = {},
): Promise<Ran> {
  const texts = { stdout: '', stderr: '', terminal: '' }
  for await (const event of driver.run(request, { signal: options.signal ?? new AbortController().signal })) {
    if (event.type === 'exit') return { stdout: texts.stdout + texts.terminal, stderr: texts.stderr, exit: event }
    if (event.type === 'started') continue
    texts[event.stream] += Buffer.from(event.bytes).toString('utf8')
    await options.onOutput?.(texts.stdout + texts.terminal)
  }
  throw new Error('The events ended without an exit.')
}
