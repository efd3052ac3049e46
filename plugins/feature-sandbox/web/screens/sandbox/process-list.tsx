import { Button, bytesText, EmptyState, Failure, PagedRows, Segments, whenText } from '@agent-service/sdk/web'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { api, createPagedQuery, onEvent, type Schemas } from '../../api/index.js'
import { ProcessState } from './process-state.js'
import { createStopper, type Stopper } from './stop-process.js'
import { t } from './texts.js'

type Process = Schemas['SandboxProcess']
type Filter = 'running' | 'all'

/** What the person's agents run and ran within the last hour, live. */
export function ProcessList(): JSX.Element {
  const [filter, setFilter] = createSignal<Filter>('all')
  const list = createPagedQuery<Process>({
    key: () => ['processes', filter()],
    read: (cursor, signal) =>
      api.get('/api/sandbox/processes', {
        query: { limit: 50, ...(cursor !== undefined && { cursor }), ...(filter() === 'running' && { state: 'running' as const }) },
        signal,
      }),
    idOf: ({ id }) => id,
  })
  const stopper = createStopper(async (id) => {
    list.put(await api.post('/api/sandbox/processes/{process_id}/stop', { path: { process_id: id } }))
  })
  onCleanup(onEvent('sandbox.process.started', ({ data }) => list.put(data.process)))
  onCleanup(onEvent('sandbox.process.ended', ({ data }) => list.put(data.process)))
  const shown = (): readonly Process[] => list.items().filter(({ ended_at }) => filter() === 'all' || ended_at === null)
  return (
    <>
      <div class="sandbox-filter">
        <Segments
          label={t('filter')}
          choices={[
            { value: 'all', label: t('filter_all') },
            { value: 'running', label: t('filter_running') },
          ]}
          value={filter()}
          onInput={setFilter}
        />
        <span class="meta">{t('count_running', { count: list.items().filter(({ ended_at }) => ended_at === null).length })}</span>
      </div>
      <PagedRows
        list={{ ...list, items: shown }}
        label={t('processes')}
        empty={
          <Show when={shown().length === 0}>
            <EmptyState title={t('no_processes')} text={t('no_processes_text')} />
          </Show>
        }
      >
        {(process) => <ProcessRow process={process} stopper={stopper} />}
      </PagedRows>
    </>
  )
}

export const processAddress = ({ id, kind }: Pick<Process, 'id' | 'kind'>): string =>
  kind === 'terminal' ? `/sandbox/terminals/${id}` : `/sandbox/processes/${id}`

function ProcessRow(props: { readonly process: Process; readonly stopper: Stopper }): JSX.Element {
  return (
    <div class="sandbox-process">
      <div>
        <a class="key cut" href={processAddress(props.process)}>
          <bdi>{props.process.title}</bdi>
        </a>
        <span class="sub">
          <span>
            <bdi>{props.process.actor.handle ?? props.process.actor.id}</bdi>
          </span>
          <span>
            {props.process.ended_at === null
              ? t('since', { time: whenText(props.process.started_at) })
              : t('ended_at', { time: whenText(props.process.ended_at) })}
          </span>
          <Show when={props.process.ended_at !== null}>
            <span>{t('output_size', { size: bytesText(props.process.output_bytes) })}</span>
          </Show>
        </span>
      </div>
      <div class="row">
        <ProcessState process={props.process} stopping={props.stopper.isStopping(props.process.id)} />
        <Show when={props.process.ended_at === null}>
          <Button
            size="small"
            busy={props.stopper.isStopping(props.process.id)}
            label={t('stop_one', { title: props.process.title })}
            onClick={() => void props.stopper.stop(props.process.id)}
          >
            {t('stop')}
          </Button>
        </Show>
      </div>
      <Show when={props.stopper.failure(props.process.id)}>{(error) => <Failure error={error()} />}</Show>
    </div>
  )
}
