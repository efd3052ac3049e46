import type { Contribution, ContributionPoint } from '@agent-service/sdk'
import type { AgentRunHook, HookedToolCall } from '@agent-service/sdk/contracts/agent-run-hook'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { expect } from 'chai'
import { createRecordingLogger } from '../../test-support/fake-tools.js'
import { createRunHooks } from './run-hooks.js'

const place = { userId: 'u', agentId: 'a', agentHandle: 'assistant', chatId: 'c', runId: 'r' }
const call: HookedToolCall = { ...place, callId: 'call', tool: 'look', arguments: { deep: { value: 1 } } }
const masked = { userId: 'u', agentId: 'a', chatId: 'c', runId: 'r', callId: 'call', tool: 'look', kind: 'result' } as const
const signal = new AbortController().signal

const hook = (id: string, members: Partial<AgentRunHook>): AgentRunHook => ({ specVersion: 1, id, title: `Hook ${id}`, ...members })

function begin(...given: readonly AgentRunHook[]) {
  let open = 0
  const entries = given.map((value) => ({ key: value.id, pluginId: 'p', value }))
  const contributions: Pick<Contributions, 'list' | 'acquire'> = {
    list: <T extends Contribution>(_: ContributionPoint<T>) => entries as never,
    acquire(_, key) {
      const found = entries.find((entry) => entry.key === key)
      if (!found) return undefined
      open += 1
      const release = (): void => {
        open -= 1
      }
      return { ...found, value: found.value as never, signal: new AbortController().signal, release }
    },
  }
  const log = createRecordingLogger()
  return { hooks: createRunHooks({ contributions, log }), log, open: () => open }
}

describe('the hooks of all plugins', () => {
  it('are asked by order, then id, until one vetoes; each gets a copy of its own', async () => {
    const asked: string[] = []
    const says = (id: string, verdict?: { readonly veto: string }) => async (given: HookedToolCall) => {
      asked.push(`${id} ${JSON.stringify(given.arguments)}`)
      Object.assign(given.arguments['deep'] as object, { value: id })
      return verdict
    }
    const { hooks, open } = begin(
      hook('b', { beforeToolCall: says('b') }),
      hook('c', { order: 10, beforeToolCall: says('c') }),
      hook('d', { order: 200, beforeToolCall: says('d', { veto: ' Not\nnow. ' }) }),
      hook('e', { order: 300, beforeToolCall: says('e', { veto: 'Never.' }) }),
      hook('a', { beforeToolCall: says('a') }),
    )
    expect(await hooks.beforeToolCall(call, signal)).to.deep.equal({ reason: '“Hook d” vetoed this: Not now.' })
    expect(asked).to.deep.equal(['c', 'a', 'b', 'd'].map((id) => `${id} {"deep":{"value":1}}`))
    expect(call.arguments).to.deep.equal({ deep: { value: 1 } })
    expect(open()).to.equal(0)
  })

  it('mask one after the other, each the output of the previous one', async () => {
    const { hooks } = begin(
      hook('a', { mask: async ({ texts }) => texts.map((text) => text.replace('one', '1')) }),
      hook('b', { mask: async ({ texts }) => texts.map((text) => text.replace('1', '*')) }),
    )
    expect(await hooks.mask({ ...masked, texts: ['one two', 'two'] })).to.deep.equal(['* two', 'two'])
  })

  for (const [what, answer] of [
    ['too few texts', []],
    ['something else than texts', [7]],
    ['nothing', undefined],
  ] as const) {
    it(`withhold where a mask answers with ${what}`, async () => {
      const { hooks, log } = begin(hook('a', { mask: async () => answer as never }), hook('b', { mask: async ({ texts }) => texts }))
      expect(await hooks.mask({ ...masked, texts: ['secret'] })).to.deep.equal({ withheld: 'withheld: “Hook a” could not mask it' })
      expect(JSON.stringify(log.lines)).not.to.include('secret')
    })
  }

  it('have a timeout, after which nothing waits for them', async () => {
    const never = () => new Promise<never>(() => undefined)
    const slow = hook('slow', { timeoutMs: 20, beforeToolCall: never, afterToolCall: never })
    const { hooks, log, open } = begin(slow)
    expect((await hooks.beforeToolCall(call, signal))?.reason).to.include('“Hook slow” must approve this first')
    expect(await hooks.afterToolCall({ ...call, content: [], isError: false }, signal)).to.equal(undefined)
    expect(log.lines.map(({ fields }) => fields['member'])).to.deep.equal(['beforeToolCall', 'afterToolCall'])
    expect(open()).to.equal(0)
  })

  it('end with the run that asks them', async () => {
    const { hooks, log } = begin(hook('a', { beforeToolCall: () => new Promise(() => undefined) }))
    const controller = new AbortController()
    const asked = hooks.beforeToolCall(call, controller.signal).catch((error: unknown) => error)
    const reason = new Error('cancelled')
    controller.abort(reason)
    expect(await asked).to.equal(reason)
    expect(log.lines).to.deep.equal([])
  })

  it('learn of a limited number of ends at once, and of none after the service stops', async () => {
    let told = 0
    const stopped: unknown[] = []
    const { hooks, log } = begin(
      hook('a', {
        runEnded: (_, options) => {
          told += 1
          return new Promise((_resolve, reject) =>
            options.signal.addEventListener('abort', () => {
              stopped.push(options.signal.reason)
              reject(options.signal.reason)
            }),
          )
        },
      }),
    )
    for (let run = 0; run < 300; run += 1) hooks.runEnded({ ...place, runId: `${run}`, status: 'completed', code: null })
    expect([told, log.lines.length]).to.deep.equal([200, 100])
    hooks.close()
    await new Promise((resolve) => setImmediate(resolve))
    expect([stopped.length, log.lines.length]).to.deep.equal([200, 100])
  })
})
