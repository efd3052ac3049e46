import './ask-card.css'
import { Button, createAction, ErrorWords, Icon, isTyping, Mark, newId, visibleJson, visibleLine, whenText } from '@agent-service/sdk/web'
import { createSignal, createUniqueId, For, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { api } from '../../api/index.js'
import type { Asked } from '../../live-chat/read-asked.js'
import { AskedCall, isTold } from './asked-call.js'
import { cardKey } from './card-key.js'
import { t } from './texts.js'

type Decision = 'approve' | 'approve_once' | 'deny' | 'answer'

/** What the person is at: the choice between the answers, what is allowed from now on, or the reason of a denial. */
type Step = 'choosing' | 'allowing' | 'denying'

/**
 * What the agent asks: may it call a tool, or a question of its own. Answered in place; nothing is
 * the default on Enter. Approving is for this one call; what is allowed from now on is chosen from
 * a list, in words. `given`: the arguments of the call as its message has them.
 */
export function AskCard(props: {
  readonly asked: Asked
  readonly given: Readonly<Record<string, unknown>> | undefined
  readonly onAnswered: (asked: Asked) => void
}): JSX.Element {
  const id = createUniqueId()
  /** The same answer keeps its key when it is sent again. */
  const keys = new Map<string, string>()
  const keyOf = (answer: string): string => {
    const key = keys.get(answer) ?? newId()
    keys.set(answer, key)
    return key
  }
  const [note, setNote] = createSignal('')
  const [step, setStep] = createSignal<Step>('choosing')
  /** The step that was left: its button has the focus again. */
  let left: Step = 'choosing'
  const go = (to: Step): void => {
    left = step()
    setStep(to)
  }
  const focusAfter = (of: Step) => (element: HTMLElement) => queueMicrotask(() => left === of && element.focus())
  const [scope, setScope] = createSignal<string>()
  const answering = createAction(async (decision: Decision, text: string, allowed?: string) => {
    const { run_id, call_id } = props.asked
    const answered = await api.post('/api/runs/{run_id}/approvals/{call_id}', {
      path: { run_id, call_id },
      body: { decision, ...(text !== '' && { note: text }), ...(allowed !== undefined && { scope: allowed }) },
      idempotencyKey: keyOf(JSON.stringify([decision, text, allowed])),
    })
    props.onAnswered(answered)
  })
  const isBusy = (decision: Decision): boolean => answering.given()?.[0] === decision
  let card: HTMLElement | undefined
  /** What had the focus before the card; it has it again after the answer. */
  let cameFrom: HTMLElement | undefined
  const onFocusIn = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof HTMLElement && !card?.contains(relatedTarget)) cameFrom = relatedTarget
  }
  onCleanup(() => {
    if (card?.contains(document.activeElement) && cameFrom?.isConnected) cameFrom.focus({ preventScroll: true })
  })
  /** What a key does here; undefined: nothing. */
  const actionOf = (key: string): (() => void) | undefined => {
    if (key === 'Escape') return step() === 'choosing' ? undefined : () => go('choosing')
    if (props.asked.kind === 'question') {
      const option = /^[1-9]$/.test(key) ? props.asked.options[Number(key) - 1] : undefined
      return option === undefined ? undefined : () => void answering.run('answer', option)
    }
    if (step() !== 'choosing') return undefined
    return { a: () => void answering.run('approve_once', ''), d: () => go('denying') }[key.toLowerCase()]
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    if (event.key !== 'Escape' && isTyping(event.target)) return
    const act = actionOf(event.key)
    if (!act) return
    event.preventDefault()
    act()
  }
  const noteField = (label: string): JSX.Element => (
    <textarea
      class="chat-note-field"
      rows={2}
      ref={(element) => queueMicrotask(() => step() === 'denying' && element.focus())}
      aria-label={label}
      placeholder={label}
      value={note()}
      onInput={(event) => setNote(event.currentTarget.value)}
    />
  )
  /** Whether it offers keys: a question without choices has a field alone. */
  const hasKeys = (): boolean => props.asked.kind === 'approval' || props.asked.options.length > 0
  const isCut = (): boolean => props.asked.arguments_cut && whole() === undefined
  /** The arguments in full where the approval has them shortened and the message has arrived. */
  const whole = () =>
    props.asked.arguments_cut && JSON.stringify(props.given ?? {}).length > JSON.stringify(props.asked.arguments).length
      ? props.given
      : undefined
  return (
    <section
      class="ask"
      ref={(element) => {
        card = element
      }}
      aria-labelledby={id}
      tabindex="-1"
      data-keys={hasKeys() ? '' : undefined}
      onFocusIn={onFocusIn}
      onKeyDown={onKeyDown}
    >
      <div class="ask-body">
        <h2 class="h3 foreign" id={id}>
          <AskedCall asked={props.asked} />
        </h2>
        <Show when={props.asked.kind === 'approval'}>
          {/* Where nothing tells the call in words, all of it is there at once. */}
          <details class="fold" open={!isTold(props.asked)}>
            <summary>
              {t('details')}
              <Icon name="chevron-right" flip />
            </summary>
            <pre class="foreign" tabindex="0" translate="no">{`${props.asked.tool} ${visibleJson(whole() ?? props.asked.arguments)}`}</pre>
            <Show when={isCut()}>
              <p class="help">{t('arguments_cut')}</p>
            </Show>
          </details>
        </Show>
        <Show when={step() === 'allowing'}>
          <ScopeChoice scopes={props.asked.scopes} value={scope()} onInput={setScope} />
        </Show>
        <Show when={props.asked.kind === 'question' || step() === 'denying'}>
          {noteField(props.asked.kind === 'question' ? t('your_answer') : t('reason'))}
        </Show>
        <Show when={answering.failure()}>
          {(cause) => (
            <p class="help err" role="alert">
              <Mark name="fail" />
              <ErrorWords error={cause()} />
            </p>
          )}
        </Show>
      </div>
      <footer>
        <Switch>
          <Match when={props.asked.kind === 'question'}>
            <For each={props.asked.options}>
              {(option, index) => (
                <Button onClick={() => void answering.run('answer', option)}>
                  {option}{' '}
                  <Show when={index() < 9}>
                    <kbd>{index() + 1}</kbd>
                  </Show>
                </Button>
              )}
            </For>
            <Button
              kind="main"
              busy={isBusy('answer')}
              disabled={note().trim() === ''}
              onClick={() => void answering.run('answer', note().trim())}
            >
              {t('answer')}
            </Button>
          </Match>
          <Match when={step() === 'denying'}>
            <Button kind="danger" busy={isBusy('deny')} onClick={() => void answering.run('deny', note().trim())}>
              {t('deny')}
            </Button>
            <Button kind="quiet" onClick={() => go('choosing')}>
              {t('back')}
            </Button>
          </Match>
          <Match when={step() === 'allowing'}>
            <Button
              kind="main"
              busy={isBusy('approve')}
              disabled={scope() === undefined}
              onClick={() => void answering.run('approve', '', scope())}
            >
              {t('approve_and_allow')}
            </Button>
            <Button kind="quiet" onClick={() => go('choosing')}>
              {t('back')}
            </Button>
          </Match>
          <Match when={true}>
            <Button kind="main" busy={isBusy('approve_once')} onClick={() => void answering.run('approve_once', '')}>
              {t('approve_once')} <kbd>A</kbd>
            </Button>
            <Show when={props.asked.scopes.length > 0}>
              <Button ref={focusAfter('allowing')} onClick={() => go('allowing')}>
                {t('always_allow')}
              </Button>
            </Show>
            <Button kind="quiet" ref={focusAfter('denying')} onClick={() => go('denying')}>
              {t('deny_with_reason')} <kbd>D</kbd>
            </Button>
          </Match>
        </Switch>
        <Show when={hasKeys()}>
          <span class="meta ask-hint">
            <kbd>{cardKey}</kbd> {t('answer_by_keys')}
          </span>
        </Show>
        <span class="meta">{t('expires', { time: whenText(props.asked.expires_at) })}</span>
      </footer>
    </section>
  )
}

/** What can be allowed from now on, the narrowest first, each in its own words; nothing is chosen before the person chooses. */
function ScopeChoice(props: {
  readonly scopes: Asked['scopes']
  readonly value: string | undefined
  readonly onInput: (key: string) => void
}): JSX.Element {
  const name = createUniqueId()
  return (
    <fieldset class="ask-scopes">
      <legend>{t('allow_from_now')}</legend>
      <For each={props.scopes}>
        {(scope, index) => (
          <label class="check">
            <input
              type="radio"
              name={name}
              ref={(element) => queueMicrotask(() => index() === 0 && element.focus())}
              checked={scope.key === props.value}
              onChange={() => props.onInput(scope.key)}
            />
            <bdi>{visibleLine(scope.label)}</bdi>
          </label>
        )}
      </For>
      <p class="help">{t('allow_from_now_help')}</p>
    </fieldset>
  )
}
