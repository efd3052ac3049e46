import {
  Button,
  confirmAction,
  createAction,
  errorText,
  Failure,
  Icon,
  isProblem,
  language,
  numberText,
  StateMark,
  showToast,
  Toggle,
  whenConfirmed,
} from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { DataActions, LeftBehind } from './left-data.js'
import { permissionReason } from './permissions-de.js'
import { effectsOf, hasSwitch, isOn, isUp, markOf, type Plugin, providerOf } from './plugin.js'
import { documentsIn, leftBehind, type StoredData } from './stored-data.js'
import { t } from './texts.js'
import { descriptionText, pluginReasonText } from './words-de.js'

/** The one that serves this page. */
const consoleId = 'feature-console'

/** One plugin: state, reason and what to do about it; the rest is folded. */
export function PluginRow(props: {
  readonly plugin: Plugin
  readonly all: readonly Plugin[]
  /** What it has stored and does not use. */
  readonly data: StoredData | undefined
  readonly onChanged: () => Promise<void>
}): JSX.Element {
  const switching = createAction((on: boolean) => (on ? enable(plugin().id) : disable(plugin().id, () => void switchTo(true))))
  /** Where the switch stands while its change is asked about and under way. */
  const [wanted, setWanted] = createSignal<boolean>()
  const plugin = () => props.plugin
  const switchTo = async (on: boolean): Promise<void> => {
    if (switching.busy()) return
    switching.clear()
    setWanted(on)
    if (on || (await mayDisable(plugin(), props.all))) {
      await switching.run(on)
      await props.onChanged()
    }
    setWanted(undefined)
  }
  return (
    <div class="plugins-row" data-plugin={plugin().id}>
      <div class="plugins-state">
        <StateMark mark={markOf(plugin())}>{plugin().state === 'active' && plugin().reason ? t('faulty') : t(plugin().state)}</StateMark>
      </div>
      <div class="plugins-what">
        <p>
          <b>
            <bdi>{plugin().id}</bdi>
          </b>{' '}
          <Show when={plugin().version !== 'unknown'}>{<span class="meta">{plugin().version}</span>}</Show>
        </p>
        <Show when={plugin().description}>
          <p class="t2" lang={descriptionText(plugin()).lang}>
            {descriptionText(plugin()).text}
          </p>
        </Show>
        <Show
          when={plugin().problems.length > 1}
          fallback={
            <Show when={plugin().reason}>
              {(reason) => (
                <p class="plugins-reason" lang={pluginReasonText(reason()).lang}>
                  {pluginReasonText(reason()).text}
                </p>
              )}
            </Show>
          }
        >
          <ul class="plugins-reason" lang={foreign()}>
            <For each={plugin().problems}>{(problem) => <li>{problem}</li>}</For>
          </ul>
        </Show>
        <Show when={advice(plugin())}>{(text) => <p class="help">{text()}</p>}</Show>
        <Show when={!['declared', 'invalid'].includes(plugin().state)}>
          <For each={plugin().locked.filter((reason) => reason !== plugin().reason)}>
            {(reason) => (
              <p class="help">
                {t('needed')} <span lang={pluginReasonText(reason).lang}>{pluginReasonText(reason).text}</span>
              </p>
            )}
          </For>
        </Show>
        <Show when={switching.failure()}>{(error) => <Refusal error={error()} />}</Show>
        <div class="plugins-actions">
          <Show when={['failed', 'retrying'].includes(plugin().state)}>
            <Button size="small" icon="refresh" busy={switching.busy()} onClick={() => void switchTo(true)}>
              {t('try_again')}
            </Button>
          </Show>
          <For each={plugin().settings}>
            {(path) => (
              <a class="plugins-link" href={settingsHref(path)}>
                <Icon name="adjustments-horizontal" />
                {t('settings', { path })}
              </a>
            )}
          </For>
        </div>
        <Show when={plugin().state === 'disabled' && props.data && documentsIn(props.data) + props.data.folders.length > 0 && props.data}>
          {(data) => <DataActions data={data()} onChanged={props.onChanged} />}
        </Show>
        <Show when={plugin().state === 'active' && props.data && leftBehind(props.data)}>
          {(data) => <LeftBehind data={data()} onChanged={props.onChanged} />}
        </Show>
        <Details plugin={plugin()} all={props.all} />
      </div>
      <div class="plugins-switch">
        <Show when={hasSwitch(plugin())} fallback={<NoSwitch plugin={plugin()} />}>
          <Toggle
            hideLabel
            label={t('enable', { id: plugin().id })}
            value={wanted() ?? isOn(plugin())}
            disabled={switching.busy()}
            onInput={(on) => void switchTo(on)}
          />
        </Show>
      </div>
    </div>
  )
}

