import {
  applyConfiguration,
  Button,
  confirmAction,
  createAction,
  Failure,
  type MarkName,
  momentText,
  SelectField,
  StateMark,
  showToast,
  whenText,
} from '@agent-service/sdk/web'
import { type Configuration, lockOf, saveConfiguration } from '@agent-service/sdk/web/configuration'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, invalidate, type Schemas } from '../../api/index.js'
import type { Backend } from './backends.js'
import { t } from './texts.js'

type Migration = Schemas['MemoryMigration']
type State = Migration['state']

interface MoveProps {
  readonly inUse: string
  readonly backends: readonly Backend[]
  readonly configuration: Configuration
  readonly migration: Migration | null
  /** While the service restarts, nothing else is asked of it. */
  readonly onRestarting: (isRestarting: boolean) => void
}

const marks: Readonly<Record<State, MarkName>> = {
  copying: 'run',
  ready: 'next',
  finishing: 'run',
  cleaning: 'run',
  undoing: 'run',
  done: 'done',
  failed: 'fail',
}

/** The move of all memories to another back end: begin, watch, activate, give up. */
export function Move(props: MoveProps): JSX.Element {
  const step = createAction((_: 'begin' | 'activate' | 'give_up', work: () => Promise<void>) => work())
  const busy = () => step.given()?.[0]
  const attempt = async (...given: Parameters<typeof step.run>): Promise<void> => {
    await step.run(...given)
    invalidate(['status'], ['migration'], ['backends'])
  }
  const begin = (to: string): Promise<void> =>
    attempt('begin', async () => {
      await api.post('/api/admin/memory/migration', { body: { to } })
      showToast(t('begun'))
    })
  const activate = (to: string): Promise<void> =>
    attempt('activate', async () => {
      props.onRestarting(true)
      try {
        if (await saveConfiguration({ set: { 'memory.backend': to } })) await applyConfiguration()
      } finally {
        props.onRestarting(false)
      }
    })
  const giveUp = async ({ from, to }: Migration): Promise<void> => {
    const question = { title: t('give_up_question', { to }), text: t('give_up_text', { from }), action: t('give_up'), keep: t('keep') }
    if (!(await confirmAction(question))) return
    await attempt('give_up', async () => {
      await api.delete('/api/admin/memory/migration')
      showToast(t('given_up'))
    })
  }
  const isUnderWay = (): boolean => {
    const state = props.migration?.state
    return state !== undefined && state !== 'done' && state !== 'failed'
  }
  return (
    <section class="admin-memory-part" aria-labelledby="memory-move">
      <h2 class="h3" id="memory-move">
        {t('move')}
      </h2>
      <p class="help">{t('move_text')}</p>
      <Show when={props.migration}>
        {(migration) => (
          <Progress
            migration={migration()}
            inUse={props.inUse}
            lockedBy={lockOf(props.configuration, 'memory.backend')}
            busy={busy()}
            onActivate={() => void activate(migration().to)}
            onGiveUp={() => void giveUp(migration())}
          />
        )}
      </Show>
      <Show when={step.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={!isUnderWay()}>
        <Begin
          choices={props.backends.filter(({ value }) => value !== props.inUse)}
          again={props.migration?.state === 'failed' ? props.migration.to : undefined}
          busy={busy() === 'begin'}
          onBegin={(to) => void begin(to)}
        />
      </Show>
    </section>
  )
}

function Progress(props: {
  readonly migration: Migration
  readonly inUse: string
  /** The variable that sets the back end. */
  readonly lockedBy: string | undefined
  readonly busy: string | undefined
  readonly onActivate: () => void
  readonly onGiveUp: () => void
}): JSX.Element {
  const names = () => ({ from: props.migration.from, to: props.migration.to })
  const mayGiveUp = (): boolean => {
    const { state, from } = props.migration
    return state === 'copying' || state === 'ready' || state === 'failed' || (state === 'finishing' && props.inUse === from)
  }
  return (
    <div class="admin-memory-move" role="status">
      <StateMark mark={marks[props.migration.state]}>
        <b>{t(`state_${props.migration.state}`, names())}</b>
      </StateMark>
      <p class="t2 small">
        <span>{t('progress', { users: props.migration.users, records: props.migration.records })}</span>
        <span title={momentText(props.migration.updated_at)}>{t('updated', { when: whenText(props.migration.updated_at) })}</span>
        <Show when={props.migration.failed > 0}>
          <span class="admin-memory-error">{t('failed_users', { count: props.migration.failed })}</span>
        </Show>
      </p>
      <Show when={props.migration.error}>
        <p class="small admin-memory-error" lang="en">
          {props.migration.error}
        </p>
      </Show>
      <Show when={props.migration.state === 'ready'}>
        <Show when={props.lockedBy} fallback={<p class="small">{t('activate_text', names())}</p>}>
          {(variable) => <p class="small">{t('locked', { variable: variable(), to: props.migration.to })}</p>}
        </Show>
      </Show>
      <div class="admin-memory-do">
        <Show when={props.migration.state === 'ready' && props.lockedBy === undefined}>
          <Button kind="main" busy={props.busy === 'activate'} onClick={() => props.onActivate()}>
            {t(props.busy === 'activate' ? 'activating' : 'activate', names())}
          </Button>
        </Show>
        <Show when={mayGiveUp()}>
          <Button kind="danger" busy={props.busy === 'give_up'} disabled={props.busy === 'activate'} onClick={() => props.onGiveUp()}>
            {t('give_up')}
          </Button>
        </Show>
      </div>
    </div>
  )
}

function Begin(props: {
  readonly choices: readonly Backend[]
  /** The back end of the move that failed. */
  readonly again: string | undefined
  readonly busy: boolean
  readonly onBegin: (to: string) => void
}): JSX.Element {
  const [chosen, setChosen] = createSignal<string>()
  const to = (): Backend | undefined => props.choices.find(({ value }) => value === (chosen() ?? props.again)) ?? props.choices[0]
  return (
    <Show when={to()} fallback={<p>{t('no_other')}</p>}>
      {(backend) => (
        <form
          class="admin-memory-form"
          onSubmit={(event) => {
            event.preventDefault()
            props.onBegin(backend().value)
          }}
        >
          <SelectField
            label={t('to')}
            value={backend().value}
            onInput={setChosen}
            choices={props.choices.map(({ value, title }) => ({ value, label: title === value ? value : `${title} (${value})` }))}
            help={<span lang={backend().isForeign ? 'en' : undefined}>{backend().text}</span>}
          />
          <Button type="submit" busy={props.busy}>
            {t(props.again === backend().value ? 'try_again' : 'begin', { to: backend().value })}
          </Button>
        </form>
      )}
    </Show>
  )
}
