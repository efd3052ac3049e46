import {
  Button,
  ButtonLink,
  bytesText,
  createLoaded,
  durationText,
  errorText,
  Failure,
  LogTail,
  momentText,
  Page,
  Skeleton,
  usePageTitle,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { api, onEvent, type Schemas } from '../../api/index.js'
import { SandboxBanner } from '../../sandbox/sandbox-banner.js'
import { followOutput } from './follow-output.js'
import { ProcessState } from './process-state.js'
import { createStopper } from './stop-process.js'
import { t } from './texts.js'

type Process = Schemas['SandboxProcess']

/** One process with its output, live. */
export function ProcessPage(props: { readonly id: string }): JSX.Element {
  const loaded = createLoaded(() => api.get('/api/sandbox/processes/{process_id}', { path: { process_id: props.id } }))
  const [changed, setChanged] = createSignal<Process>()
  const process = (): Process | undefined => changed() ?? loaded.value()
  const stopper = createStopper(async (id) => {
    setChanged(await api.post('/api/sandbox/processes/{process_id}/stop', { path: { process_id: id } }))
  })
  onCleanup(onEvent('sandbox.process.ended', ({ data }) => data.process.id === props.id && setChanged(data.process)))
  onCleanup(
    onEvent('reset', () => {
      setChanged(undefined)
      void loaded.reload()
    }),
  )
  usePageTitle(() => process()?.title ?? t('process'))
  return (
    <Page
      title={process()?.title ?? t('process')}
      lead={<Show when={process()}>{(found) => <ProcessState process={found()} stopping={stopper.isStopping(props.id)} />}</Show>}
      actions={
        <>
          <ButtonLink href="/sandbox" kind="quiet" icon="chevron-left">
            {t('processes')}
          </ButtonLink>
          <Show when={process()?.ended_at === null}>
            <Button kind="danger" busy={stopper.isStopping(props.id)} onClick={() => void stopper.stop(props.id)}>
              {t('stop')}
            </Button>
          </Show>
        </>
      }
    >
      <SandboxBanner />
      <Show when={stopper.failure(props.id)}>{(error) => <Failure error={error()} />}</Show>
      <Show
        when={process()}
        fallback={
          <Show when={loaded.error()} fallback={<Skeleton />}>
            {(error) => <Failure error={error()} onRetry={() => void loaded.reload()} />}
          </Show>
        }
      >
        {(found) => (
          <>
            <Facts process={found()} />
            <Output id={props.id} />
          </>
        )}
      </Show>
    </Page>
  )
}

function Facts(props: { readonly process: Process }): JSX.Element {
  return (
    <dl class="sandbox-facts">
      <dt>{t('agent')}</dt>
      <dd>
        <bdi>{props.process.actor.handle ?? props.process.actor.id}</bdi>
      </dd>
      <dt>{t('started')}</dt>
      <dd>{momentText(props.process.started_at)}</dd>
      <Show when={props.process.ended_at}>
        {(at) => (
          <>
            <dt>{t('ended')}</dt>
            <dd>{momentText(at())}</dd>
          </>
        )}
      </Show>
      <Show when={props.process.exit?.cpu_ms ?? undefined}>
        {(used) => (
          <>
            <dt>{t('cpu_time')}</dt>
            <dd>{durationText(used())}</dd>
          </>
        )}
      </Show>
      <Show when={props.process.exit?.peak_memory_bytes ?? undefined}>
        {(used) => (
          <>
            <dt>{t('peak_memory')}</dt>
            <dd>{bytesText(used())}</dd>
          </>
        )}
      </Show>
    </dl>
  )
}

function Output(props: { readonly id: string }): JSX.Element {
  const output = followOutput(props.id)
  return (
    <div class="sandbox-output">
      <Show when={output.cut()}>
        <p class="help">{t('output_cut')}</p>
      </Show>
      <LogTail label={output.ended() ? t('output') : t('output_live')} lines={output.lines()} />
      <Show when={output.error()}>{(error) => <p class="help">{t('output_retry', { problem: errorText(error()) })}</p>}</Show>
      <Show when={output.ended() && output.lines().length === 0}>
        <p class="help">{t('output_none')}</p>
      </Show>
    </div>
  )
}
