import {
  Button,
  ButtonLink,
  bytesText,
  createAction,
  durationText,
  errorText,
  Failure,
  LogTail,
  momentText,
  Page,
  Skeleton,
  usePageTitle,
} from '@agent-service/sdk/web'
import { type JSX, onCleanup, Show } from 'solid-js'
import { api, createQuery, onEvent, type Schemas } from '../../api/index.js'
import { SandboxBanner } from '../../sandbox/sandbox-banner.js'
import { followOutput } from './follow-output.js'
import { ProcessState } from './process-state.js'
import { t } from './texts.js'

type Process = Schemas['SandboxProcess']

/** One process with its output, live. */
export function ProcessPage(props: { readonly id: string }): JSX.Element {
  const path = { process_id: props.id }
  const loaded = createQuery({
    key: () => ['process', props.id],
    read: (signal) => api.get('/api/sandbox/processes/{process_id}', { path, signal }),
  })
  const process = loaded.value
  const stop = createAction(async () => loaded.set(await api.post('/api/sandbox/processes/{process_id}/stop', { path })))
  onCleanup(onEvent('sandbox.process.ended', ({ data }) => data.process.id === props.id && loaded.set(data.process)))
  usePageTitle(() => process()?.title ?? t('process'))
  return (
    <Page
      title={process()?.title ?? t('process')}
      lead={<Show when={process()}>{(found) => <ProcessState process={found()} stopping={stop.busy()} />}</Show>}
      actions={
        <>
          <ButtonLink href="/sandbox" kind="quiet" icon="chevron-left">
            {t('processes')}
          </ButtonLink>
          <Show when={process()?.ended_at === null}>
            <Button kind="danger" busy={stop.busy()} onClick={() => void stop.run()}>
              {t('stop')}
            </Button>
          </Show>
        </>
      }
    >
      <SandboxBanner />
      <Show when={stop.failure()}>{(error) => <Failure error={error()} />}</Show>
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
