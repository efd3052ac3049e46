import { Checkbox, PasswordField, Segments, SelectField, showToast, Tabs, TextArea, TextField, Toggle } from '@agent-service/sdk/web'
import { ChoiceCards } from '@agent-service/sdk/web/configuration'
import { type FormSchema, SchemaForm } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX } from 'solid-js'
import { Kit } from './kit.js'
import { t } from './texts.js'

const sample: FormSchema = {
  type: 'object',
  required: ['handle', 'kind'],
  properties: {
    handle: { type: 'string', description: '2 to 32 lowercase letters, digits, hyphens.', minLength: 2, pattern: '^[a-z0-9-]+$' },
    kind: { enum: ['hosted', 'local'] },
    api_key: { type: 'string', title: 'API key', writeOnly: true },
    limits: {
      type: 'object',
      properties: {
        max_retries: { type: 'integer', minimum: 0, maximum: 10, default: 3 },
        hosts: { type: 'array', items: { type: 'string' } },
      },
    },
    enabled: { type: 'boolean', description: 'Agents may use it.', default: true },
    extra: { type: 'object', description: 'Sent with each request.' },
  },
}

const whoMayJoin = {
  invited: { name: 'Only people whom I invite', text: 'Administrators create accounts, or send a link that makes one.' },
  open: { name: 'Anyone', text: 'Accounts are there at once.' },
} as const

/** Fields, switches, choices, tabs, forms. */
export function Controls(): JSX.Element {
  const [handle, setHandle] = createSignal('meridian')
  const [wrong, setWrong] = createSignal('My Provider')
  const [group, setGroup] = createSignal<'primary' | 'fast'>('primary')
  const [secret, setSecret] = createSignal('a secret')
  const [notes, setNotes] = createSignal('')
  const [on, setOn] = createSignal(true)
  const [checked, setChecked] = createSignal(true)
  const [range, setRange] = createSignal<'week' | 'month' | 'year'>('month')
  const [people, setPeople] = createSignal<keyof typeof whoMayJoin>('invited')
  const [tab, setTab] = createSignal<'all' | 'off'>('all')
  return (
    <>
      <Kit title={t('fields')}>
        <div class="kit-two">
          <TextField label="Handle" value={handle()} onInput={setHandle} help="2 to 32 lowercase letters, digits, hyphens." />
          <TextField label="Handle" value={wrong()} onInput={setWrong} error="Use lowercase letters and no spaces." />
          <SelectField
            label="Model"
            value={group()}
            onInput={setGroup}
            choices={[
              { value: 'primary', label: 'primary' },
              { value: 'fast', label: 'fast' },
            ]}
          />
          <TextField
            label="External address"
            value="https://hooks.example.org"
            readOnly
            onInput={() => undefined}
            help="Locked by SERVICE_SERVER_EXTERNAL_URL."
          />
          <PasswordField label="API key" value={secret()} onInput={setSecret} autocomplete="off" />
          <Checkbox label="Keep a copy" value={checked()} onInput={setChecked} help="For forms that are saved." />
        </div>
        <TextArea label="Instructions" value={notes()} onInput={setNotes} placeholder="What the agent is for" />
        <ChoiceCards legend="New accounts" choices={['invited', 'open']} value={people()} onInput={setPeople}>
          {(choice) => (
            <>
              <b>{whoMayJoin[choice].name}</b>
              <span class="small t2">{whoMayJoin[choice].text}</span>
            </>
          )}
        </ChoiceCards>
      </Kit>
      <Kit title={t('switches')}>
        <div class="row">
          <Toggle label="Memory" value={on()} onInput={setOn} />
          <Toggle label="Search" value={false} disabled onInput={() => undefined} />
          <Segments
            label="Range"
            value={range()}
            onInput={setRange}
            choices={[
              { value: 'week', label: '7 days' },
              { value: 'month', label: 'November' },
              { value: 'year', label: 'Year' },
            ]}
          />
        </div>
        <Tabs
          label="Plugins"
          current={tab()}
          onSelect={setTab}
          tabs={[
            { id: 'all', label: 'All', count: 24 },
            { id: 'off', label: 'Disabled', count: 3 },
          ]}
        >
          <p class="more">{tab() === 'all' ? 'All plugins.' : 'Disabled plugins.'}</p>
        </Tabs>
      </Kit>
      <Kit title={t('form')}>
        <SchemaForm
          schema={sample}
          value={{ handle: 'meridian', kind: 'hosted', enabled: true }}
          action="Add provider"
          onSubmit={async (value) => showToast(`Added “${String(value['handle'])}”`)}
          onCancel={() => undefined}
        />
      </Kit>
    </>
  )
}
