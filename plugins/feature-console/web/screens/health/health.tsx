import './health.css'
import {
  Button,
  ButtonLink,
  bytesText,
  durationText,
  Failure,
  hasScreen,
  language,
  momentText,
  numberText,
  Page,
  Skeleton,
  StateBadge,
  StateMark,
  whenText,
  whileVisible,
} from '@agent-service/sdk/web'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { api, createQuery } from '../../api/index.js'
import { findingText, titleText } from './check-words.js'
import { attentionIn, type Check, type Health as HealthState, type Item, type Report, readReport } from './read-health.js'
import { t } from './texts.js'

const everyMs = 10_000
const marks = { well: 'done', warning: 'warn', failed: 'fail' } as const

/** How the service does, each part with its state and what to do. Read again every ten seconds. */
export default function Health(): JSX.Element {
  const report = createQuery({ key: () => ['health'], read: readReport })
  whileVisible(everyMs, () => void report.reload())
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <ButtonLink href="/admin/logs" icon="file-text">
            {t('open_logs')}
          </ButtonLink>
          <ButtonLink href="/admin/plugins" icon="plug">
            {t('open_plugins')}
          </ButtonLink>
        </>
      }
    >
      <Show when={report.error()}>{(error) => <Failure error={error()} onRetry={() => void report.reload()} />}</Show>
      <Show when={report.value()} fallback={<Show when={report.error() === undefined}>{<Skeleton lines={10} />}</Show>}>
        {(found) => (
          <>
            <Summary report={found()} />
            <div class="health-two">
              <div>
                <Parts report={found()} />
                <Checks />
              </div>
              <Figures health={found().health} />
            </div>
          </>
        )}
      </Show>
    </Page>
  )
}

function Summary(props: { readonly report: Report }): JSX.Element {
  const count = (): number => attentionIn(props.report)
  return (
    <section class="health-summary" classList={{ warn: count() > 0 }} role="status">
      <StateMark mark={props.report.health.impaired !== null ? 'fail' : count() > 0 ? 'warn' : 'done'}>
        <b>{count() > 0 ? t('attention', { count: count() }) : t('all_well')}</b>
      </StateMark>
      <span class="t2">{t(count() > 0 ? 'attention_text' : 'all_well_text')}</span>
    </section>
  )
}

function Parts(props: { readonly report: Report }): JSX.Element {
  const own = (): readonly Item[] => {
    const { impaired, reason, database, configuration } = props.report.health
    const settings = { href: '/admin/settings', label: t('open_settings') }
    return [
      {
        ...{ id: 'service', title: impaired === null ? t('ready') : t('impaired'), state: impaired === null ? 'well' : 'failed' },
        ...(reason !== null && { reason }),
      },
      {
        ...{ id: 'database', title: `${database.driver}${database.writable ? ` ${t('writable')}` : ''}` },
        state: database.writable ? 'well' : 'failed',
        ...(database.reason !== null && { reason: database.reason, todo: t('database_todo') }),
      },
      ...configuration.warnings.map(
        (reason): Item => ({ id: reason, title: t('configuration'), state: 'warning', reason, link: settings }),
      ),
    ]
  }
  const plugins = (): readonly Item[] => [
    {
      ...{ id: 'running', title: pluginsText(props.report), state: 'well' },
      link: { href: '/admin/plugins', label: t('open_plugins') },
    },
    ...props.report.plugins,
  ]
  return (
    <>
      <Part title={t('service')} items={own()} />
      <Part title={t('plugins')} items={plugins()} />
      <Show when={props.report.providers.length > 0}>
        <Part title={t('providers')} items={props.report.providers} />
      </Show>
      <Show when={props.report.sandbox.length > 0}>
        <Part title={t('sandbox')} items={props.report.sandbox} />
      </Show>
    </>
  )
}

/** What needs attention comes first. */
const urgentFirst = (items: readonly Item[]): readonly Item[] =>
  [...items].sort((one, other) => Number(one.state === 'well') - Number(other.state === 'well'))

function Part(props: { readonly title: string; readonly items: readonly Item[] }): JSX.Element {
  return (
    <section class="health-part">
      <h2 class="h3">{props.title}</h2>
      <ul class="rows">
        <For each={urgentFirst(props.items)}>
          {(item) => (
            <li class="health-item">
              <StateMark mark={marks[item.state]}>
                <span class="sr">{t(item.state)}: </span>
              </StateMark>
              <div class="grow">
                <bdi>{item.title}</bdi>
                <Show when={item.reason}>
                  {(reason) => (
                    <p class="t2" lang={findingText(reason()).lang}>
                      {findingText(reason()).text}
                    </p>
                  )}
                </Show>
                <Show when={item.todo}>
                  <p>{item.todo}</p>
                </Show>
              </div>
              <Show when={item.link && hasScreen(item.link.href) && item.link}>
                {(link) => (
                  <ButtonLink href={link().href} size="small" kind="quiet">
                    {link().label}
                  </ButtonLink>
                )}
              </Show>
            </li>
          )}
        </For>
      </ul>
    </section>
  )
}

