import { strict as assert } from 'node:assert'
import type { ToolCallPart } from '../../../contracts/provider-adapter/content.js'
import { type FinishedEvent, finishedOf, outcomeOf, requestFor, type SuiteTopic } from '../support/suite-call.js'

/** The shape of tool calls. */
export function describeToolCalls({ runner, test, unchecked }: SuiteTopic): void {
  runner.describe('tool calls', () => {
    for (const scenario of ['tool-call', 'parallel-calls'] as const) {
      test(scenario, `of ${scenario} have their names and parsed arguments, in order`, async (adapter, upstream) => {
        const calls = callsOf((await finishedOf(adapter, requestFor(adapter, upstream))).finished)
        assert.ok(calls.length > (scenario === 'tool-call' ? 0 : 1), 'calls are missing')
        const found = calls.map((call) => ({ name: call.name, arguments: call.arguments }))
        if (upstream.expected.toolCalls) assert.deepEqual(found, upstream.expected.toolCalls)
        else unchecked.without('expected.toolCalls', 'names and arguments of tool calls are the vendor’s')
      })
    }

    test('tool-call', 'stop the model with tool_calls', async (adapter, upstream) => {
      assert.equal((await finishedOf(adapter, requestFor(adapter, upstream))).finished.stop_reason, 'tool_calls')
    })

    for (const scenario of ['tool-call', 'parallel-calls'] as const)
      test(
        scenario,
        `of ${scenario} are announced before their arguments, whose pieces form the parsed value`,
        async (adapter, upstream) => {
          const { finished, events } = await finishedOf(adapter, requestFor(adapter, upstream))
          for (const [part, call] of finished.content.entries()) {
            if (call.type !== 'tool_call') continue
            const own = events.filter(
              (event) => (event.type === 'tool_call.started' || event.type === 'tool_call.delta') && event.part === part,
            )
            assert.equal(own[0]?.type, 'tool_call.started', 'the call was not announced first')
            const started = own.filter((event) => event.type === 'tool_call.started')
            assert.equal(started.length, 1, 'the call was announced more than once')
            assert.deepEqual([started[0]?.name, started[0]?.provider_call_id], [call.name, call.provider_call_id])
            const text = own.map((event) => (event.type === 'tool_call.delta' ? event.arguments_text : '')).join('')
            assert.deepEqual(JSON.parse(text === '' ? '{}' : text), call.arguments)
          }
        },
      )

    test('parallel-calls', 'have unique ids', async (adapter, upstream) => {
      const calls = callsOf((await finishedOf(adapter, requestFor(adapter, upstream))).finished)
      const ids = calls.map((call) => call.provider_call_id)
      assert.ok(
        ids.every((id) => id !== undefined && id !== ''),
        'a call has no provider_call_id',
      )
      assert.equal(new Set(ids).size, ids.length, `the provider_call_ids are ${ids.join(', ')}; expected a different one for each call`)
      const own = calls.map((call) => call.call_id)
      assert.equal(new Set(own).size, own.length, `the call_ids are ${own.join(', ')}; expected a different one for each call`)
    })

    test('cut-tool-call', 'that are incomplete never become parts', async (adapter, upstream) => {
      const { events, error } = await outcomeOf(adapter, requestFor(adapter, upstream))
      const parts = events.flatMap((event) => (event.type === 'response.finished' ? callsOf(event) : []))
      assert.deepEqual(parts, [])
      assert.ok(error !== undefined, 'the cut answer succeeded')
    })
  })
}

const callsOf = (finished: FinishedEvent): readonly ToolCallPart[] => finished.content.filter((part) => part.type === 'tool_call')
