import { closeSync, fsync, openSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { definePlugin, type Plugin, Type } from '@agent-service/sdk'
import { type EffectClass, type Tool, type ToolContext, tools } from '@agent-service/sdk/contracts/tool'

/** What the tools do their work on. Both outlive the service. */
export interface EffectToolsOptions {
  /** The file that gets a synced line before and behind each effect. */
  readonly journal: string
  /** Where the idempotent tool posts its effect, with the call's id as the key. */
  readonly receiver: string
}

const sync = promisify(fsync)

/** Whether the checkable tool knows what became of a call. */
export const canReportOutcome = (callId: string): boolean => Number.parseInt(callId.slice(-1), 16) >= 4

/** One tool for each effect class, `tool_<class>`: waits, has its effect, waits. */
export const effectTools = ({ journal, receiver }: EffectToolsOptions): Plugin =>
  definePlugin({
    manifest: { id: 'tool', apiVersion: 1, contributes: ['tool'] },
    setup(context) {
      const file = openSync(journal, 'a')
      context.onDispose(() => closeSync(file))
      const note = async (kind: string, callId: string): Promise<void> => {
        writeSync(file, `${JSON.stringify({ kind, callId })}\n`)
        await sync(file)
      }

      const effects: Readonly<Record<EffectClass, (call: ToolContext) => Promise<void>>> = {
        read: async () => undefined,
        async idempotent({ callId, signal }) {
          const answer = await fetch(receiver, { method: 'POST', headers: { 'idempotency-key': callId }, signal })
          if (!answer.ok) throw new Error(`The receiver answered ${answer.status}.`)
        },
        checkable: ({ callId }) => note('effect', callId),
        unsafe: ({ callId }) => note('effect', callId),
      }
      const probe = async (callId: string): Promise<'done' | 'not_done' | 'unknown'> => {
        await note('probe', callId)
        if (!canReportOutcome(callId)) return 'unknown'
        const effect = JSON.stringify({ kind: 'effect', callId })
        return readFileSync(journal, 'utf8').includes(effect) ? 'done' : 'not_done'
      }

      const toolOf = (effect: EffectClass): Tool => ({
        specVersion: 1,
        name: `tool__${effect}`,
        title: `A tool that is ${effect}`,
        description: 'Has one effect.',
        parameters: Type.Object({ pause: Type.Integer({ minimum: 0 }) }),
        effect,
        supports: { probe: effect === 'checkable' },
        async execute({ pause }, call) {
          await note('begin', call.callId)
          await setTimeout(Number(pause))
          await effects[effect](call)
          await setTimeout(Number(pause))
          await note('end', call.callId)
          return { content: [{ type: 'text', text: `tool__${effect} is done` }] }
        },
        ...(effect === 'checkable' ? { probe } : {}),
      })
      for (const effect of ['read', 'idempotent', 'checkable', 'unsafe'] as const) context.contribute(tools, toolOf(effect))
    },
  })
