import { SelectField, TextField } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { t as screen } from '../common/texts.js'
import type { FormPart } from './form-part.js'
import { t } from './texts.js'

/** What a heartbeat looks at before its agent is asked, and what it may spend. */
export function HeartbeatFields(props: FormPart): JSX.Element {
  return (
    <fieldset>
      <legend>{t('heartbeat')}</legend>
      <SelectField
        label={screen('check')}
        help={t('check_help')}
        {...props.field('check')}
        choices={[
          { value: 'always', label: screen('check_always') },
          { value: 'file', label: screen('check_file') },
          { value: 'tasks', label: screen('check_tasks') },
        ]}
      />
      <Show when={props.draft.check === 'file'}>
        <TextField label={t('path')} help={t('path_help')} mono placeholder="inbox.md" {...props.field('path')} />
      </Show>
      <div class="tasks-two">
        <TextField label={t('max_runs')} type="number" {...props.field('maxRuns')} />
        <TextField label={t('max_tokens')} type="number" {...props.field('maxTokens')} />
      </div>
    </fieldset>
  )
}
