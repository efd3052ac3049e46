import { durationText, Mark, agentName as shownName } from '@agent-service/sdk/web'
import { createMemo, createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { agentOf, knownModels } from '../choices/choices.js'
import type { ChatState, Message } from '../live-chat/chat-state.js'
import { t } from './texts.js'

/** From when on seconds are shown, and from when on silence is said to be one. */
const secondsFromMs = 2_000
const silenceFromMs = 30_000

/** What of a run in progress is to be seen: words or calls that say it themselves, or nothing yet. */
type Sight = 'thinking' | 'waiting' | 'words' | 'calls'

/** Whether a part has something to show: reasoning without words has nothing. */
export function hasWords(chat: ChatState, message: Message, index: number): boolean {
  const part = message.content[index]
  if (part?.type !== 'text' && part?.type !== 'reasoning') return true
  return message.status === 'open' ? chat.texts.shown(message.id, index) !== '' : part.text !== ''
}

/** What is to be seen of a run in progress; undefined while it waits for the person. */
function sightOf(chat: ChatState, messages: readonly Message[]): Sight | undefined {
  if (Object.values(chat.state.asked).some(({ status }) => status === 'pending')) return undefined
  const said = messages.findLast(({ role }) => role === 'assistant')
  const works = said?.content.some((part) => part.type === 'tool_call' && chat.state.calls[part.call_id]?.result === undefined)
  if (works) return 'calls'
  if (said?.status !== 'open' || said !== messages.at(-1)) return 'waiting'
  const last = said.content.length - 1
  if (last >= 0 && hasWords(chat, said, last)) return 'words'
  return said.content[last]?.type === 'reasoning' ? 'thinking' : 'waiting'
}

/** When something of the run last came, as the service tells it after a reload. */
function knownTime(chat: ChatState, runId: string, messages: readonly Message[]): number {
  const { started_at = null, created_at } = chat.facts.run(runId) ?? {}
  const calls = messages.flatMap(({ content }) =>
    content.flatMap((part) => {
      const { startedAt, finishedAt } = (part.type === 'tool_call' && chat.state.calls[part.call_id]) || {}
      return [startedAt ?? 0, finishedAt ?? 0]
    }),
  )
  const moments = [started_at, created_at, ...messages.map((message) => message.created_at)]
  return Math.max(0, ...calls, ...moments.flatMap((moment) => (typeof moment === 'string' ? Date.parse(moment) : [])))
}

/** The name of the model that is asked. */
function askedModel(chat: ChatState, runId: string): string {
  const group = chat.facts.run(runId)?.model_group ?? chat.state.chat?.model ?? agentOf(chat.state.chat?.agent_id)?.model_group
  return knownModels().find(({ name }) => name === group)?.title ?? t('the_model')
}

/**
 * What a run in progress does while none of its words come, at once and with the seconds since
 * something last came. It stands where the next words will, in as much space, so that nothing moves
 * when they come; below words and calls it only says that there is silence, in space that is free.
 */
export function Pulse(props: { readonly chat: ChatState; readonly runId: string; readonly messages: readonly Message[] }): JSX.Element {
  const shownAt = Date.now()
  const [now, setNow] = createSignal(shownAt)
  const timer = setInterval(() => setNow(Date.now()), 1_000)
  onCleanup(() => clearInterval(timer))
  const sight = createMemo(() => sightOf(props.chat, props.messages))
  const since = (): number => {
    const known = knownTime(props.chat, props.runId, props.messages)
    return props.chat.heardAt() ?? (known > 0 ? Math.min(known, shownAt) : shownAt)
  }
  const passed = (): number => Math.max(0, now() - since())
  const isSilent = (): boolean => passed() >= silenceFromMs
  const doing = (): string => {
    if (props.chat.state.stopping) return t('stopping')
    return sight() === 'thinking' ? t('thinking') : t('waiting', { model: askedModel(props.chat, props.runId) })
  }
  const isNext = (): boolean => sight() === 'thinking' || sight() === 'waiting'
  const time = (): string => durationText(Math.floor(passed() / 1_000) * 1_000)
  return (
    <Show when={sight() !== undefined && (isNext() || isSilent())}>
      <div class="chat-pulse" classList={{ step: isNext(), below: !isNext() }}>
        <Mark name="think" />
        <span class="t2 small num">
          {isSilent() ? t('silent', { time: time() }) : doing()}
          <Show when={!isSilent() && passed() >= secondsFromMs}>
            <span class="t3"> {time()}</span>
          </Show>
        </span>
      </div>
    </Show>
  )
}

/** The turn of a run of which there is no message yet; it looks as the turn that will replace it. */
export function ComingTurn(props: { readonly chat: ChatState; readonly runId: string }): JSX.Element {
  const agentName = (): string =>
    shownName(agentOf(props.chat.facts.run(props.runId)?.agent_id ?? props.chat.state.chat?.agent_id)?.name ?? t('agent'))
  return (
    <article class="turn agent" data-run={props.runId}>
      <div class="run">
        <Pulse chat={props.chat} runId={props.runId} messages={[]} />
      </div>
      <div class="note">
        <b class="cut">
          <bdi>{agentName()}</bdi>
        </b>
      </div>
    </article>
  )
}
