import { type Contribution, type ContributionPoint, type LogFields, type Logger, Type } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributed, Contributions } from '@agent-service/sdk/services/contributions'
import { type AgentTools, createAgentTools } from '../points/sources/agent-tools.js'

/** A tool that answers “done”, with what a test changes. */
export const toolNamed = (name: string, changes: Partial<Tool> = {}): Tool => ({
  specVersion: 1,
  name,
  title: `Tool ${name}`,
  description: 'For a test.',
  parameters: Type.Object({ text: Type.Optional(Type.String()) }),
  supports: { probe: changes.probe !== undefined },
  execute: async () => ({ content: [{ type: 'text', text: 'done' }] }),
  ...changes,
})

/** Contributed tools, with a count of the leases that are open. */
export function createFakeTools(
  initial: readonly Tool[],
): Contributions & { readonly leases: Set<symbol>; add(tool: Tool): void; switchOff(): void; settle(): void } {
  let settle: () => void = () => undefined
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })
  const tools = [...initial]
  const leases = new Set<symbol>()
  const listeners = new Set<() => void>()
  const stopping = new AbortController()
  const contributed = (): readonly Contributed<Tool>[] => tools.map((value) => ({ key: value.name, pluginId: 'tester', value }))
  return {
    leases,
    add(tool) {
      tools.push(tool)
      for (const listener of [...listeners]) listener()
    },
    prepare: () => undefined,
    settled: (point) => (point === undefined ? settled : Promise.resolve()),
    settle: () => settle(),
    switchOff: () => stopping.abort(new Error('switched off')),
    list: <T extends Contribution>(point: ContributionPoint<T>) =>
      (point.id === 'tool' ? contributed() : []) as unknown as readonly Contributed<T>[],
    acquire<T extends Contribution>(point: ContributionPoint<T>, key: string) {
      const found = (point.id === 'tool' ? contributed() : []).find((entry) => entry.key === key)
      if (!found) return undefined
      const lease = Symbol(key)
      leases.add(lease)
      return { ...found, value: found.value as unknown as T, signal: stopping.signal, release: () => void leases.delete(lease) }
    },
    onChange(_, listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A log that keeps its lines. */
export function createRecordingLogger(): Logger & { readonly lines: { readonly message: string; readonly fields: LogFields }[] } {
  const lines: { readonly message: string; readonly fields: LogFields }[] = []
  const record = (message: string, fields: LogFields = {}): void => void lines.push({ message, fields })
  const logger = { lines, debug: record, info: record, warn: record, error: record, child: () => logger }
  return logger
}

/** A clock without timers. */
const idleClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: () => () => undefined,
  wait: () => Promise.resolve(),
}

/** The tools of agents without any source. */
export const createFakeAgentTools = (contributions: Contributions): AgentTools =>
  createAgentTools({ contributions, clock: idleClock, log: createRecordingLogger() })
