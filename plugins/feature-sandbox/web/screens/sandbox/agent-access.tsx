import {
  agentName,
  Button,
  bytesText,
  createLoaded,
  durationText,
  EmptyState,
  Failure,
  isProblem,
  navigate,
  numberText,
  SelectField,
  Skeleton,
  StateMark,
  TextField,
} from '@agent-service/sdk/web'
import { createEffect, createSignal, For, type JSX, on, Show } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { runnableAgents } from './agents.js'
import { FactList } from './confinement.js'
import { t } from './texts.js'

type Access = Schemas['AgentSandboxAccess']

/** What the code of an agent may reach, open and use. */
export function AgentAccess(props: { readonly agentId: string | undefined }): JSX.Element {
  const agents = createLoaded(runnableAgents)
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
  const access = createLoaded(() => api.get('/api/sandbox/agents/{agent_id}', { path: { agent_id: props.agentId } }))
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

/** Asks the policies about one destination. */
function Question(props: { readonly agentId: string }): JSX.Element {
  const [host, setHost] = createSignal('')
  const [port, setPort] = createSignal('443')
  const [busy, setBusy] = createSignal(false)
  const [answer, setAnswer] = createSignal<Schemas['AskedDestination'] | null>(null)
  const [failure, setFailure] = createSignal<unknown>()
  const [wrong, setWrong] = createSignal<{ readonly host?: string; readonly port?: string }>({})
  createEffect(
    on([host, port], () => {
      setAnswer(null)
      setWrong({})
    }),
  )
  const ask = async (): Promise<void> => {
    const number = Number(port())
    const problems = {
      ...(host().trim() === '' && { host: t('host_missing') }),
      ...((!Number.isInteger(number) || number < 1 || number > 65_535) && { port: t('port_wrong') }),
    }
    setWrong(problems)
    if (Object.keys(problems).length > 0 || busy()) return
    setBusy(true)
    setFailure(undefined)
    try {
      const query = { host: host().trim(), port: number }
      const found = await api.get('/api/sandbox/agents/{agent_id}', { path: { agent_id: props.agentId }, query })
      setAnswer(found.network.asked)
    } catch (error) {
      const message = isProblem(error) ? error.messageFor('/host') : undefined
      if (message !== undefined) setWrong({ host: message })
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      novalidate
      onSubmit={(event) => {
        event.preventDefault()
        void ask()
      }}
    >
      <p class="help">{t('ask_text')}</p>
      <div class="sandbox-ask">
        <TextField label={t('host')} value={host()} onInput={setHost} mono maxLength={253} placeholder="example.org" error={wrong().host} />
        <TextField label={t('port')} type="number" value={port()} onInput={setPort} error={wrong().port} />
        <Button type="submit" busy={busy()}>
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
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
    </form>
  )
}
