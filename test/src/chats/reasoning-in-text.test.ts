import type { ModelEvent, StopReason } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { type Script, says, setScript } from '../agents/support/scripted-plugin.js'
import { type Writer, writerOf } from './chat-support.js'

type Json = Record<string, unknown>

const group = (name: string, model: string, settings: Json = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ provider: 'upstream', model, api: 'completions', ...settings }).map(([setting, value]) => [
      `SERVICE_MODELS__${name}__${setting.toUpperCase()}`,
      String(value),
    ]),
  )

async function* ends(text: string, stop_reason: StopReason): AsyncGenerator<ModelEvent> {
  for await (const event of says(text)) yield event.type === 'response.finished' ? { ...event, stop_reason } : event
}

const pieces = ['<think>\nThe person asks about Rome. ', 'Keep it short.\n</th', 'ink>\n\nThree days in Rome: ', 'start at the Forum.']
const unopened = 'Okay, the person asks.\n</think>\n\nThree days.'

describe('a chat with a model that writes its reasoning into the text', () => {
  let agents: AgentsKernel
  let ada: Writer

  before(async () => {
    setScript()
    agents = await startAgentsKernel({
      titles: true,
      environment: {
        ...group('SMALL', 'small-model'),
        ...group('KNOWN', 'deepseek-ai/DeepSeek-R1-Distill-Qwen-7B'),
        ...group('UNKNOWN', 'house-model'),
        ...group('ALWAYS', 'house-model', { inline_reasoning: 'always' }),
        ...group('NEVER', 'house-model', { inline_reasoning: 'never' }),
      },
    })
    ada = await writerOf(agents, 'ada')
  })
  after(async () => {
    ada?.stream.close()
    await agents?.close()
  })

  const scripted = (title: () => ReturnType<Script['answer']>, answer: () => ReturnType<Script['answer']>): Script =>
    setScript({ titles: true, answer: ({ model }) => (model === 'small-model' ? title() : answer()) })
  const titled = (chat: string, title: string) =>
    ada.stream.until(({ name, data }) => name === 'chat.updated' && data['chat_id'] === chat && (data['chat'] as Json)['title'] === title)
  const chatCompletion = async (model: string): Promise<Json> => {
    const { status, body } = await ada.person.request('POST', '/v1/chat/completions', {
      model,
      messages: [{ role: 'user', content: 'Rome?' }],
    })
    expect(status).to.equal(200)
    return ((body['choices'] as readonly Json[])[0] as Json)['message'] as Json
  }

  it('shows it apart, streams it as reasoning, does not send it back, and names the chat after what follows', async () => {
    const script = scripted(
      () => says(...pieces),
      () => says(...pieces),
    )
    const chat = await ada.person.newChat()
    await ada.write(chat, 'Rome in three days?')
    await titled(chat, 'Three days in Rome: start at the Forum')
    const [, answer] = await ada.list(chat)
    expect(answer?.content).to.deep.equal([
      { type: 'reasoning', text: 'The person asks about Rome. Keep it short.\n' },
      { type: 'text', text: 'Three days in Rome: start at the Forum.' },
    ])
    const deltas = ada.stream.events.filter(({ data }) => data['message_id'] === answer?.id)
    const streamed = (name: string): string => deltas.flatMap((event) => (event.name === name ? [String(event.data['text'])] : [])).join('')
    expect(streamed('reasoning.delta')).to.equal('The person asks about Rome. Keep it short.\n')
    expect(streamed('text.delta')).to.equal('Three days in Rome: start at the Forum.')
    await ada.write(chat, 'And then?')
    const texts = JSON.stringify(script.requests.at(-1)?.messages.flatMap(({ content }) => content.filter(({ type }) => type === 'text')))
    expect(texts).to.contain('start at the Forum').and.not.contain('think')
  })

  it('keeps the first words as its title if nothing follows within the limit', async () => {
    const asked = createGate()
    scripted(
      () => {
        asked.open()
        return ends('<think>\nThe person wants a title, and I', 'length')
      },
      () => says('Take the train.'),
    )
    const chat = await ada.person.newChat()
    await ada.write(chat, 'How do I get there?')
    await asked.opened
    // The title of the next chat is made after the one before it was given up.
    scripted(
      () => says('The next'),
      () => says('Yes.'),
    )
    const next = await ada.person.newChat()
    await ada.write(next, 'Hello')
    await titled(next, 'The next')
    expect((await ada.person.request('GET', `/api/chats/${chat}`)).body['title']).to.equal('How do I get there?')
  })

  it('never takes its title from reasoning that only has its end', async () => {
    scripted(
      () => says(unopened),
      () => says('Yes.'),
    )
    const chat = await ada.person.newChat()
    await ada.write(chat, 'Hello')
    await titled(chat, 'Three days')
  })

  it('gives it to callers of /v1 as reasoning, in one piece and as a stream', async () => {
    scripted(
      () => says('x'),
      () => says(...pieces),
    )
    expect(await chatCompletion('unknown')).to.include({
      content: 'Three days in Rome: start at the Forum.',
      reasoning_content: 'The person asks about Rome. Keep it short.\n',
    })
    const answer = await fetch(`${agents.kernel.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.person.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'unknown', stream: true, messages: [{ role: 'user', content: 'Rome?' }] }),
    })
    const deltas = (await answer.text()).split('\n').flatMap((line) => {
      const data = line.startsWith('data: {') ? (JSON.parse(line.slice(6)) as { readonly choices?: readonly Json[] }) : undefined
      return (data?.choices ?? []).map((choice) => choice['delta'] as Json)
    })
    const joined = (member: string): string => deltas.map((delta) => delta[member] ?? '').join('')
    expect(joined('content')).to.equal('Three days in Rome: start at the Forum.')
    expect(joined('reasoning_content')).to.equal('The person asks about Rome. Keep it short.\n')
  })

  it('knows which models begin without the opening tag, and asks the setting for others', async () => {
    scripted(
      () => says('x'),
      () => says(unopened),
    )
    const split = { content: 'Three days.', reasoning_content: 'Okay, the person asks.\n' }
    expect(await chatCompletion('known')).to.include(split)
    expect(await chatCompletion('always')).to.include(split)
    for (const model of ['unknown', 'never']) expect(await chatCompletion(model), model).to.include({ content: unopened })
    scripted(
      () => says('x'),
      () => says('<think>a</think>b'),
    )
    expect(await chatCompletion('never')).to.include({ content: '<think>a</think>b' })
  })

  it('loses no answer of a known model that did not reason', async () => {
    scripted(
      () => says('x'),
      () => says('Three ', 'days.'),
    )
    expect(await chatCompletion('known')).to.include({ content: 'Three days.' })
  })

  it('leaves it out of the history of answers that were stored with it', async () => {
    scripted(
      () => says('x'),
      () => says('<think>\nOld.\n</think>\n\nRome.'),
    )
    const { body } = await ada.person.request('POST', '/api/chats', { title: 'Old' })
    const chat = String(body['id'])
    expect((await ada.person.request('PATCH', `/api/chats/${chat}`, { model: 'never' })).status).to.equal(200)
    await ada.write(chat, 'One')
    const script = scripted(
      () => says('x'),
      () => says('Two.'),
    )
    await ada.write(chat, 'Two')
    const shown = script.requests.at(-1)?.messages.find(({ role }) => role === 'assistant')
    expect(shown?.content).to.deep.equal([{ type: 'text', text: 'Rome.' }])
  })
})