/** English texts of the service on a page in another language. */
const foreign = (): 'en' | undefined => (language() === 'en' ? undefined : 'en')

const settingsHref = (path: string): string =>
  path.includes('.')
    ? `/admin/settings?section=plugins&setting=${encodeURIComponent(path)}`
    : `/admin/settings?section=${encodeURIComponent(path)}`

/** What a person can do about a state; the reason has the particulars. */
function advice({ state, source, reason }: Plugin): string | undefined {
  if (state === 'failed') return t(source === 'built-in' ? 'mend_failed' : 'mend_failed_other')
  if (state === 'invalid') return t('mend_invalid', { source })
  if (state === 'blocked') return t('mend_blocked')
  if (state === 'retrying') return t('mend_retrying')
  if (state === 'ready') return t('starts_when_used')
  return state === 'active' && reason !== null ? t('mend_faulty') : undefined
}

/** Asks where more than this plugin stops. */
async function mayDisable(plugin: Plugin, all: readonly Plugin[]): Promise<boolean> {
  const { stop, restart } = effectsOf(plugin, all)
  const effects = [
    plugin.id === consoleId ? t('disable_console') : '',
    stop.length > 0 ? t('disable_stops', { ids: stop.join(', ') }) : '',
    restart.length > 0 ? t('disable_restarts', { ids: restart.join(', ') }) : '',
  ].filter(Boolean)
  if (effects.length === 0) return true
  return await confirmAction({
    title: t('disable_title', { id: plugin.id }),
    text: effects.join(' '),
    action: t('disable', { id: plugin.id }),
  })
}

async function enable(id: string): Promise<void> {
  await whenConfirmed(t('confirm_reason'), async () => {
    const plugin = await api.post('/api/admin/plugins/{id}/enable', { path: { id } })
    if (isUp(plugin)) showToast(t('enabled', { id }))
  })
}

async function disable(id: string, undo: () => void): Promise<void> {
  await whenConfirmed(t('confirm_reason'), async () => {
    const { stopped } = await api.post('/api/admin/plugins/{id}/disable', { path: { id } })
    const others = stopped.filter((other) => other !== id)
    const text = others.length > 0 ? t('disabled_with', { id, ids: others.join(', ') }) : t('disabled_alone', { id })
    showToast(text, { action: { label: t('undo'), run: undo } })
  })
}

