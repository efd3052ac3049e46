import { strict as assert } from 'node:assert'
import type { ProviderAdapterSupport } from '../../../contracts/provider-adapter/adapter.js'
import type { ContentPart } from '../../../contracts/provider-adapter/content.js'
import type { ModelMessage, ModelRequest } from '../../../contracts/provider-adapter/request.js'
import type { JsonValue } from '../../../core/json.js'
import { bodyOf, finishedOf, requestFor, type SuiteTopic } from '../support/suite-call.js'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const data = base64('unused, but sent unchanged')

/** Text files by media type; none can be found by its ASCII letters alone. */
const texts: Readonly<Record<string, string>> = {
  'text/markdown; charset=utf-8': 'Im großen Garten wächst “Thymian” 🌿 neben Salbei.',
  'text/csv': 'Kräuter für Gemüse;Blüte;Höhe in Zentimetern',
  'application/json': '{"Kräuter für Suppe": ["Liebstöckel", "Bärlauch"]}',
}
const filesOfText = Object.entries(texts).map(
  ([mediaType, text]) => ({ type: 'file', media_type: mediaType, name: 'garden', data: base64(text) }) as const,
)
const reading = { call_id: 'call_1', provider_call_id: 'call_1', name: 'get_time' } as const

/** Conversations with the files, which must be on the wire as text or as data. */
const textFiles: readonly { readonly title: string; readonly messages: readonly ModelMessage[] }[] = [
  {
    title: 'files of text of a person',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'What grows there?' }, ...filesOfText] }],
  },
  {
    title: 'files of text in results of tools',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'What grows there?' }] },
      { role: 'assistant', content: [{ type: 'tool_call', ...reading, arguments: {} }] },
      { role: 'tool', content: [{ type: 'tool_result', ...reading, content: filesOfText }] },
    ],
  },
]

/** Content of a request that must be on the wire, by ability. */
const carried: readonly {
  readonly ability: keyof ProviderAdapterSupport
  readonly title: string
  readonly changes: Partial<ModelRequest>
  readonly mark: string
}[] = [
  {
    ability: 'images',
    title: 'images of a person',
    changes: { messages: [user({ type: 'image', media_type: 'image/png', data })] },
    mark: data,
  },
  {
    ability: 'files',
    title: 'files of any kind',
    changes: { messages: [user({ type: 'file', media_type: 'application/pdf', name: 'plan.pdf', data })] },
    mark: data,
  },
  {
    ability: 'structuredOutput',
    title: 'the schema of an answer',
    changes: {
      tools: [],
      responseSchema: {
        name: 'garden',
        schema: {
          type: 'object',
          properties: { shade_of_the_garden: { type: 'string' } },
          required: ['shade_of_the_garden'],
          additionalProperties: false,
        },
      },
    },
    mark: 'shade_of_the_garden',
  },
]

function user(part: Extract<ModelMessage, { role: 'user' }>['content'][number]): ModelMessage {
  return { role: 'user', content: [{ type: 'text', text: 'What is this?' }, part] }
}

