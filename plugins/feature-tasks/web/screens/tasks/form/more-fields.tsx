import { Checkbox, createLoaded, Icon, modelChoices, onReturn, SelectField, TextArea, TextField } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { api } from '../../../api/index.js'
import { t as screen } from '../common/texts.js'
import type { FormPart } from './form-part.js'
import { t } from './texts.js'

/** What most tasks leave as it is. */
export function MoreFields(props: FormPart): JSX.Element {
  return (
    <details class="fold tasks-more">
      <summary>
        <Icon name="chevron-right" />
        {t('more')}
      </summary>
      <div class="tasks-more-fields">
        <div class="tasks-two">
          <ModelField {...props} />
          <TextField
            label={t('tools')}
            help={t('tools_help')}
            mono
            value={props.draft.tools}
            onInput={(tools) => props.change({ tools })}
            error={props.problemAt('tools')}
          />
          <TextField
            label={t('max_retries')}
            help={t('max_retries_help')}
            type="number"
            value={props.draft.maxRetries}
            onInput={(maxRetries) => props.change({ maxRetries })}
            error={props.problemAt('maxRetries')}
          />
          <TextField
            label={t('retry_delay')}
            help={t('retry_delay_help')}
            type="number"
            value={props.draft.retryDelay}
            onInput={(retryDelay) => props.change({ retryDelay })}
            error={props.problemAt('retryDelay')}
          />
          <TextField
            label={t('max_seconds')}
            help={t('max_seconds_help')}
            type="number"
            value={props.draft.maxSeconds}
            onInput={(maxSeconds) => props.change({ maxSeconds })}
            error={props.problemAt('maxSeconds')}
          />
          <SelectField
            label={screen('notify')}
            value={props.draft.notify}
            onInput={(notify) => props.change({ notify })}
            choices={(['always', 'failures', 'never'] as const).map((value) => ({ value, label: screen(`notify_${value}`) }))}
          />
        </div>
        <Checkbox
          label={t('tool_failures')}
          help={t('tool_failures_help')}
          value={props.draft.toolFailures === 'fail'}
          onInput={(isStrict) => props.change({ toolFailures: isStrict ? 'fail' : 'allow' })}
        />
        <Show when={props.draft.kind === 'task'}>
          <Checkbox
            label={t('has_result')}
            help={t('has_result_help')}
            value={props.draft.hasResult}
            onInput={(hasResult) => props.change({ hasResult })}
          />
          <Show when={props.draft.hasResult}>
            <TextField
              label={t('result_name')}
              help={t('result_name_help')}
              mono
              maxLength={64}
              value={props.draft.resultName}
              onInput={(resultName) => props.change({ resultName })}
              error={props.problemAt('resultName')}
            />
            <TextArea
              label={t('result_schema')}
              help={t('result_schema_help')}
              mono
              rows={8}
              value={props.draft.resultSchema}
              onInput={(resultSchema) => props.change({ resultSchema })}
              error={props.problemAt('resultSchema')}
            />
          </Show>
        </Show>
      </div>
    </details>
  )
}

/** The model groups of the service; one that is missing stays chosen. */
function ModelField(props: FormPart): JSX.Element {
  const groups = createLoaded(async (signal) => (await api.get('/api/models', { query: { limit: 200 }, signal })).items)
  onReturn(() => void groups.reload())
  return (
    <SelectField
      label={screen('model_group')}
      help={t('model_group_help')}
      value={props.draft.modelGroup}
      onInput={(modelGroup) => props.change({ modelGroup })}
      error={props.problemAt('modelGroup')}
      choices={[{ value: '', label: t('model_of_agent') }, ...modelChoices(groups.value() ?? [], props.draft.modelGroup)]}
    />
  )
}
