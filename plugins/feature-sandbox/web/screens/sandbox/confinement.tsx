import { bytesText, durationText, Failure, language, numberText, Skeleton, StateBadge } from '@agent-service/sdk/web'
import { sandboxReasonText } from '@agent-service/sdk/web/words'
import { For, type JSX, Show } from 'solid-js'
import { api, createQuery, type Schemas } from '../../api/index.js'
import { t } from './texts.js'

const fences = ['files', 'processes', 'network', 'destinations', 'limits'] as const
const marks = { closed: 'done', partial: 'warn', open: 'fail' } as const

/** What confines on this machine and what does not: each way out with its reason. */
export function Confinement(): JSX.Element {
  const status = createQuery({ key: () => ['status'], read: (signal) => api.get('/api/sandbox', { signal }) })
  return (
    <Show
      when={status.value()}
      fallback={
        <Show when={status.error()} fallback={<Skeleton lines={8} />}>
          {(error) => <Failure error={error()} onRetry={() => void status.reload()} />}
        </Show>
      }
    >
      {(found) => (
        <>
          <p>
            <StateBadge mark={isConfined(found()) ? 'done' : 'fail'}>{isConfined(found()) ? t('confined') : t('not_confined')}</StateBadge>
          </p>
          <section class="sandbox-part">
            <h2>{t('ways_out')}</h2>
            <Show when={found().fences} fallback={<Reason text={found().reason ?? t('no_driver')} />}>
              {(known) => (
                <ul class="rows">
                  <For each={fences}>
                    {(name) => <Fence name={name} fence={name === 'files' && found().disabled ? liftedFence() : known()[name]} />}
                  </For>
                </ul>
              )}
            </Show>
          </section>
          <Numbers status={found()} />
        </>
      )}
    </Show>
  )
}

const isConfined = ({ confines, disabled }: Schemas['SandboxStatus']): boolean => confines && !disabled

/** The report says what the machine could close; `sandbox.disabled` opens the files again. */
const liftedFence = (): Schemas['SandboxFence'] => ({ state: 'open', by: '', reason: t('files_lifted') })

/** A reason of a driver; one that only the driver knows stays in English, and is marked so. */
function Reason(props: { readonly text: string }): JSX.Element {
  const isOurs = (): boolean => props.text === t('no_driver') || props.text === t('files_lifted')
  const found = () => (isOurs() ? { text: props.text, lang: language() } : sandboxReasonText(props.text))
  return <p lang={found().lang}>{found().text}</p>
}

function Fence(props: { readonly name: (typeof fences)[number]; readonly fence: Schemas['SandboxFence'] }): JSX.Element {
  return (
    <li class="sandbox-fence">
      <div>
        <StateBadge mark={marks[props.fence.state]}>{t(`state_${props.fence.state}`)}</StateBadge>
      </div>
      <div>
        <h3>{t(`fence_${props.name}`)}</h3>
        <p>{t(`fence_${props.name}_text`)}</p>
        <Show when={props.fence.reason !== ''}>
          <Reason text={props.fence.reason} />
        </Show>
        <Show when={props.fence.by !== ''}>
          <span class="meta">
            {t('closed_by')} <bdi lang="en">{props.fence.by}</bdi>
          </span>
        </Show>
      </div>
    </li>
  )
}

function Numbers(props: { readonly status: Schemas['SandboxStatus'] }): JSX.Element {
  const percent = (value: number): string => numberText(value / 100, { style: 'percent' })
  const rows = (): readonly (readonly [string, string])[] => {
    const { driver, mode, limits, machine } = props.status
    return [
      [t('driver'), driver ?? t('none')],
      [t('mode'), mode === 'none' ? t('none') : mode],
      [t('network_by_default'), limits.default_network_access ? t('permitted') : t('forbidden')],
      [t('max_cpu'), percent(limits.max_cpu_pct)],
      [t('max_memory'), percent(limits.max_memory_pct)],
      [t('max_total_cpu'), percent(limits.max_total_cpu_pct)],
      [t('max_total_memory'), percent(limits.max_total_memory_pct)],
      [t('timeout'), limits.timeout_secs === 0 ? t('no_limit') : durationText(limits.timeout_secs * 1_000)],
      ...(machine === null
        ? []
        : ([
            [t('processors'), numberText(machine.processors)],
            [t('memory'), bytesText(machine.memory_bytes)],
            [t('running_now'), t('running_of', { processes: machine.running, agents: machine.principals })],
          ] as const)),
    ]
  }
  return (
    <section class="sandbox-part">
      <h2>{t('numbers')}</h2>
      <FactList rows={rows()} />
    </section>
  )
}

/** Names and values. */
export function FactList(props: { readonly rows: readonly (readonly [string, string])[] }): JSX.Element {
  return (
    <dl class="sandbox-facts">
      <For each={props.rows}>
        {([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        )}
      </For>
    </dl>
  )
}
