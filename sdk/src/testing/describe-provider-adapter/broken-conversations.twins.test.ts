import { expect } from 'chai'
import type { ContentPart, TextPart, ToolCallPart, ToolResultPart } from '../../contracts/provider-adapter/content.js'
import type { ModelMessage, ModelRequest } from '../../contracts/provider-adapter/request.js'
import { call, type Fault, failing, parts, requests } from './break-adapter.test.js'

const manyMessages = 'conversations › of many messages: every part of each, whole, once and in order, streamed or not'
const systemPrompt = 'conversations › with a system prompt of several messages and parts: all of it, once and in order'
const longTexts = 'conversations › with very long texts: the whole of each'
const another = 'conversations › after one another: nothing of one in another'
const work = 'conversations › with tool calls: every text and result, whole, once and in order, if the adapter declares tools'
const calls =
  'conversations › with tool calls: the name and the arguments of each, between what was said before and its result, if the adapter declares tools'
const ids = 'conversations › with tool calls: a result under the id of its call, if the protocol has ids, if the adapter declares tools'
const emptyResult =
  'conversations › with a tool result that is empty: a result under the id of its call, if the protocol has ids, if the adapter declares tools'
const manyTools = 'conversations › with many tools: every description, parameter and allowed value, if the adapter declares tools'
const images = 'conversations › with images in several messages: each, once and in order, if the adapter declares images'
const shown =
  'conversations › with images in a tool result: on the wire, or refused before the call, if the adapter declares images and tools'
const address = 'conversations › with an image at an address: on the wire, or refused before the call, if the adapter declares images'
const speakers = 'conversations › that differ in who said something: never the same on the wire'
const answered = 'conversations › that differ in which call a result answers: never the same on the wire, if the adapter declares tools'

/** Changes the messages of each call. */
const messages = (change: (messages: readonly ModelMessage[]) => readonly ModelMessage[]) =>
  requests((request) => ({ messages: change(request.messages) }))

/** Changes each message of each call; `undefined` removes it. */
const eachMessage = (change: (message: ModelMessage) => ModelMessage | undefined) =>
  messages((all) => all.map(change).filter((message) => message !== undefined))

const content = (change: (list: ModelMessage['content'], message: ModelMessage) => readonly unknown[]) =>
  eachMessage((message) => ({ ...message, content: change(message.content, message) }) as ModelMessage)

const calling = (change: (part: ToolCallPart) => ToolCallPart) => parts((part) => (part.type === 'tool_call' ? change(part) : part))
const results = (change: (part: ToolResultPart) => ToolResultPart | undefined) =>
  parts((part) => (part.type === 'tool_result' ? change(part) : part))
const texts = (change: (text: string) => string) => parts((part) => (part.type === 'text' ? { ...part, text: change(part.text) } : part))

const spoken = ({ role }: ModelMessage): boolean => role !== 'tool'
const tools = (change: (tools: ModelRequest['tools']) => ModelRequest['tools']) => requests((request) => ({ tools: change(request.tools) }))

