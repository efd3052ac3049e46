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
        value={props.draft.check}
        onInput={(check) => props.change({ check })}
        choices={[
          { value: 'always', label: screen('check_always') },
          { value: 'file', label: screen('check_file') },
          { value: 'tasks', label: screen('check_tasks') },
        ]}
      />
      <Show when={props.draft.check === 'file'}>
        <TextField
          label={t('path')}
          help={t('path_help')}
          mono
          placeholder="inbox.md"
          value={props.draft.path}
          onInput={(path) => props.change({ path })}
          error={props.problemAt('path')}
        />
      </Show>
      <div class="tasks-two">
        <TextField
          label={t('max_runs')}
          type="number"
          value={props.draft.maxRuns}
          onInput={(maxRuns) => props.change({ maxRuns })}
          error={props.problemAt('maxRuns')}
        />
        <TextField
          label={t('max_tokens')}
          type="number"
          value={props.draft.maxTokens}
          onInput={(maxTokens) => props.change({ maxTokens })}
          error={props.problemAt('maxTokens')}
        />
      </div>
    </fieldset>
  )
}