/** Why a switch was refused, with the way to what has to change. */
function Refusal(props: { readonly error: unknown }): JSX.Element {
  const problems = () => (isProblem(props.error) ? props.error.errors.filter(({ path }) => !path.startsWith('/')) : [])
  return (
    <div class="plugins-refusal" role="alert">
      <Failure error={new Error(errorText(props.error))} />
      <Show when={problems().length > 0}>
        <ul>
          <For each={problems()}>
            {({ path, message }) => (
              <li>
                <a href={`/admin/settings?section=${encodeURIComponent(path.split(/[.[]/)[0] ?? '')}&setting=${encodeURIComponent(path)}`}>
                  <bdi class="mono">{path}</bdi>
                </a>
                : <span lang={foreign()}>{message}</span>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </div>
  )
}

/** In the place of the switch. */
function NoSwitch(props: { readonly plugin: Plugin }): JSX.Element {
  const word = () => (props.plugin.state === 'invalid' ? t('unusable') : t('fixed'))
  return (
    <span class="plugins-fixed meta">
      <Icon name="lock" />
      {word()}
    </span>
  )
}

/** What it contributes, uses and may do. */
function Details(props: { readonly plugin: Plugin; readonly all: readonly Plugin[] }): JSX.Element {
  const plugin = () => props.plugin
  const keysAt = (point: string): readonly string[] => plugin().contributions.find((each) => each.point === point)?.keys ?? []
  const service = (id: string): string => {
    const provider = providerOf(id, props.all)
    return provider === undefined ? id : t('service_of', { service: id, plugin: provider })
  }
  return (
    <details class="fold plugins-details">
      <summary>
        <Icon name="chevron-right" />
        {t('details')}
      </summary>
      <dl>
        <dt>{t('contributes')}</dt>
        <dd>
          <Show when={plugin().contributes.length > 0} fallback={t('nothing')}>
            <ul>
              <For each={plugin().contributes}>
                {(point) => (
                  <li>
                    {pointText(point)} <bdi class="mono meta">{point}</bdi>
                    <Show when={keysAt(point).length > 0}>
                      <span class="plugins-keys">{keysAt(point).join(', ')}</span>
                    </Show>
                  </li>
                )}
              </For>
            </ul>
          </Show>
        </dd>
        <dt>{t('may')}</dt>
        <dd>
          <Show when={plugin().permissions.length > 0} fallback={t('may_nothing')}>
            <ul>
              <For each={plugin().permissions}>
                {({ kind, reason, targets = [], targetsFromConfiguration = [] }) => (
                  <li>
                    {permissionText(kind)}
                    <Show when={targets.length > 0}>
                      {': '}
                      <bdi class="mono">{targets.join(', ')}</bdi>
                    </Show>
                    <Show when={targetsFromConfiguration.length > 0}>
                      {' '}
                      ({t('from_settings', { paths: targetsFromConfiguration.join(', ') })})
                    </Show>
                    <span class="plugins-keys" lang={permissionReason(reason).lang}>
                      {permissionReason(reason).text}
                    </span>
                  </li>
                )}
              </For>
            </ul>
          </Show>
        </dd>
        <Show when={plugin().provides.length > 0}>
          <dt>{t('provides')}</dt>
          <dd class="mono">{plugin().provides.join(', ')}</dd>
        </Show>
        <Show when={plugin().requires.length > 0}>
          <dt>{t('requires')}</dt>
          <dd class="mono">{plugin().requires.map(service).join(', ')}</dd>
        </Show>
        <Show when={plugin().optional.length > 0}>
          <dt>{t('optional')}</dt>
          <dd class="mono">{plugin().optional.map(service).join(', ')}</dd>
        </Show>
        <dt>{t('source')}</dt>
        <dd>{plugin().source === 'built-in' ? t('built_in') : <bdi class="mono">{plugin().source}</bdi>}</dd>
        <Show when={plugin().started_ms !== null}>
          <dt>{t('start')}</dt>
          <dd>{numberText(plugin().started_ms ?? 0, { style: 'unit', unit: 'millisecond', unitDisplay: 'short' })}</dd>
        </Show>
      </dl>
      <p class="help">{t('in_process')}</p>
    </details>
  )
}

const points = {
  'chat.part': 'point_chat_part',
  'cli.command': 'point_cli_command',
  'console.panel': 'point_console_panel',
  'database.driver': 'point_database_driver',
  'doctor.check': 'point_doctor_check',
  'http.error-format': 'point_http_error_format',
  'http.route': 'point_http_route',
  'http.site': 'point_http_site',
  'memory.backend': 'point_memory_backend',
  'policy.engine': 'point_policy_engine',
  'provider.adapter': 'point_provider_adapter',
  'sandbox.driver': 'point_sandbox_driver',
  'scheduler.job': 'point_scheduler_job',
  'search.provider': 'point_search_provider',
  tool: 'point_tool',
  'tool.source': 'point_tool_source',
  'user.data': 'point_user_data',
  'vault.connector': 'point_vault_connector',
  'websocket.route': 'point_websocket_route',
  channel: 'point_channel',
} as const

const pointText = (point: string): string => (Object.hasOwn(points, point) ? t(points[point as keyof typeof points]) : '')

const permissions = {
  network: 'may_network',
  files: 'may_files',
  process: 'may_process',
  environment: 'may_environment',
  secrets: 'may_secrets',
  models: 'may_models',
  console: 'may_console',
} as const

const permissionText = (kind: string): string =>
  Object.hasOwn(permissions, kind) ? t(permissions[kind as keyof typeof permissions]) : kind
