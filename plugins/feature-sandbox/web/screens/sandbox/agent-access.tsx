import {
  agentName,
  Button,
  bytesText,
  durationText,
  EmptyState,
  Failure,
  navigate,
  numberText,
  SelectField,
  Skeleton,
  StateMark,
  TextField,
} from '@agent-service/sdk/web'
import { createForm } from '@agent-service/sdk/web/forms'
import { createEffect, createSignal, For, type JSX, on, Show } from 'solid-js'
import { api, createQuery, type Schemas } from '../../api/index.js'
import { createRunnableAgents } from './agents.js'
import { FactList } from './confinement.js'
import { t } from './texts.js'

type Access = Schemas['AgentSandboxAccess']

/** What the code of an agent may reach, open and use. */
export function AgentAccess(props: { readonly agentId: string | undefined }): JSX.Element {
  const agents = createRunnableAgents()
  const agentId = (): string | undefined => props.agentId ?? agents.value()?.[0]?.id
  return (
    <Show
      when={agents.value()}
      fallback={
        <Show when={agents.error()} fallback={<Skeleton />}>
          {(error) => <Failure error={error()} onRetry={() => void agents.reload()} />}
        </Show>
      }
    >
      {(found) => (
        <Show when={agentId()} keyed fallback={<EmptyState title={t('no_agents')} text={t('no_agents_text')} />}>
          {(id) => (
            <>
              <div class="sandbox-pick">
                <SelectField
                  label={t('agent')}
                  value={id}
                  onInput={(next) => void navigate(`/sandbox/agents/${next}`, { replace: true })}
                  choices={found().map((agent) => ({ value: agent.id, label: agentName(agent.name) }))}
                />
              </div>
              <AccessOf agentId={id} />
            </>
          )}
        </Show>
      )}
    </Show>
  )
}

function AccessOf(props: { readonly agentId: string }): JSX.Element {
  const access = createQuery({
    key: () => ['access', props.agentId],
    read: (signal) => api.get('/api/sandbox/agents/{agent_id}', { path: { agent_id: props.agentId }, signal }),
  })
  return (
    <Show
      when={access.value()}
      fallback={
        <Show when={access.error()} fallback={<Skeleton lines={8} />}>
          {(error) => <Failure error={error()} onRetry={() => void access.reload()} />}
        </Show>
      }
    >
      {(found) => (
        <>
          <section class="sandbox-part">
            <h2>{t('network')}</h2>
            <p>{networkText(found().network)}</p>
            <Question agentId={props.agentId} />
          </section>
          <section class="sandbox-part">
            <h2>{t('files')}</h2>
            <Show
              when={found().files.refused === null}
              fallback={
                <StateMark mark="fail">
                  {t('refused')} <span lang="en">{found().files.refused}</span>
                </StateMark>
              }
            >
              <Paths label={t('writable')} paths={found().files.writable} />
              <Paths label={t('readable')} paths={found().files.readable} />
              <Paths label={t('denied')} paths={found().files.denied} />
            </Show>
          </section>
          <section class="sandbox-part">
            <h2>{t('limits')}</h2>
            <FactList rows={limitRows(found().limits)} />
          </section>
        </>
      )}
    </Show>
  )
}

function networkText({ access, default_access }: Access['network']): string {
  if (access === 'off') return t('network_off')
  return default_access ? t('network_open') : t('network_closed')
}

function limitRows(limits: Access['limits']): readonly (readonly [string, string])[] {
  return [
    [t('max_cpu'), numberText(limits.max_cpu_pct / 100, { style: 'percent' })],
    [
      t('max_memory'),
      t('memory_of', { percent: numberText(limits.max_memory_pct / 100, { style: 'percent' }), bytes: bytesText(limits.memory_bytes) }),
    ],
    [t('max_running'), numberText(limits.max_running)],
    [t('max_processes'), numberText(limits.max_processes)],
    [t('timeout'), limits.timeout_secs === 0 ? t('no_limit') : durationText(limits.timeout_secs * 1_000)],
  ]
}

function Paths(props: { readonly label: string; readonly paths: readonly string[] }): JSX.Element {
  return (
    <Show when={props.paths.length > 0}>
      <h3 class="lbl">{props.label}</h3>
      <ul class="sandbox-paths">
        <For each={props.paths}>
          {(path) => (
            <li>
              <bdi>{path}</bdi>
            </li>
          )}
        </For>
      </ul>
    </Show>
  )
}

function isPort(text: string): boolean {
  const number = Number(text)
  return Number.isInteger(number) && number >= 1 && number <= 65_535
}

/** Asks the policies about one destination. */
function Question(props: { readonly agentId: string }): JSX.Element {
  const [answer, setAnswer] = createSignal<Schemas['AskedDestination'] | null>(null)
  const form = createForm({
    initial: { host: '', port: '443' },
    check: ({ host, port }) => ({
      ...(host.trim() === '' && { '/host': t('host_missing') }),
      ...(!isPort(port) && { '/port': t('port_wrong') }),
    }),
    submit: async ({ host, port }) => {
      const query = { host: host.trim(), port: Number(port) }
      const found = await api.get('/api/sandbox/agents/{agent_id}', { path: { agent_id: props.agentId }, query })
      setAnswer(found.network.asked)
    },
  })
  createEffect(on(form.values, () => setAnswer(null)))
  return (
    <form
      novalidate
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      <p class="help">{t('ask_text')}</p>
      <div class="sandbox-ask">
        <TextField label={t('host')} mono maxLength={253} placeholder="example.org" {...form.field('host')} />
        <TextField label={t('port')} type="number" {...form.field('port')} />
        <Button type="submit" busy={form.busy()}>
          {t('ask')}
        </Button>
      </div>
      <div class="sandbox-answer" role="status">
        <Show when={answer()}>
          {(found) => (
            <StateMark mark={found().allowed ? 'done' : 'fail'}>
              {t(found().allowed ? 'may_connect' : 'may_not_connect', { destination: `${found().host}:${found().port}` })}
            </StateMark>
          )}
        </Show>
      </div>
      <Show when={form.failure()}>{(error) => <Failure error={error()} />}</Show>
    </form>
  )
}
