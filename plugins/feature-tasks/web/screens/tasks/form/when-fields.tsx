import {
  createRested,
  deviceZone,
  Failure,
  Field,
  isProblem,
  Mark,
  Segments,
  SelectField,
  TextField,
  zone,
  zoneName,
} from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { api, createQuery } from '../../../api/index.js'
import { cronSummary } from '../common/cron-summary.js'
import { TimesTable } from '../common/next-runs.js'
import { t as screen } from '../common/texts.js'
import type { Draft, When } from './draft.js'
import type { FormPart } from './form-part.js'
import { t } from './texts.js'

const examples = ['0 * * * *', '0 9 * * *', '0 9 * * MON-FRI', '0 9 * * MON', '0 9 1 * *', '*/15 8-17 * * MON-FRI'] as const

/** When it happens. A change keeps to times: a task at once has had its time. */
export function WhenFields(props: FormPart & { readonly isNew: boolean; readonly start: Draft }): JSX.Element {
  const choices = (): readonly { readonly value: When; readonly label: string }[] => [
    ...(props.isNew && props.draft.kind === 'task' ? [{ value: 'now' as const, label: t('when_now') }] : []),
    ...(props.draft.kind === 'heartbeat' ? [] : [{ value: 'at' as const, label: t('when_at') }]),
    { value: 'again', label: t('when_again') },
  ]
  const at = props.field('at')
  const isFixed = (): boolean => choices().length < 2 || (!props.isNew && props.start.when === 'now')
  return (
    <fieldset>
      <legend>{t('when')}</legend>
      <Show when={!isFixed()}>
        <div class="field">
          <Segments label={t('when')} choices={choices()} {...props.field('when')} />
        </div>
      </Show>
      <Show when={props.draft.when === 'now'}>
        <p class="help">{t('when_now_help')}</p>
      </Show>
      <Show when={props.draft.when === 'at'}>
        <Field label={t('at')} help={t('at_help', { zone: zoneName(zone()) })} error={at.error}>
          {({ id, describedBy }) => (
            <span class="in tasks-at" classList={{ err: at.error !== undefined }}>
              <input
                id={id}
                type="datetime-local"
                value={at.value}
                aria-invalid={at.error !== undefined}
                aria-describedby={describedBy}
                onInput={(event) => at.onInput(event.currentTarget.value)}
              />
            </span>
          )}
        </Field>
      </Show>
      <Show when={props.draft.when === 'again'}>
        <ScheduleFields draft={props.draft} field={props.field} />
      </Show>
    </fieldset>
  )
}

function ScheduleFields(props: FormPart): JSX.Element {
  const preview = createPreview(props)
  const refused = (path: string): string | undefined => {
    const error = preview.error()
    return isProblem(error) ? error.messageFor(path) : undefined
  }
  return (
    <>
      <div class="tasks-two">
        <SelectField
          label={t('example')}
          value={examples.find((each) => each === props.draft.cron) ?? ''}
          onInput={(cron) => cron !== '' && props.field('cron').onInput(cron)}
          choices={[{ value: '', label: t('own_schedule') }, ...examples.map((value) => ({ value, label: cronSummary(value) }))]}
        />
        <TextField
          label={screen('schedule')}
          mono
          help={t('cron_help')}
          maxLength={200}
          {...props.field('cron')}
          error={props.field('cron').error ?? refused('/cron')}
        />
      </div>
      <SelectField
        label={screen('zone')}
        {...props.field('zone')}
        choices={zoneChoices(props.draft.zone)}
        error={props.field('zone').error ?? refused('/timezone')}
      />
      <section class="tasks-preview" aria-label={t('preview')} aria-live="polite">
        <Show
          when={preview.error()}
          fallback={
            <Show when={preview.value()}>
              {(found) => (
                <>
                  <p>
                    <b>{cronSummary(found().cron) || <code>{found().cron}</code>}</b>
                  </p>
                  <TimesTable times={found().times} zone={found().timezone} />
                </>
              )}
            </Show>
          }
        >
          {(error) => (
            <Show
              when={isProblem(error()) && refused('/cron') === undefined && refused('/timezone') === undefined}
              fallback={
                <p class="state">
                  <Mark name="warn" />
                  {t('preview_none')}
                </p>
              }
            >
              <Failure error={error()} onRetry={() => void preview.reload()} />
            </Show>
          )}
        </Show>
      </section>
      <SelectField
        label={screen('missed')}
        help={t('missed_help')}
        {...props.field('missed')}
        choices={(['once', 'all', 'skip'] as const).map((value) => ({ value, label: screen(`missed_${value}`) }))}
      />
      <TextField label={t('spread')} help={t('spread_help')} type="number" {...props.field('spread')} />
    </>
  )
}

/** Between the last key and the question to the service. */
const pauseMs = 300

/** The next times of what is typed, as the service computes them. */
function createPreview(props: FormPart) {
  const cron = createRested(() => props.draft.cron.trim(), pauseMs)
  const zone = createRested(() => props.draft.zone, pauseMs)
  return createQuery({
    key: () => ['next-times', cron(), zone()],
    async read(signal) {
      if (cron() === '') return undefined
      const query = { cron: cron(), count: 5, ...(zone() !== '' && { timezone: zone() }) }
      return { cron: query.cron, ...(await api.get('/api/schedules/next-times', { query, signal })) }
    },
  })
}

function zoneChoices(chosen: string) {
  const own = deviceZone()
  const names = new Set([...(chosen === '' ? [] : [chosen]), 'UTC', ...Intl.supportedValuesOf('timeZone')])
  return [
    { value: '', label: t('zone_profile') },
    { value: own, label: t('zone_device', { zone: zoneName(own) }) },
    ...[...names].filter((name) => name !== own).map((name) => ({ value: name, label: zoneName(name) })),
  ]
}
