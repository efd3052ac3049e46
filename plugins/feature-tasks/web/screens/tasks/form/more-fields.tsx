import { Checkbox, Icon, modelChoices, SelectField, TextArea, TextField } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { createModels } from '../common/read-tasks.js'
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
          <TextField label={t('tools')} help={t('tools_help')} mono {...props.field('tools')} />
          <TextField label={t('max_retries')} help={t('max_retries_help')} type="number" {...props.field('maxRetries')} />
          <TextField label={t('retry_delay')} help={t('retry_delay_help')} type="number" {...props.field('retryDelay')} />
          <TextField label={t('max_seconds')} help={t('max_seconds_help')} type="number" {...props.field('maxSeconds')} />
          <SelectField
            label={screen('notify')}
            {...props.field('notify')}
            choices={(['always', 'failures', 'never'] as const).map((value) => ({ value, label: screen(`notify_${value}`) }))}
          />
        </div>
        <Checkbox
          label={t('tool_failures')}
          help={t('tool_failures_help')}
          value={props.draft.toolFailures === 'fail'}
          onInput={(isStrict) => props.field('toolFailures').onInput(isStrict ? 'fail' : 'allow')}
        />
        <Show when={props.draft.kind === 'task'}>
          <Checkbox label={t('has_result')} help={t('has_result_help')} {...props.field('hasResult')} />
          <Show when={props.draft.hasResult}>
            <TextField label={t('result_name')} help={t('result_name_help')} mono maxLength={64} {...props.field('resultName')} />
            <TextArea label={t('result_schema')} help={t('result_schema_help')} mono rows={8} {...props.field('resultSchema')} />
          </Show>
        </Show>
      </div>
    </details>
  )
}

/** The model groups of the service; one that is missing stays chosen. */
function ModelField(props: FormPart): JSX.Element {
  const groups = createModels()
  return (
    <SelectField
      label={screen('model_group')}
      help={t('model_group_help')}
      {...props.field('modelGroup')}
      choices={[{ value: '', label: t('model_of_agent') }, ...modelChoices(groups.value() ?? [], props.draft.modelGroup)]}
    />
  )
}
