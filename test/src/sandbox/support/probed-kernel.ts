import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import type { Sandbox, SandboxPrincipal, SandboxProcess, SandboxStart } from '@agent-service/sdk/services/sandbox'
import { writeTestPlugin } from '../../agents/support/write-test-plugin.js'
import { type Api, signUp } from '../../support/api.js'
import probePlugin, { probe } from './probe-plugin.js'

/** A real kernel with a sandbox that a test sees into. */
export interface ProbedKernel {
  readonly kernel: TestKernel
  readonly admin: Api
  readonly sandbox: Sandbox
  /** Runs work under one more policy. */
  under(policy: string, work: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

export async function startProbedKernel(environment: Readonly<Record<string, string>> = {}): Promise<ProbedKernel> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-probe-'))
  const plugin = await writeTestPlugin(path.join(folder, 'probe'), probePlugin, new URL('./probe-plugin.js', import.meta.url))
  // The machine's own driver would be a second one.
  const disabled = { SERVICE_PLUGINS_DISABLED: JSON.stringify(['sandbox-linux', 'sandbox-macos']) }
  const kernel = await createTestKernel({ plugins: [plugin], environment: { ...disabled, ...environment } })
  const admin = await signUp(kernel.url, 'ada')
  return {
    ...{ kernel, admin, sandbox: probe.sandbox() },
    async under(policy, work) {
      const made = await admin.request('POST', '/api/admin/policies', { text: policy })
      if (made.status !== 201) throw new Error(`The policy was refused: ${JSON.stringify(made.body)}`)
      try {
        await work()
      } finally {
        await admin.request('DELETE', `/api/admin/policies/${String(made.body['id'])}`)
      }
    },
    async stop() {
      await kernel.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** An agent of a user, as the sandbox knows it. */
export async function agentOf(api: Api, username: string, changes: object = {}): Promise<SandboxPrincipal> {
  const { status, body } = await api.request('POST', '/api/agents', { name: 'Runner', ...changes })
  if (status !== 201) throw new Error(`The agent was refused: ${JSON.stringify(body)}`)
  const [id, handle] = [String(body['id']), String(body['handle'])]
  return { userId: api.userId, userHandle: username, kind: 'agent', id, handle, workspace: String(body['workspace'] ?? handle) }
}

export function shell(
  sandbox: Sandbox,
  principal: SandboxPrincipal,
  script: string,
  more: Partial<SandboxStart> = {},
): Promise<SandboxProcess> {
  const start = { principal, kind: 'shell', title: 'a test', command: ['/bin/sh', '-c', script], ...more } as const
  return sandbox.start(start, { signal: new AbortController().signal })
}

/** The whole output of a process. */
export async function textOf(process: SandboxProcess): Promise<string> {
  let text = ''
  for await (const { bytes } of process.output()) text += new TextDecoder().decode(bytes)
  return text
}