/** The fault, its implementation, and tests that must fail. */
const faults: readonly Fault[] = [
  ['tool results that are not sent', eachMessage((message) => (spoken(message) ? message : undefined)), [work, ids, emptyResult, answered]],
  ['tool results that are empty', results((part) => ({ ...part, content: [] })), [work, answered]],
  ['tool calls that are not sent', content((list) => list.filter((part) => part.type !== 'tool_call')), [calls, ids, emptyResult]],
  [
    'texts of the assistant that are not sent',
    content((list, { role }) => (role === 'assistant' ? list.filter((part) => part.type !== 'text') : list)),
    [manyMessages, longTexts, work],
  ],
  ['the last three messages alone', messages((all) => all.slice(-3)), [manyMessages, longTexts, work, calls, ids, emptyResult]],
  ['a window of 30 messages', messages((all) => all.slice(-30)), [manyMessages]],
  [
    'a first message of the person that is lost',
    messages((all) => all.filter((_, index) => all.length < 3 || index !== all.findIndex(({ role }) => role === 'user'))),
    [manyMessages, longTexts, work],
  ],
  [
    'a system prompt that is not sent',
    eachMessage((message) => (message.role === 'system' ? undefined : message)),
    [systemPrompt, longTexts],
  ],
  [
    'parts of the system prompt beyond the first',
    content((list, { role }) => (role === 'system' ? list.slice(0, 1) : list)),
    [systemPrompt],
  ],
  ['parts of a message beyond the first', content((list, { role }) => (role === 'user' ? list.slice(0, 1) : list)), [manyMessages]],
  ['parts of a result beyond the first', results((part) => ({ ...part, content: part.content.slice(0, 1) })), [work]],
  ['messages from new to old', messages((all) => [...all].reverse()), [manyMessages, work]],
  [
    'messages that are gathered by role',
    messages((all) => (['system', 'user', 'assistant', 'tool'] as const).flatMap((role) => all.filter((message) => message.role === role))),
    [manyMessages, work],
  ],
  ['messages that are sent twice', messages((all) => all.flatMap((message) => [message, message])), [manyMessages, systemPrompt, work]],
  [
    'messages that are all of the person',
    eachMessage((message) => (spoken(message) ? ({ ...message, role: 'user' } as ModelMessage) : message)),
    [speakers],
  ],
  ['texts that are cut at 10,000 characters', texts((text) => text.slice(0, 10_000)), [longTexts]],
  ['texts in ASCII', texts((text) => text.replace(/[^\p{ASCII}]/gu, '?')), [manyMessages, systemPrompt, work]],
  ['texts of which lines are joined', texts((text) => text.replaceAll(/\s+/g, ' ')), [manyMessages, systemPrompt, work]],
  ['texts that are escaped', texts((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')), [manyMessages, systemPrompt, work]],
  ['arguments of earlier calls that are not sent', calling((part) => ({ ...part, arguments: {} })), [calls]],
  [
    'arguments of earlier calls whose members are all texts',
    calling((part) => ({
      ...part,
      arguments: Object.fromEntries(Object.entries(part.arguments).map(([name, value]) => [name, String(value)])),
    })),
    [calls],
  ],
  ['names of earlier calls that are not sent', calling((part) => ({ ...part, name: '' })), [calls]],
  [
    'results whose ids are another call’s',
    content((list) => {
      const all = list.filter((part) => part.type === 'tool_result')
      return all
        .map(({ content: inner, ...part }, index) => ({ ...part, content: all.at(index - 1)?.content ?? inner }))
        .concat(list.filter((part) => part.type !== 'tool_result') as never)
    }),
    [work],
  ],
  [
    'results without the ids of their calls',
    results((part) => ({ ...part, call_id: 'unknown', provider_call_id: 'unknown' })),
    [ids, emptyResult],
  ],
  [
    'results with ids of their own',
    content((list) => {
      const named = list
        .filter((part) => part.type === 'tool_result')
        .map(({ call_id, provider_call_id }) => ({ call_id, provider_call_id }))
      return list.map((part, index) => (part.type === 'tool_result' ? { ...part, ...named.at(index - 1) } : part))
    }),
    [ids, emptyResult],
  ],
  [
    'results that are empty and not sent',
    eachMessage((message) =>
      message.role === 'tool' ? { ...message, content: message.content.filter((part) => part.content.length > 0) } : message,
    ),
    [emptyResult],
  ],
  ['failed results that are not sent', results((part) => (part.is_error ? undefined : part)), [work, ids, emptyResult]],
  ['a conversation whose calls and results are texts of one length', content((list) => list.map(flattened)), [calls, work]],
  ['tools beyond the first', tools((all) => all.slice(0, 1)), [manyTools]],
  ['tools whose parameters are empty', tools((all) => all.map((tool) => ({ ...tool, parameters: { type: 'object' } }))), [manyTools]],
  [
    'descriptions that are cut at 40 characters',
    tools((all) => all.map((tool) => ({ ...tool, description: tool.description.slice(0, 40) }))),
    [manyTools],
  ],
  [
    'images of earlier messages that are not sent',
    messages((all) => all.map((message, index) => (index === all.length - 1 ? message : withoutImages(message)))),
    [images],
  ],
  [
    'a message of which only the last image is sent',
    content((list) => list.filter((part, index) => part.type !== 'image' || index === list.findLastIndex(({ type }) => type === 'image'))),
    [images],
  ],
  [
    'images of tool results that are not sent',
    results((part) => ({ ...part, content: part.content.filter(({ type }) => type !== 'image') })),
    [shown],
  ],
  [
    'images at an address that are not sent',
    parts((part) => (part.type === 'image' && part.url !== undefined ? undefined : part)),
    [address],
  ],
  [
    'a conversation that goes on from the one before',
    call((adapter) => {
      let before: readonly ModelMessage[] = []
      return (request, options) => {
        const all = [...before, ...request.messages]
        before = request.messages
        return adapter.call({ ...request, messages: all }, options)
      }
    }),
    [another],
  ],
  [
    'a conversation that is whole only in a stream',
    requests((request) => (request.stream ? {} : { messages: request.messages.slice(-3) })),
    [manyMessages, work],
  ],
]

const withoutImages = (message: ModelMessage): ModelMessage =>
  ({ ...message, content: (message.content as readonly ContentPart[]).filter(({ type }) => type !== 'image') }) as ModelMessage

/** A part as a text of 20 characters. */
function flattened(part: ModelMessage['content'][number]): TextPart | ModelMessage['content'][number] {
  return part.type === 'tool_call' || part.type === 'tool_result' ? { type: 'text', text: JSON.stringify(part).slice(0, 20) } : part
}

describe('describeProviderAdapter, the conversation on the wire', () => {
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.include.members(titles as string[])
    })
  }
})