/** What reaches the vendor. */
export function describeCarrying({ runner, testWire }: SuiteTopic): void {
  runner.describe('carrying', () => {
    for (const { ability, title, changes, mark } of carried) {
      testWire('text', `${title}, if the adapter declares it`, async (adapter, upstream) => {
        if (adapter.supports[ability] !== true) return
        const body = await bodyOf(adapter, upstream, changes)
        assert.ok(body.includes(mark), `${ability} is declared, but the content did not reach the wire`)
      })
    }

    for (const { title, messages } of textFiles) {
      testWire('text', `${title}, if the adapter declares it`, async (adapter, upstream) => {
        const { files, tools } = adapter.supports
        if (files === false || (!tools && messages.some(({ role }) => role === 'tool'))) return
        const sent = textsIn(JSON.parse(await bodyOf(adapter, upstream, { messages })) as JsonValue)
        for (const text of Object.values(texts)) {
          const isThere = sent.some((value) => value.includes(text) || value.includes(base64(text)))
          assert.ok(isThere, `files are declared, but the wire has neither the text nor the data of “${text}”`)
        }
      })
    }

    testWire('text', 'every system message', async (adapter, upstream) => {
      const system = ['Speak of herbs alone.', 'Never of roses.']
      const messages: readonly ModelMessage[] = [
        ...system.map((text) => ({ role: 'system', content: [{ type: 'text', text }] }) as const),
        { role: 'user', content: [{ type: 'text', text: 'What grows there?' }] },
      ]
      const body = await bodyOf(adapter, upstream, { messages })
      for (const text of system) assert.ok(body.includes(text), `the system message “${text}” did not reach the wire`)
    })

    testWire('text', 'tools with their descriptions and parameters, if the adapter declares it', async (adapter, upstream) => {
      if (!adapter.supports.tools) return
      const tool = {
        name: 'look_up',
        description: 'Finds a herb.',
        parameters: { type: 'object', properties: { herb_of_the_day: { type: 'string' } } },
      }
      const body = await bodyOf(adapter, upstream, { tools: [tool] })
      for (const mark of ['look_up', 'Finds a herb.', 'herb_of_the_day']) assert.ok(body.includes(mark), `“${mark}” did not reach the wire`)
    })

    testWire('text', 'the choice of a tool, if the adapter declares it', async (adapter, upstream) => {
      if (!adapter.supports.toolChoice) return
      const choices = ['auto', 'none', 'required', { name: 'get_time' }] as const
      const bodies: string[] = []
      // Two of them: of one tool, a required call and a call of that tool are the same.
      const tools = ['get_time', 'get_date'].map((name) => ({ name, description: 'Tells it.', parameters: { type: 'object' } }))
      for (const toolChoice of choices) bodies.push(await bodyOf(adapter, upstream, { toolChoice, tools }))
      assert.equal(new Set(bodies).size, choices.length, 'two choices look the same on the wire')
    })

    testWire('text', 'settings and extra parameters', async (adapter, upstream) => {
      const body = await bodyOf(adapter, upstream, { settings: { max_tokens: 1_237 }, extraParams: { herb_of_the_day: 'thyme' } })
      assert.ok(body.includes('1237'), 'max_tokens did not reach the wire')
      assert.equal((JSON.parse(body) as Readonly<Record<string, JsonValue>>)['herb_of_the_day'], 'thyme')
    })

    testWire('opaque', 'opaque parts back to their vendor byte for byte', async (adapter, upstream) => {
      const { content } = (await finishedOf(adapter, requestFor(adapter, upstream))).finished
      const texts = content.flatMap((part) => ('opaque' in part && part.opaque ? textsIn(part.opaque.data) : []))
      assert.ok(texts.length > 0, 'the answer has no opaque part')
      const body = await bodyOf(adapter, upstream, { messages: continued(content) })
      const sent = textsIn(JSON.parse(body) as JsonValue)
      for (const text of texts) assert.ok(sent.includes(text), `“${text.slice(0, 60)}” did not go back unchanged`)
    })

    testWire('opaque', 'nothing opaque to another vendor', async (adapter, upstream) => {
      const { content } = (await finishedOf(adapter, requestFor(adapter, upstream))).finished
      const mark = 'opaque-part-of-somebody-else'
      const foreign = content.map((part) =>
        'opaque' in part && part.opaque
          ? { ...part, opaque: { vendor: 'somebody-else:model', data: renamed(part.opaque.data, mark) } }
          : part,
      )
      const body = await bodyOf(adapter, upstream, { messages: continued(foreign) })
      assert.ok(!body.includes(mark), 'opaque data of another vendor reached the wire')
    })
  })
}

/** The conversation with the answer and the results of its calls. */
function continued(content: readonly ContentPart[]): readonly ModelMessage[] {
  const calls = content.filter((part) => part.type === 'tool_call')
  return [
    { role: 'user', content: [{ type: 'text', text: 'What time is it?' }] },
    { role: 'assistant', content: content as Extract<ModelMessage, { role: 'assistant' }>['content'] },
    {
      role: 'tool',
      content: calls.map(({ call_id, provider_call_id, name }) => ({
        type: 'tool_result',
        call_id,
        ...(provider_call_id !== undefined && { provider_call_id }),
        name,
        content: [{ type: 'text', text: 'noon' }],
      })),
    },
  ]
}

/** Every text in a value that is too long for a protocol keyword: 24 UTF-16 code units or more. */
function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return value.length >= 24 ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((member) => textsIn(member as JsonValue))
}

/** The same value with every long text replaced. */
function renamed(value: JsonValue, text: string): JsonValue {
  if (typeof value === 'string') return value.length >= 24 ? text : value
  if (Array.isArray(value)) return value.map((member) => renamed(member as JsonValue, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, renamed(member as JsonValue, text)]))
}
