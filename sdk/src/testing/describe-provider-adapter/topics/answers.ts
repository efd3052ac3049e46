import { strict as assert } from 'node:assert'
import type { ModelEvent } from '../../../contracts/provider-adapter/events.js'
import { type FinishedEvent, finishedOf, outcomeOf, requestFor, type SuiteTopic } from '../support/suite-call.js'

const knownPartTypes: readonly string[] = ['text', 'reasoning', 'tool_call', 'image']

/** The shape of a whole answer. */
export function describeAnswers({ runner, test, unchecked }: SuiteTopic): void {
  runner.describe('answers', () => {
    test('text', 'begin with one response.started and end with one response.finished', async (adapter, upstream) => {
      const before = upstream.calls()
      const types = (await finishedOf(adapter, requestFor(adapter, upstream))).events.map((event) => event.type)
      assert.equal(types[0], 'response.started')
      assert.equal(types.at(-1), 'response.finished')
      assert.equal(types.filter((type) => type === 'response.started' || type === 'response.finished').length, 2)
      if (upstream.calls() === before) unchecked.without('a count of calls', 'what is refused is refused without a call')
    })

    test('text', 'have the vendor’s text, stop reason and usage', async (adapter, upstream) => {
      const { finished } = await finishedOf(adapter, requestFor(adapter, upstream))
      const { expected } = upstream
      if (expected.text !== undefined) assert.equal(textOf(finished), expected.text)
      assert.equal(finished.stop_reason, expected.stopReason ?? 'stop')
      if (expected.usage) assert.deepEqual(finished.usage, expected.usage)
      if (expected.text === undefined) unchecked.without('expected.text', 'the text is the vendor’s')
      if (expected.usage === undefined) unchecked.without('expected.usage', 'the usage is the vendor’s')
    })

    for (const scenario of ['tool-call', 'parallel-calls', 'reasoning'] as const) {
      test(scenario, `have the vendor’s usage and one end for ${scenario}`, async (adapter, upstream) => {
        const { finished, events } = await finishedOf(adapter, requestFor(adapter, upstream))
        assert.equal(events.at(-1), finished, 'an event came after response.finished')
        const { usage, stopReason } = upstream.expected
        if (usage) assert.deepEqual(finished.usage, usage)
        if (stopReason) assert.equal(finished.stop_reason, stopReason)
      })
    }

    for (const scenario of ['text', 'tool-call', 'parallel-calls', 'reasoning'] as const) {
      test(scenario, `emit the content of ${scenario} in deltas, each with the index of its part`, async (adapter, upstream) => {
        const { finished, events } = await finishedOf(adapter, requestFor(adapter, upstream))
        for (const event of events) checkPart(event, finished)
        for (const [part, content] of finished.content.entries()) {
          if ((content.type === 'text' || content.type === 'reasoning') && content.text !== '')
            assert.equal(joined(events, part), content.text, `the deltas of part ${part} are not its text`)
        }
      })
    }

    for (const scenario of ['text', 'tool-call', 'reasoning'] as const) {
      test(scenario, `have parts of known types for ${scenario}`, async (adapter, upstream) => {
        const { finished } = await finishedOf(adapter, requestFor(adapter, upstream))
        for (const { type } of finished.content)
          assert.ok(knownPartTypes.includes(type), `a part has the type “${type}”; expected one of ${knownPartTypes.join(', ')}`)
      })
    }

    test(
      'text',
      'count tokens as whole numbers, cached ones within the input and reasoning within the output',
      async (adapter, upstream) => {
        const { usage } = (await finishedOf(adapter, requestFor(adapter, upstream))).finished
        for (const count of [usage.input_tokens, usage.cached_input_tokens, usage.output_tokens, usage.reasoning_tokens]) {
          assert.ok(Number.isSafeInteger(count) && count >= 0, `${count} is not a valid number of tokens`)
        }
        assert.ok(usage.cached_input_tokens <= usage.input_tokens, 'more cached tokens than input')
        assert.ok(usage.reasoning_tokens <= usage.output_tokens, 'more reasoning tokens than output')
      },
    )

    for (const scenario of ['text', 'tool-call', 'parallel-calls', 'reasoning'] as const) {
      test(scenario, `are the same for ${scenario}, streamed or not`, async (adapter, upstream) => {
        const whole = await finishedOf(adapter, requestFor(adapter, upstream, { stream: false }))
        const streamed = await finishedOf(adapter, requestFor(adapter, upstream))
        assert.deepEqual(streamed.finished, whole.finished)
      })
    }

    test('one-piece', 'in one piece to a streaming request are that answer, and are marked as such', async (adapter, upstream) => {
      const { finished, events } = await finishedOf(adapter, requestFor(adapter, upstream, { stream: true }))
      if (upstream.expected.text !== undefined) assert.equal(textOf(finished), upstream.expected.text)
      assert.ok(events[0]?.type === 'response.started' && events[0].in_one_piece === true, 'response.started does not say in_one_piece')
    })

    test('reasoning', 'keep reasoning apart from the text', async (adapter, upstream) => {
      const { finished } = await finishedOf(adapter, requestFor(adapter, upstream))
      const reasoning = finished.content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
      if (upstream.expected.reasoning === undefined) unchecked.without('expected.reasoning', 'the reasoning is the vendor’s')
      else assert.equal(reasoning, upstream.expected.reasoning)
      if (upstream.expected.text !== undefined) assert.equal(textOf(finished), upstream.expected.text)
    })

    test('text', 'are plain data', async (adapter, upstream) => {
      for (const event of (await finishedOf(adapter, requestFor(adapter, upstream))).events) {
        assert.deepEqual(JSON.parse(JSON.stringify(event)), event, `an event is not plain JSON: ${event.type}`)
      }
    })

    test('text', 'do not change the request', async (adapter, upstream) => {
      const request = requestFor(adapter, upstream)
      const before = structuredClone(request)
      await outcomeOf(adapter, request)
      assert.deepEqual(request, before)
    })

    test('text', 'do not mix when calls run at the same time', async (adapter, upstream) => {
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => finishedOf(adapter, requestFor(adapter, upstream))))
      const texts = outcomes.map(({ finished }) => textOf(finished))
      assert.deepEqual(
        texts,
        Array.from(texts, () => upstream.expected.text ?? texts[0]),
      )
    })
  })
}

const textOf = (finished: FinishedEvent): string => finished.content.map((part) => (part.type === 'text' ? part.text : '')).join('')

const joined = (events: readonly ModelEvent[], part: number): string =>
  events
    .map((event) => ((event.type === 'text.delta' || event.type === 'reasoning.delta') && event.part === part ? event.text : ''))
    .join('')

const partTypes = {
  'text.delta': 'text',
  'reasoning.delta': 'reasoning',
  'tool_call.started': 'tool_call',
  'tool_call.delta': 'tool_call',
} as const

function checkPart(event: ModelEvent, finished: FinishedEvent): void {
  if (event.type === 'response.started' || event.type === 'response.finished') return
  assert.equal(
    finished.content[event.part]?.type,
    partTypes[event.type],
    `${event.type} refers to part ${event.part}, which has another type`,
  )
}
