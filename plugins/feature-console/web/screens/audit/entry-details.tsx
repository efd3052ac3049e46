import { ButtonLink, CopyButton, momentText, Sheet, StateBadge } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import { kindText } from './kinds.js'
import { actorText, subjectText } from './names.js'
import type { Entry } from './read-entries.js'
import { t } from './texts.js'

/** Everything that an entry says. */
export function EntryDetails(props: { readonly entry: Entry; readonly onClose: () => void }): JSX.Element {
  const sources = { request: 'source_request', command_line: 'command_line', service: 'service' } as const
  const rows = (): readonly (readonly [string, string | null])[] => {
    const { entry } = props
    return [
      [t('at'), momentText(entry.at)],
      [t('actor'), actorText(entry)],
      [t('subject'), subjectText(entry)],
      [t('source'), entry.source === null ? null : t(sources[entry.source])],
      [t('address'), entry.address],
      [t('operation'), entry.operation],
      [t('request'), entry.request_id],
      [t('session'), entry.session_id],
      [t('token'), entry.token_id],
      [t('id'), entry.id],
    ]
  }
  return (
    <Sheet
      title={kindText(props.entry.kind)}
      onClose={props.onClose}
      footer={
        <>
          <CopyButton text={() => JSON.stringify(props.entry, null, 2)} />
          <Show when={props.entry.request_id}>
            {(id) => (
              <ButtonLink size="small" icon="file-text" href={`/admin/logs?search=${encodeURIComponent(id())}`}>
                {t('show_log')}
              </ButtonLink>
            )}
          </Show>
        </>
      }
    >
      <p class="audit-state">
        <StateBadge mark={props.entry.outcome === 'failed' ? 'fail' : 'done'}>{t(props.entry.outcome)}</StateBadge>
        <code>{props.entry.kind}</code>
      </p>
      <dl class="audit-facts">
        <For each={rows().filter(([, value]) => value !== null && value !== '')}>
          {([label, value]) => (
            <div>
              <dt>{label}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          )}
        </For>
      </dl>
      <Show when={props.entry.before ?? props.entry.after}>
        <h3 class="h3">{t('what_changed')}</h3>
        <For each={memberNames(props.entry)}>
          {(name) => (
            <dl class="audit-change">
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                <span class="sr">{t('before')}</span>
                <del>{valueText(props.entry.before?.[name])}</del>
                <span class="sr">{t('after')}</span>
                <ins>{valueText(props.entry.after?.[name])}</ins>
              </dd>
            </dl>
          )}
        </For>
      </Show>
      <Show when={Object.keys(props.entry.details).length > 0}>
        <h3 class="h3">{t('details')}</h3>
        <pre class="audit-json foreign" translate="no">
          {JSON.stringify(props.entry.details, null, 2)}
        </pre>
      </Show>
    </Sheet>
  )
}

const memberNames = ({ before, after }: Entry): readonly string[] => [
  ...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]),
]

function valueText(value: unknown): string {
  if (value === undefined || value === null) return t('nothing')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