function Checks(): JSX.Element {
  // They take the service some work, so they run when they are asked for.
  const checks = createQuery({
    key: () => ['checks'],
    follow: false,
    read: (signal) => api.post('/api/admin/health/checks', { signal }),
  })
  return (
    <section class="health-part">
      <header class="health-head">
        <h2 class="h3">{t('checks')}</h2>
        <Show when={checks.value()}>{(found) => <span class="meta">{t('checks_at', { time: whenText(found().at) })}</span>}</Show>
        <Button size="small" icon="refresh" busy={checks.isLoading()} onClick={() => void checks.reload()}>
          {checks.isLoading() ? t('checking') : t('run')}
        </Button>
      </header>
      <p class="help health-note">{t('checks_text')}</p>
      <Show when={checks.error()}>{(error) => <Failure error={error()} onRetry={() => void checks.reload()} />}</Show>
      <Switch>
        <Match when={checks.value()}>
          {(found) => (
            <ul class="rows">
              <For each={found().checks}>{(check) => <CheckRow check={check} />}</For>
            </ul>
          )}
        </Match>
        <Match when={checks.isLoading()}>
          <Skeleton lines={5} />
        </Match>
      </Switch>
    </section>
  )
}

const worstOf = ({ findings }: Check): 'well' | 'warning' | 'failed' =>
  (['failed', 'warning'] as const).find((state) => findings.some((finding) => finding.state === state)) ?? 'well'

function CheckRow(props: { readonly check: Check }): JSX.Element {
  return (
    <li class="health-check">
      <div>
        <b>
          <bdi>{titleText(props.check.title).text}</bdi>
        </b>
        <StateBadge mark={marks[worstOf(props.check)]}>{t(worstOf(props.check))}</StateBadge>
      </div>
      <ul>
        <For each={props.check.findings}>
          {(finding) => (
            <li class={finding.state === 'well' ? 't2' : ''} lang={findingText(finding.text).lang}>
              <Show when={finding.state !== 'well'}>
                <StateMark mark={marks[finding.state]}>
                  <span class="sr" lang={language()}>
                    {t(finding.state)}:{' '}
                  </span>
                </StateMark>
              </Show>
              <span>{findingText(finding.text).text}</span>
            </li>
          )}
        </For>
      </ul>
    </li>
  )
}

function Figures(props: { readonly health: HealthState }): JSX.Element {
  const rows = (): readonly (readonly [string, string])[] => {
    const { version, started_at: startedAt, process, disk, configuration } = props.health
    const { event_loop: loop } = process
    return [
      [t('version'), version],
      [t('started'), t('started_for', { time: momentText(startedAt), duration: durationText(Date.now() - Date.parse(startedAt)) })],
      [t('memory'), bytesText(process.resident_bytes)],
      [t('heap'), t('of', { used: bytesText(process.heap_used_bytes), max: bytesText(process.heap_limit_bytes) })],
      [
        t('event_loop'),
        t('busy', {
          share: numberText(loop.utilization, { style: 'percent', maximumFractionDigits: 0 }),
          delay: numberText(loop.delay_ms, { style: 'unit', unit: 'millisecond', unitDisplay: 'short', maximumFractionDigits: 1 }),
        }),
      ],
      [t('cpu'), durationText(process.cpu_ms)],
      [t('load'), t('load_of', { load: numberText(process.load, { maximumFractionDigits: 1 }), count: process.processors })],
      [
        t('machine_memory'),
        t('of', { used: bytesText(process.memory_bytes - process.memory_free_bytes), max: bytesText(process.memory_bytes) }),
      ],
      [
        t('disk'),
        disk === null ? t('disk_unknown') : t('disk_free', { free: bytesText(disk.free_bytes), total: bytesText(disk.total_bytes) }),
      ],
      [t('configuration'), configuration.exists ? configuration.path : t('configuration_defaults')],
      [t('node'), `Node ${process.node}, ${process.platform}`],
      [t('process'), String(process.pid)],
    ]
  }
  return (
    <dl class="health-figures">
      <For each={rows()}>
        {([label, value]) => (
          <div>
            <dt>{label}</dt>
            <dd class="num">
              <bdi>{value}</bdi>
            </dd>
          </div>
        )}
      </For>
    </dl>
  )
}

/** `25 plugins run, 34 more start when they are used`. */
const pluginsText = ({ running, ready }: Report): string =>
  [t('plugins_running', { count: running }), ...(ready > 0 ? [t('plugins_ready', { count: ready })] : [])].join(', ')
