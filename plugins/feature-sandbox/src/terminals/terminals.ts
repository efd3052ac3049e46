import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { TerminalSize } from '@agent-service/sdk/contracts/sandbox-driver'
import type { Agents } from '@agent-service/sdk/services/agents'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Metrics } from '@agent-service/sdk/services/metrics'
import type { Quotas } from '@agent-service/sdk/services/quotas'
import type { Sandbox, SandboxProcessView } from '@agent-service/sdk/services/sandbox'
import type { Execution } from '../executions/execution.js'
import type { ExecutionRegistry } from '../executions/execution-registry.js'
import type { AuditNotes } from '../reports/audit-notes.js'
import { createTerminal, type Terminal } from './terminal.js'

/** How many terminals may be open: of one user, of all. */
export const maxTerminals = { user: 8, total: 128 } as const

/** A terminal that a person wants to open. */
export interface TerminalRequest {
  readonly userId: string
  readonly userHandle: string
  readonly agentId: string
  readonly size: TerminalSize
  readonly directory: string | undefined
}

/** The terminals of people. */
export interface Terminals {
  /**
   * Starts a login shell in the workspace of an agent, as the agent. Aborting the signal ends only
   * the wait. @throws `not_found` for the agent, `limit_reached`, `overloaded`, and as
   * {@link Sandbox.start}.
   */
  open(request: TerminalRequest, options: { readonly signal: AbortSignal }): Promise<SandboxProcessView>
  /** A terminal of that user, running or ended. @throws `not_found`. */
  find(userId: string, id: string): { readonly execution: Execution; readonly terminal: Terminal }
}

/** What terminals need. */
export interface TerminalsDependencies {
  readonly sandbox: Pick<Sandbox, 'start'>
  readonly registry: Pick<ExecutionRegistry, 'find'>
  readonly agents: Pick<Agents, 'details'> | undefined
  readonly notes: Pick<AuditNotes, 'terminalOpened'>
  readonly clock: Clock
  readonly metrics: Metrics
  readonly quotas: Quotas
}

export function createTerminals({ sandbox, registry, agents, notes, clock, metrics, quotas }: TerminalsDependencies): Terminals {
  const limit = quotas.limit({
    ...{ name: 'sandbox-terminals', counts: 'terminals' },
    ...{ maxPerHolder: maxTerminals.user, maxTotal: maxTerminals.total },
  })
  const open = new Map<string, Terminal>()
  const opened = metrics.counter({ name: 'sandbox_terminals_opened_total', help: 'Terminals that people have opened.', labels: [] })
  metrics.gauge({
    ...{ name: 'sandbox_terminals', help: 'Terminals by whether a page is connected.', labels: ['attended'] },
    read: () => {
      const attended = [...open.values()].filter((terminal) => terminal.attended).length
      return [
        { labels: { attended: 'true' }, value: attended },
        { labels: { attended: 'false' }, value: open.size - attended },
      ]
    },
  })

  return {
    async open({ userId, userHandle, agentId, size, directory }, { signal }) {
      const agent = await agents?.details(userId, agentId)
      if (agent === undefined) throw notFoundError.create({ what: 'agent' })
      const hold = limit.take(`user:${userId}`)
      try {
        const { handle, workspace } = agent
        const { id, exited } = await sandbox.start(
          {
            principal: { userId, userHandle, kind: 'agent', id: agentId, handle, workspace },
            ...{ kind: 'terminal', title: `Terminal of ${handle}`, command: await shellCommand(), terminal: size, background: true },
            // Its own history would be a file of the agent's.
            environment: { PS1: '\\w \\$ ', HISTFILE: '' },
            timeoutMs: 0,
            ...(directory === undefined ? {} : { directory }),
          },
          { signal },
        )
        const execution = registry.find(id)
        if (execution === undefined) throw notFoundError.create({ what: 'terminal' })
        open.set(id, createTerminal(execution, { clock, size }))
        void exited.then(() => {
          open.delete(id)
          hold.release()
        })
        opened.add({})
        const view = execution.view()
        notes.terminalOpened(view.principal)
        return view
      } catch (error) {
        hold.release()
        throw error
      }
    },
    find(userId, id) {
      const execution = registry.find(id)
      const view = execution?.view()
      if (execution === undefined || view?.principal.userId !== userId || view.kind !== 'terminal')
        throw notFoundError.create({ what: 'terminal' })
      return { execution, terminal: open.get(id) ?? createTerminal(execution, { clock, size: { columns: 80, rows: 24 } }) }
    },
  }
}

/**
 * A login shell, or sh where bash is missing. It reads no profile: that of the machine may be closed
 * to it or replace `PATH`, and one in the workspace is written by the agent.
 */
const shellCommand = (): Promise<readonly [string, ...string[]]> =>
  access('/bin/bash', constants.X_OK).then(
    () => ['/bin/bash', '--noprofile', '-l'] as const,
    () => ['/bin/sh', '-i'] as const,
  )
